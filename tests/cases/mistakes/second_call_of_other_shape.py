# case: second_call_of_other_shape
# expect: reject bounds line=16
# at: 64
# arch: any
# entry: upper_half
# mentions: 128; extent 96; the call in line 24
# related-line=24
# rule: every shape that the file calls a kernel with is checked, not only that of the first call
import pypto.language as pl
import torch


@pl.jit
def upper_half(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    with pl.at(level=pl.Level.CORE_GROUP, name_hint="half"):
        y[0:64, :] = pl.add(x[64:128, :], 1.0)
    return y


if __name__ == "__main__":
    upper_half(torch.randn(128, 64), torch.empty(64, 64))
    upper_half(torch.randn(256, 64), torch.empty(64, 64))
    upper_half(torch.randn(128, 64), torch.empty(64, 64))
    upper_half(torch.randn(96, 64), torch.empty(64, 64))
