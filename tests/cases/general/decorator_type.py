# case: decorator_type
# expect: reject bad-decorator line=13
# arch: any
# entry: Decorated.kern
# mentions: Incore
# kernel: none
# rule: the type of a function is a member of pl.FunctionType
import pypto.language as pl


@pl.program
class Decorated:
    @pl.function(type=pl.FunctionType.Incore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        t = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0, 0], res)
        return res
