# case: pipeline_past_the_end
# expect: reject loop-bounds line=21
# at: k
# arch: any
# entry: pipeline_past_the_end
# mentions: `k = 128`; 128..160; x
# rule: a pipelined loop over one window too many of K
import pypto.language as pl


@pl.jit
def pipeline_past_the_end(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        acc = pl.create_tensor([64, 64], dtype=pl.FP32)
        for k in pl.pipeline(0, 160, 32, stage=2):
            acc = pl.matmul_acc(acc, x[:, k : k + 32], y[0:32, :])
        out[:, :] = acc
    return out
