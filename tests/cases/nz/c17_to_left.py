# case: c17_to_left
# expect: reject target-memory line=22
# related-line=18
# arch: any
# entry: StraightLeft.kern
# mentions: Mat; Left
# at: pl.Mem.Left || target_memory=pl.Mem.Left
# row: C17
import pypto.language as pl


@pl.program
class StraightLeft:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[32, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
    ) -> pl.Tensor[[32, 32], pl.FP32]:
        b = pl.load(act, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        a = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Left)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
