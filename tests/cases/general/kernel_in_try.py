# case: kernel_in_try
# expect: reject nz-rows-align line=18
# also: error bounds line=24
# arch: any
# entry: KernelInTry.kern
# kernels: 1
# annotation: pl.NZ
# rule: kernels inside a `try` are checked
import pypto.language as pl

try:
    @pl.program
    class KernelInTry:
        @pl.function(type=pl.FunctionType.InCore)
        def kern(
            self,
            act: pl.Tensor[[16, 64], pl.FP16],
            w: pl.Tensor[[40, 64], pl.FP16, pl.NZ],
            res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
            b = pl.load(w, [0, 0], [40, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(a, pl.tile.transpose_view(b))
            res = pl.store(acc, [0, 0], res)
            return res
except ImportError:
    pass
