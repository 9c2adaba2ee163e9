# case: pro_two_dialects
# expect: reject pro-load-arg-order line=29
# arch: a5
# kernels: 2
# rule: each kernel of a file is judged by the rules of its own dialect
import pypto.language as first
import pypto_pro.language as pl


@first.program
class Copy:
    @first.function(type=first.FunctionType.InCore)
    def kern(
        self,
        x: first.Tensor[[16, 64], first.FP16],
        out: first.Out[first.Tensor[[16, 64], first.FP16]],
    ) -> first.Tensor[[16, 64], first.FP16]:
        tile = first.load(x, [0, 0], [16, 64])
        out = first.store(tile, [0, 0], out)
        return out


@pl.jit
def second(x: pl.Tensor[[16, 64], pl.DT_FP16], out: pl.Tensor[[16, 64], pl.DT_FP16]):
    tt = pl.TileType(shape=[16, 64], dtype=pl.DT_FP16)
    tile = pl.make_tile_group(type=tt, addrs=0x0, mutex_ids=[0]).current()
    with pl.section_vector():
        # The other dialect's order.
        pl.load(x, tile, [0, 0])
        pl.store(out, tile, [0, 0])
