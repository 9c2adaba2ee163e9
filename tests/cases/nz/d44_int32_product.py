# case: d44_int32_product
# expect: ok
# arch: any
# entry: GateInt32Product.kern
# blocked: w_gate=[1, 4, 64, 16, 16]
# offsets: L26 w_gate=[0, 0, floordiv(n0, 16), 0, 0]
# sizes: L26 w_gate=[1, 4, 16, 16, 16]
# note: the wrapped product is divided as a whole
# row: D44
import pypto.language as pl


@pl.program
class GateInt32Product:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        lhs: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[1024, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
    ) -> pl.Tensor[[16, 256], pl.FP32]:
        lane = pl.tile.get_block_idx()
        x = pl.cast(lane, pl.INT32)
        n0 = x * 256
        x_l1 = pl.load(lhs, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [n0, 0], [256, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
