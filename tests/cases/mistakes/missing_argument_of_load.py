# case: missing_argument_of_load
# expect: reject wrong-arguments line=20
# arch: any
# entry: MissingArgumentOfLoad.kern
# mentions: shapes
# rule: a load without extents
import pypto.language as pl


@pl.program
class MissingArgumentOfLoad:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
