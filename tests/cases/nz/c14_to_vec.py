# case: c14_to_vec
# expect: reject target-memory line=20
# related-line=17
# arch: any
# entry: VectorToVec.kern
# mentions: Mat; Vec
# at: pl.Mem.Vec || target_memory=pl.Mem.Vec
# row: C14
import pypto.language as pl


@pl.program
class VectorToVec:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
    ) -> pl.Tensor[[32, 64], pl.FP16]:
        t = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
