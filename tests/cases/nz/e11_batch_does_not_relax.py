# case: e11_batch_does_not_relax
# expect: reject gm-gap line=21
# related-line=17
# arch: any
# entry: HeadBatchDoesNotRelax.kern
# mentions: 65536; 65552; 16; 65535; pto-isa#317; temporary
# row: E11
import pypto.language as pl


@pl.program
class HeadBatchDoesNotRelax:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        w_kv: pl.Tensor[[2, 65552, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_nd = pl.load(w_kv, [1, 0, 0], [1, 16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.reshape(w_nd, [16, 64])
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
