# case: b01_int8_rows_200
# expect: reject rows-align line=17
# arch: any
# entry: VocabInt8Rows200.kern
# mentions: shape[-2]; 16; 200
# at: pl.NZ
# row: B01
import pypto.language as pl


@pl.program
class VocabInt8Rows200:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 512], pl.INT8],
        w_exp: pl.Tensor[[200, 512], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 192], pl.INT32]],
    ) -> pl.Tensor[[16, 192], pl.INT32]:
        x_l1 = pl.load(hid, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [0, 0], [192, 512], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
