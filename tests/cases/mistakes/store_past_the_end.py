# case: store_past_the_end
# expect: reject bounds line=21
# at: 16
# arch: any
# entry: StorePastTheEnd.kern
# rule: a tile that does not fit where it is stored
import pypto.language as pl


@pl.program
class StorePastTheEnd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 16], res)
        return res
