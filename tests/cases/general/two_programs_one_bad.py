# case: two_programs_one_bad
# expect: reject nz-rows-align line=37
# arch: any
# entry: Zeta.kern
# kernels: 2
# at: pl.NZ
# kernel: Alpha.kern
# rule: the kernel of a diagnostic
import pypto.language as pl


@pl.program
class Zeta:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [32, 0], [32, 64], target_memory=pl.Mem.Mat)
        c = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        d = pl.load(w, [64, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(d)), [0, 32], res)
        return res


@pl.program
class Alpha:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        v: pl.Tensor[[40, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
