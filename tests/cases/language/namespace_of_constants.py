# expect: reject bounds line=20
# rule: a namespace holds what it is given, and no arguments are the defaults
# arch: a3
import pypto.language as pl
from argparse import ArgumentParser
from types import SimpleNamespace

config = SimpleNamespace(tile=64)
parser = ArgumentParser()
parser.add_argument("--tiles", type=int, default=2)
T = config.tile * parser.parse_args([]).tiles


@pl.jit
def kern(
    x: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        t = pl.load(x, [0, 0], [T, T])
        out = pl.store(pl.add(t, t), [0, 0], out)
    return out
