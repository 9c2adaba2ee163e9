# case: argument_passed_twice_is_an_input
# expect: ok
# warns: input-written line=20
# arch: any
# entry: kern
# mentions: `x`; is declared an input here; writes its parameter `into`
# rule: an input handed on as an output is named at the argument, with both declarations
import pypto.language as pl


@pl.jit.incore
def grown(x: pl.Tensor[[64, 64], pl.FP32], into: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    into[:, :] = pl.add(x[0:64, :], 1.0)
    return into


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    out = grown(x, out)
    x = grown(x, x)
    return out
