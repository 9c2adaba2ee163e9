# case: parallel_loop_past_the_end
# expect: reject loop-bounds line=19
# arch: any
# entry: parallel_loop_past_the_end
# mentions: `i = 64`; 64..80
# rule: a parallel loop over too many windows
import pypto.language as pl


@pl.jit
def parallel_loop_past_the_end(
    x: pl.Tensor[[64, 128], pl.FP16],
    y: pl.Tensor[[128, 64], pl.FP16],
    f: pl.Tensor[[64, 64], pl.FP32],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    for i in pl.parallel(0, 80, 16):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[i : i + 16, :] = pl.add(f[0:16, :], f[16:32, :])
    return out
