# case: misspelled_operation
# expect: reject unknown-op line=23
# at: pl.matmull
# arch: any
# entry: MisspelledOperation.kern
# mentions: matmul
# rule: an operation that PL does not have, with the nearest that it has
import pypto.language as pl


@pl.program
class MisspelledOperation:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [64, 128], target_memory=pl.Mem.Mat)
        b = pl.load(y, [0, 0], [128, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmull(a, b)
        res = pl.store(acc, [0, 0], res)
        return res
