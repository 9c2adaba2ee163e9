# case: window_past_the_end
# expect: reject bounds line=21
# at: 32
# arch: any
# entry: WindowPastTheEnd.kern
# mentions: 96; 64
# rule: a constant window that ends past the tensor
import pypto.language as pl


@pl.program
class WindowPastTheEnd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [32, 0], [64, 64])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
