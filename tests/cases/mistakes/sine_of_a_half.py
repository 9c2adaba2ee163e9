# case: sine_of_a_half
# expect: reject operand-dtype line=21
# arch: any
# entry: SineOfAHalf.kern
# mentions: FP16
# rule: sine is FP32 only
import pypto.language as pl


@pl.program
class SineOfAHalf:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [64, 64])
        b = pl.sin(a)
        c = pl.load(f, [0, 0], [64, 64])
        res = pl.store(c, [0, 0], res)
        return res
