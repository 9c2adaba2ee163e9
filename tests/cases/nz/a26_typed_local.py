# case: a26_typed_local
# expect: ok
# arch: a2a3
# entry: one_layer
# blocked: w=[4, 16, 16, 16, 32]
# blocked: w_l=[1, 16, 16, 16, 32]
# offsets: L19 w=[2, 0, 0, 0, 0]
# sizes: L19 w=[1, 16, 16, 16, 32]
# row: A26
import pypto.language as pl


@pl.jit(auto_scope=False)
def one_layer(
    act: pl.Tensor[[16, 512], pl.INT8],
    w: pl.Tensor[[4, 256, 512], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[16, 256], pl.INT32]],
):
    w_l: pl.Tensor[[1, 256, 512], pl.INT8, pl.NZ] = pl.slice(w, [1, 256, 512], [2, 0, 0])
    with pl.scope():
        for _ in pl.spmd(1, name_hint="ol"):
            acc = pl.matmul(act[0:16, 0:512], w_l[0:1, 0:256, 0:512], b_trans=True, out_dtype=pl.INT32)
            dst[0:16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
