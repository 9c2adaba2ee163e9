# case: cast_to_the_same_dtype
# expect: reject same-dtype-cast line=21
# arch: any
# entry: CastToTheSameDtype.kern
# mentions: FP32
# rule: a cast that changes nothing
import pypto.language as pl


@pl.program
class CastToTheSameDtype:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.cast(a, pl.FP32)
        res = pl.store(b, [0, 0], res)
        return res
