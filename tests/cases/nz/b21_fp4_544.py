# case: b21_fp4_544
# expect: reject sub-byte line=18
# arch: any
# entry: PackedOdd.kern
# mentions: FP4
# at: pl.NZ
# note: a byte-rounded c0 of 32 would accept it
# row: B21
import pypto.language as pl


@pl.program
class PackedOdd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        w: pl.Tensor[[32, 544], pl.FP4, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
