# case: extern_with_a_body
# expect: reject extern-body line=11
# arch: any
# entry: scale
# rule: an extern kernel is written elsewhere
import pypto.language as pl


@pl.jit.extern(core_type="aiv", source="scale.cpp")
def scale(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    return out
