# case: operands_too_large_for_l1
# expect: reject capacity line=25
# alt-kind: nz-l0c
# arch: any
# entry: OperandsTooLargeForL1.kern
# mentions: Mat
# rule: two operands above L1
import pypto.language as pl


@pl.program
class OperandsTooLargeForL1:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        p: pl.Tensor[[256, 1024], pl.FP16],
        q: pl.Tensor[[1024, 256], pl.FP16],
        big_res: pl.Out[pl.Tensor[[256, 256], pl.FP32]],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(p, [0, 0], [256, 1024], target_memory=pl.Mem.Mat)
        b = pl.load(q, [0, 0], [1024, 256], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, b)
        big_res = pl.store(acc, [0, 0], big_res)
        return res
