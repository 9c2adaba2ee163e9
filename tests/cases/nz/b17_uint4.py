# case: b17_uint4
# expect: reject sub-byte line=19
# arch: any
# entry: SubByteUint4.kern
# mentions: UINT4
# at: pl.NZ
# absent: multiple of
# note: 128 is a multiple of 32 and of 64: alignment is not the reason
# row: B17
import pypto.language as pl


@pl.program
class SubByteUint4:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[64, 128], pl.UINT4, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
