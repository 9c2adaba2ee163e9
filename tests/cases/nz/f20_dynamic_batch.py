# case: f20_dynamic_batch
# expect: reject reshape line=21
# related-line=18
# arch: any
# entry: FlatDynamicBatch.kern
# mentions: flatten
# row: F20
import pypto.language as pl

B = pl.dynamic("B")


@pl.program
class FlatDynamicBatch:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        w: pl.Tensor[[B, 256, 512], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[512], pl.FP16]],
    ) -> pl.Tensor[[512], pl.FP16]:
        w_flat = pl.reshape(w, [B * 256 * 512])
        t = pl.load(w_flat, [0], [512], target_memory=pl.Mem.Vec)
        res = pl.store(t, [0], res)
        return res
