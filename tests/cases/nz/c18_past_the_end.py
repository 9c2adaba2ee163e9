# case: c18_past_the_end
# expect: reject bounds line=22
# arch: any
# entry: MixerPastTheEnd.kern
# mentions: 272; 256
# slug: bounds
# note: the general window rule, not an NZ fault
# row: C18
import pypto.language as pl


@pl.program
class MixerPastTheEnd:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [240, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
