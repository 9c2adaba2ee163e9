# case: conditional_expression
# expect: reject not-allowed-in-kernel line=20
# arch: any
# entry: ConditionalExpression.kern
# rule: `x if c else y`
import pypto.language as pl


@pl.program
class ConditionalExpression:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        n = pl.tile.get_block_idx()
        k = 0 if n > 0 else 16
        a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
