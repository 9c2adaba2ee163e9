# case: element_read_past_the_end
# expect: reject loop-bounds line=23
# at: i
# arch: any
# entry: ElementReadPastTheEnd.kern
# mentions: `i = 64`
# rule: an element read in a loop
import pypto.language as pl


@pl.program
class ElementReadPastTheEnd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i in pl.range(65):
            s = pl.read(f, [0, i])
            a = pl.mul(a, s)
        res = pl.store(a, [0, 0], res)
        return res
