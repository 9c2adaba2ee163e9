# case: reassigned_type
# expect: reject reassignment line=23
# arch: any
# entry: ReassignedType.kern
# mentions: acc
# alt-kind: type-mismatch
# rule: a name keeps its type in @pl.function
import pypto.language as pl


@pl.program
class ReassignedType:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        acc = pl.tile.get_block_idx()
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
