# case: d51_sum_16_of_16
# expect: ok
# arch: any
# entry: VocabSum16Of16.kern
# blocked: bank=[1, 64, 4, 16, 16]
# offsets: L24 bank=[0, floordiv(k0, 16), 0, 0, 0]
# sizes: L24 bank=[1, 4, 4, 16, 16]
# row: D51
import pypto.language as pl


@pl.program
class VocabSum16Of16:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[64, 1024], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        lane = pl.tile.get_block_idx()
        k0 = lane * 32 + 16
        x_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, k0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
