# case: window_wider_than_the_tensor
# expect: reject bounds line=20
# at: 128
# arch: any
# entry: WindowWiderThanTheTensor.kern
# rule: a window wider than its tensor
import pypto.language as pl


@pl.program
class WindowWiderThanTheTensor:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 128])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
