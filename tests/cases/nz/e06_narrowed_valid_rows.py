# case: e06_narrowed_valid_rows
# expect: reject gm-gap line=22
# related-line=18
# arch: any
# entry: DownNarrowedValidRows.kern
# mentions: 65536; 65552; 16; 65535; pto-isa#317; temporary
# note: shapes alone would give 65520
# row: E06
import pypto.language as pl


@pl.program
class DownNarrowedValidRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.INT8],
        w_exp: pl.Tensor[[65552, 64], pl.INT8, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 32], pl.INT32]],
    ) -> pl.Tensor[[16, 32], pl.INT32]:
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [32, 64], valid_shape=[16, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
