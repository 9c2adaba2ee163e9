# case: tensor_half_as_wide_as_its_writers
# expect: reject loop-bounds line=22
# arch: any
# entry: tensor_half_as_wide_as_its_writers
# mentions: `j = 3`; 96..128; q_proj; 64
# rule: a tensor half as wide as the loop that writes it
import pypto.language as pl


@pl.jit
def tensor_half_as_wide_as_its_writers(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    w: pl.Tensor[[128, 128], pl.FP16],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    q_proj = pl.create_tensor([64, 64], dtype=pl.FP32)
    for j in pl.spmd(4, name_hint="q_proj_tiles"):
        n0 = j * 32
        part = pl.matmul(x, w[:, n0 : n0 + 32], out_dtype=pl.FP32)
        q_proj[:, n0 : n0 + 32] = part
    with pl.at(level=pl.Level.CORE_GROUP):
        out[:, :] = pl.add(f, q_proj)
    return out
