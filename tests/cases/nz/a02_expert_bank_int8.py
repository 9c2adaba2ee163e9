# case: a02_expert_bank_int8
# expect: ok
# arch: a2a3
# entry: expert_bank
# blocked: w_bank=[32, 128, 128, 16, 32]
# strides: w_bank=[8388608, 65536, 512, 32, 1]
# offsets: L22 w_bank=[e, 16, 16, 0, 0]
# sizes: L22 w_bank=[1, 16, 16, 16, 32]
# note: the batch stride is 2^23 elements
# row: A02
import pypto.language as pl


@pl.jit
def expert_bank(
    tok: pl.Tensor[[16, 512], pl.INT8],
    w_bank: pl.Tensor[[32, 2048, 4096], pl.INT8, pl.NZ],
    dst: pl.Out[pl.Tensor[[512, 256], pl.INT32]],
):
    for e in pl.spmd(32, name_hint="bank"):
        t = tok[0:16, 0:512]
        w_e = w_bank[e : e + 1, 256:512, 512:1024]
        acc = pl.matmul(t, w_e, b_trans=True, out_dtype=pl.INT32)
        dst[e * 16 : e * 16 + 16, 0:256] = pl.reshape(acc, [16, 256])
    return dst
