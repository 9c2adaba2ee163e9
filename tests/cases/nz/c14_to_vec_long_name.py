# case: c14_to_vec_long_name
# expect: reject target-memory line=20
# related-line=17
# arch: any
# entry: VectorToVecLongName.kern
# mentions: Mat; Vec
# at: pl.MemorySpace.Vec || target_memory=pl.MemorySpace.Vec
# row: C14
import pypto.language as pl


@pl.program
class VectorToVecLongName:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
    ) -> pl.Tensor[[32, 64], pl.FP16]:
        t = pl.load(w, [0, 0], [32, 64], target_memory=pl.MemorySpace.Vec)
        res = pl.store(t, [0, 0], res)
        return res
