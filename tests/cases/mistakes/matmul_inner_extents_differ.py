# case: matmul_inner_extents_differ
# expect: reject shape-mismatch line=22
# arch: any
# entry: MatmulInnerExtentsDiffer.kern
# mentions: 128; 64
# rule: K of both operands
import pypto.language as pl


@pl.program
class MatmulInnerExtentsDiffer:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [64, 128], target_memory=pl.Mem.Mat)
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, b)
        res = pl.store(acc, [0, 0], res)
        return res
