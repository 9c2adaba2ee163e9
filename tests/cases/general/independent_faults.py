# case: independent_faults
# expect: reject nz-offset-align line=25
# also: error nz-target-memory line=26
# also: error undefined-name line=30
# also: error nz-cols-align line=40
# also: error nz-rows-align line=41
# arch: any
# entry: Zeta.kern
# kernels: 2
# kernel: none
# rule: all independent faults, in source order
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
        b = pl.load(w, [24, 0], [32, 64], target_memory=pl.Mem.Mat)
        c = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Vec)
        d = pl.load(w, [64, 0], [32, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(d)), [0, 32], res)
        n = undefined_here
        return res


@pl.program
class Alpha:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 60], pl.FP16, pl.NZ],
        v: pl.Tensor[[40, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 60], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 60], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
