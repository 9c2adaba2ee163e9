# case: second_call_reaches_a_callee
# expect: reject bounds line=15
# at: 64
# arch: any
# entry: half
# kernel: half
# mentions: 128; extent 96; the call in line 28
# rule: the shapes of a later call are those of the kernels that it reaches
import pypto.language as pl
import torch


@pl.jit.incore
def half(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    part = pl.load(x, [64, 0], [64, 64])
    y = pl.store(part, [0, 0], y)
    return y


@pl.jit
def upper_half(x: pl.Tensor, y: pl.Out[pl.Tensor]):
    y = half(x, y)
    return y


if __name__ == "__main__":
    upper_half(torch.randn(128, 64), torch.empty(64, 64))
    upper_half(torch.randn(96, 64), torch.empty(64, 64))
