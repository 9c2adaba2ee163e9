# case: scalar_operand_refused
# expect: reject type-mismatch line=16
# at: n
# arch: any
# entry: scalar_operand_refused
# mentions: INDEX
# rule: a literal takes the dtype of the tensor; an INDEX does not mix with it
import pypto.language as pl


@pl.jit.incore
def scalar_operand_refused(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    n: pl.Scalar[pl.INDEX],
):
    a = pl.add(f, n)
