# case: unrolled_rounds_follow_each_other
# expect: reject nz-offset-align line=17
# related-line=14
# arch: any
# entry: Rounds.kern
# mentions: shape[-2]; branches
# rule: an unrolled round reads what the one before it left
import pypto.language as pl


@pl.program
class Rounds:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, w: pl.Tensor[[192, 64], pl.FP16, pl.NZ], flag: pl.Scalar[pl.BOOL]):
        r = 0
        for i in pl.unroll(0, 2):
            t = pl.load(w, [r, 0], [48, 64], target_memory=pl.Mem.Mat)
            if flag:
                r = 24
            else:
                r = 16
