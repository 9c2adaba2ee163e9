# case: extents_of_local_names
# expect: ok
# arch: any
# entry: kern
# rule: the annotation of a local may name scalars of the kernel
import pypto.language as pl


@pl.jit
def kern(x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
    rows: pl.Scalar[pl.INT64] = pl.tensor.dim(x, 0)
    mid: pl.Tensor[[rows, 64], pl.FP16] = pl.create_tensor([rows, 64], dtype=pl.FP16)
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:] = x[0:64, :]
    return out
