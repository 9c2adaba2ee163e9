# case: misspelled_layout_argument
# expect: reject wrong-arguments line=23
# alt-kind: type-mismatch, shape-mismatch
# arch: any
# entry: MisspelledLayoutArgument.kern
# mentions: b_trans
# rule: a keyword of the tensor form on tiles
import pypto.language as pl


@pl.program
class MisspelledLayoutArgument:
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
        acc = pl.matmul(a, b, b_trans=True)
        res = pl.store(acc, [0, 0], res)
        return res
