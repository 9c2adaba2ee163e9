# case: d11_min_of_multiples
# expect: ok
# arch: any
# entry: ProjMinOfMultiples.kern
# blocked: w_head=[1, 4, 12, 16, 16]
# offsets: L24 w_head=[0, 0, floordiv(r0, 16), 0, 0]
# sizes: L24 w_head=[1, 4, 4, 16, 16]
# row: D11
import pypto.language as pl


@pl.program
class ProjMinOfMultiples:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        w_head: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = pl.min(lane * 64, 128)
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [r0, 0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
