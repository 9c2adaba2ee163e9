# case: augmented_product_of_a_sum
# expect: reject not-allowed-in-kernel line=17
# arch: any
# entry: augmented_product_of_a_sum
# help-mentions: m = m * (n + 1)
# rule: what is written instead means the same
import pypto.language as pl


@pl.function
def augmented_product_of_a_sum(
    x: pl.Tensor[[64, 64], pl.FP32],
    n: pl.Scalar[pl.INDEX],
    out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
):
    m = n * 2
    m *= n + 1
    t = pl.load(x, [m, 0], [16, 64])
    out = pl.store(t, [0, 0], out)
    return out
