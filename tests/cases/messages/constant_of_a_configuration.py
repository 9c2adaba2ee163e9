# case: constant_of_a_configuration
# expect: reject shape-mismatch line=31
# mentions: `CONFIG.inner = 128`; `CONFIG.width = 64`
# arch: any
# entry: constant_of_a_configuration
# related-line=18
# rule: a field is named where the class gives it, a property where it is computed
from dataclasses import dataclass

import pypto.language as pl


@dataclass(frozen=True)
class Config:
    width: int = 64

    @property
    def inner(self):
        return 2 * self.width


CONFIG = Config()


@pl.jit
def constant_of_a_configuration(
    x: pl.Tensor[[64, CONFIG.inner], pl.FP16], y: pl.Tensor[[CONFIG.width, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
):
    with pl.at(level=pl.Level.CORE_GROUP):
        a = pl.add(x[:, :], x[:, :])
        out[:, :] = pl.matmul(a, y[:, :], out_dtype=pl.FP32)
    return out
