# case: unknown_dtype_in_a_cast
# expect: reject wrong-operand line=21
# alt-kind: unknown-member, type-mismatch, undefined-name, bad-annotation
# arch: any
# entry: UnknownDtypeInACast.kern
# rule: a dtype that does not exist
import pypto.language as pl


@pl.program
class UnknownDtypeInACast:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.cast(a, pl.FP64)
        res = pl.store(a, [0, 0], res)
        return res
