# case: matmul_dtypes
# expect: reject matmul-dtype line=22
# arch: any
# entry: MatmulDtypes.kern
# mentions: FP16; BF16
# alt-kind: type-mismatch
# rule: operand dtypes of a matmul
import pypto.language as pl


@pl.program
class MatmulDtypes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.BF16],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
