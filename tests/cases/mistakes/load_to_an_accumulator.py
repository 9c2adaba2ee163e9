# case: load_to_an_accumulator
# expect: reject type-mismatch line=22
# alt-kind: memory-space
# at: pl.Mem.Acc
# arch: any
# entry: LoadToAnAccumulator.kern
# mentions: Acc
# rule: a load reaches Vec and Mat only
import pypto.language as pl


@pl.program
class LoadToAnAccumulator:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64], target_memory=pl.Mem.Acc)
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
