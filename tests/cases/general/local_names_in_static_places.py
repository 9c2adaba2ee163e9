# case: local_names_in_static_places
# expect: ok
# arch: any
# entry: Local.kern
# rule: memory spaces, dtypes and flags may stand in the kernel's own names
import pypto.language as pl


@pl.program
class Local:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, w: pl.Tensor[[192, 64], pl.FP16, pl.NZ], x: pl.Tensor[[64, 64], pl.FP16]):
        m = pl.Mem.Mat
        t = pl.load(w, [0, 0], [48, 64], target_memory=m)
        q = pl.create_tile([16, 16], dtype=x.dtype)
