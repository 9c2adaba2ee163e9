# case: d44_int32_typed_constant
# expect: ok
# arch: any
# entry: ProjInt32TypedConstant.kern
# blocked: bank=[1, 4, 64, 16, 16]
# offsets: L25 bank=[0, 0, floordiv(n0, 16), 0, 0]
# sizes: L25 bank=[1, 4, 16, 16, 16]
# row: D44
import pypto.language as pl


@pl.program
class ProjInt32TypedConstant:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        feat: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[1024, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
    ) -> pl.Tensor[[16, 256], pl.FP32]:
        lane = pl.tile.get_block_idx()
        x = pl.cast(lane, pl.INT32)
        n0 = x * pl.const(256, pl.INT32)
        x_l1 = pl.load(feat, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [n0, 0], [256, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
