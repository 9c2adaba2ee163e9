# case: rounding_mode_that_does_not_exist
# expect: reject bad-choice line=23
# alt-kind: literal-required, wrong-arguments
# at: "nearest"
# arch: any
# entry: RoundingModeThatDoesNotExist.kern
# mentions: rint
# rule: an unknown rounding mode
import pypto.language as pl


@pl.program
class RoundingModeThatDoesNotExist:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.cast(a, pl.BF16, mode="nearest")
        res = pl.store(a, [0, 0], res)
        return res
