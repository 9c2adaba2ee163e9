# case: d35_raw_parameter
# expect: reject offset-align line=24
# related-line=19
# def-line=20
# arch: any
# entry: RouterRawParameter.kern
# mentions: shape[-2]; 16
# at: first
# row: D35
import pypto.language as pl


@pl.program
class RouterRawParameter:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w_kv: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        first: pl.Scalar[pl.INDEX],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [first, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
