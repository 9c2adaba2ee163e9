# case: f35_three_uses
# expect: reject rows-align line=19
# also: error offset-align line=23
# also: error rows-align line=24
# arch: any
# entry: ThreeUses.kern
# note: a rejected annotation poisons its own uses and nothing else
# row: B, C (independent faults)
import pypto.language as pl


@pl.program
class ThreeUses:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_a: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        w_b: pl.Tensor[[90, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 96], pl.FP32]],
    ) -> pl.Tensor[[16, 96], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        p = pl.load(w_a, [24, 0], [32, 64], target_memory=pl.Mem.Mat)
        q = pl.load(w_a, [0, 0], [24, 64], target_memory=pl.Mem.Mat)
        r = pl.load(w_b, [8, 0], [32, 64], target_memory=pl.Mem.Mat)
        s = pl.load(w_a, [32, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(p)), [0, 0], res)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(s)), [0, 32], res)
        return res
