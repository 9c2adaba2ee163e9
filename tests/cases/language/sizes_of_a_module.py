# expect: reject bounds line=17
# arch: a3
# entry: K.kern
# at: 65
# mentions: 64
# note: the extent is a constant of another module, which has the same name as one here
import pypto.language as pl
import sizes

N = 128


@pl.program
class K:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, x: pl.Tensor[[sizes.N, 64], pl.FP32], y: pl.Out[pl.Tensor[[sizes.N, 64], pl.FP32]]):
        t = pl.load(x, [0, 0], [65, 64])
        y = pl.store(t, [0, 0], y)
        return y
# --- file: sizes.py
N = 64
