# case: f34_dn_beside_nz
# expect: ok
# arch: any
# entry: DnBeside.kern
# untouched: w_dn=[48, 64]
# blocked: w_nz=[1, 4, 3, 16, 16]
# row: F34
import pypto.language as pl


@pl.program
class DnBeside:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_dn: pl.Tensor[[48, 64], pl.FP16, pl.TensorView(stride=[1, 48], layout=pl.TensorLayout.DN)],
        w_nz: pl.Tensor[[48, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 48], pl.FP32]],
    ) -> pl.Tensor[[16, 48], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w_nz, [0, 0], [48, 64], target_memory=pl.Mem.Mat)
        res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
