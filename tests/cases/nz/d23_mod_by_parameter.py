# case: d23_mod_by_parameter
# expect: reject offset-sign line=26
# related-line=19
# def-line=24
# arch: any
# entry: GateModByParameter.kern
# mentions: shape[-1]; non-negative
# at: k0
# row: D23
import pypto.language as pl


@pl.program
class GateModByParameter:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 512], pl.INT8],
        bank: pl.Tensor[[64, 1024], pl.INT8, pl.NZ],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        lane = pl.tile.get_block_idx()
        k0 = (lane % n) * 512
        x_l1 = pl.load(tok, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, k0], [64, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
