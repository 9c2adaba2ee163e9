# case: store_to_an_input
# expect: reject input-written line=22
# alt-kind: direction
# arch: any
# entry: StoreToAnInput.kern
# mentions: x
# rule: an input that is stored to
import pypto.language as pl


@pl.program
class StoreToAnInput:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(y, [0, 0], [64, 64])
        x = pl.store(a, [0, 0], x)
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
