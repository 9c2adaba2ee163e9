# case: gather
# expect: ok
# arch: any
# entry: gather
# rule: an index selects along the last axis, a mask every second column
import pypto.language as pl


@pl.jit.incore
def gather(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    g: pl.Tensor[[64, 128], pl.FP32],
    i: pl.InOut[pl.Tensor[[64, 128], pl.INT32]],
):
    tf = pl.load(f, [0, 0], [64, 128])
    ti = pl.load(i, [0, 0], [64, 128])
    a = pl.gather(f, dim=-1, index=i)
    c = pl.gather(f, mask_pattern=pl.tile.MaskPattern.P0101)
    d = pl.tile.gather(tf, ti, ti)
    e = pl.tensor.scatter(f, -1, i, g)
