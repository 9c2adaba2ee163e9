# case: b20_fp4
# expect: reject sub-byte line=18
# arch: any
# entry: PackedFour.kern
# mentions: FP4
# at: pl.NZ
# absent: hardware
# row: B20
import pypto.language as pl


@pl.program
class PackedFour:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[256, 512], pl.FP4, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
