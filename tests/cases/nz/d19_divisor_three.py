# case: d19_divisor_three
# expect: ok
# arch: any
# entry: MixerDivisorThree.kern
# blocked: w_kv=[1, 12, 4, 16, 32]
# offsets: L25 w_kv=[0, floordiv(kb, 32), 0, 0, 0]
# sizes: L25 w_kv=[1, 4, 4, 16, 32]
# note: only the NZ factor must be a power of two
# row: D19
import pypto.language as pl


@pl.program
class MixerDivisorThree:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 128], pl.INT8],
        w_kv: pl.Tensor[[64, 384], pl.INT8, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 64], pl.INT32]],
    ) -> pl.Tensor[[16, 64], pl.INT32]:
        lane = pl.tile.get_block_idx()
        kb = (lane % 3) * 128
        x_l1 = pl.load(x, [0, 0], [16, 128], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_kv, [0, kb], [64, 128], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
