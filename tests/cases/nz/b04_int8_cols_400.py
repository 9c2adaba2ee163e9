# case: b04_int8_cols_400
# expect: reject cols-align line=17
# arch: any
# entry: MixerInt8Cols400.kern
# mentions: shape[-1]; 32; 400; INT8
# at: pl.NZ
# row: B04
import pypto.language as pl


@pl.program
class MixerInt8Cols400:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 384], pl.INT8],
        w_gate: pl.Tensor[[256, 400], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
    ) -> pl.Tensor[[16, 256], pl.INT32]:
        x_l1 = pl.load(act, [0, 0], [16, 384], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [256, 384], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
