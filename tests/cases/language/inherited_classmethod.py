# expect: ok
# arch: a3
import pypto.language as pl
class Base:
    T = 32

    @classmethod
    def two(cls):
        return cls.T * 2


class D(Base):
    pass


T = D.two()

@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [T, T])
        out = pl.store(pl.add(t, t), [0, 0], out)
    return out
