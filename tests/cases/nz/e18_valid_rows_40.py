# case: e18_valid_rows_40
# expect: reject valid-shape line=23
# related-line=19
# arch: any
# entry: VocabValidRows40.kern
# mentions: 16; 40
# at: 40
# alt-kind: rows-align
# row: E18
import pypto.language as pl


@pl.program
class VocabValidRows40:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_kv: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [0, 0], [48, 64], valid_shape=[40, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
