# case: a01_int8_whole
# expect: ok
# arch: a2a3
# entry: RouterInt8Whole.kern
# blocked: w_gate=[1, 16, 16, 16, 32]
# strides: w_gate=[131072, 8192, 512, 32, 1]
# offsets: L24 w_gate=[0, 0, 0, 0, 0]
# sizes: L24 w_gate=[1, 16, 16, 16, 32]
# tile: L24 w_l1=[256, 512]
# row: A01
import pypto.language as pl


@pl.program
class RouterInt8Whole:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 512], pl.INT8],
        w_gate: pl.Tensor[[256, 512], pl.INT8, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
    ) -> pl.Tensor[[16, 256], pl.INT32]:
        x_l1 = pl.load(tok, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [256, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
