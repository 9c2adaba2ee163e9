# case: matmul_k_mismatch
# expect: reject shape-mismatch line=21
# arch: any
# entry: MatmulKMismatch.kern
# mentions: 64; 32
# rule: the K of both operands
import pypto.language as pl


@pl.program
class MatmulKMismatch:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, b)
        res = pl.store(acc, [0, 0], res)
        return res
