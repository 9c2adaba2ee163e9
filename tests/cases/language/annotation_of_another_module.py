# case: annotation_of_another_module
# expect: reject nz-rows-align line=16
# at: shapes.Weight
# annotation: shapes.Weight
# arch: any
# entry: kern
# rule: a fault of a type that another module names is told where the type is used
import pypto.language as pl

import shapes


@pl.jit.incore
def kern(
    x: pl.Tensor[[16, 64], pl.FP16],
    w: shapes.Weight,
    out: pl.Out[pl.Tensor[[16, 64], pl.FP16]],
):
    pl.store(pl.load(x, [0, 0], [16, 64]), [0, 0], out)


# --- file: shapes.py
import pypto.language as pl

Weight = pl.Tensor[[24, 64], pl.FP16, pl.NZ]
