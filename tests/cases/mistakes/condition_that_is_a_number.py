# case: condition_that_is_a_number
# expect: reject type-mismatch line=22
# at: n
# arch: any
# entry: ConditionThatIsANumber.kern
# rule: a number is no condition
import pypto.language as pl


@pl.program
class ConditionThatIsANumber:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        n = pl.tile.get_block_idx()
        if n:
            a = pl.add(a, a)
        res = pl.store(a, [0, 0], res)
        return res
