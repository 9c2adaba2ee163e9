# case: import_in_try
# expect: ok
# arch: any
# entry: ImportInTry.kern
# kernels: 1
# rule: PL imported in a `try` is PL
try:
    import pypto.language as pl
except ImportError:
    pl = None


@pl.program
class ImportInTry:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
