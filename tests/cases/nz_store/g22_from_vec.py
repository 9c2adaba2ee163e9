# case: g22_from_vec
# expect: reject store-shape line=22
# related-line=18
# arch: a2a3
# entry: FromVec.kern
# mentions: Acc; Vec
# alt-kind: target-memory, consumer
# row: G22
import pypto.language as pl


@pl.program
class FromVec:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        src: pl.Tensor[[32, 32], pl.FP32],
        y_nz: pl.Out[pl.Tensor[[32, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[32, 32], pl.FP32, pl.NZ]:
        t = pl.load(src, [0, 0], [32, 32], target_memory=pl.Mem.Vec)
        u = t
        y_nz = pl.store(u, [0, 0], y_nz)
        return y_nz
