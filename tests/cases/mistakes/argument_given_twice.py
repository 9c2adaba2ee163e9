# case: argument_given_twice
# expect: reject wrong-arguments line=20
# arch: any
# entry: ArgumentGivenTwice.kern
# mentions: offsets
# rule: an argument by position and by name
import pypto.language as pl


@pl.program
class ArgumentGivenTwice:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64], offsets=[0, 0])
        res = pl.store(a, [0, 0], res)
        return res
