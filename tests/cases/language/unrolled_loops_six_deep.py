# expect: ok
# note: a million million rounds: checked by their first ones, in no time
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]):
    with pl.at(level=pl.Level.CORE_GROUP):
        for a in pl.unroll(1000):
            for b in pl.unroll(1000):
                for c in pl.unroll(1000):
                    for d in pl.unroll(1000):
                        for e in pl.unroll(1000):
                            for f in pl.unroll(1000):
                                out = pl.store(pl.load(x, [0, 0], [16, 64]), [0, 0], out)
    return out
