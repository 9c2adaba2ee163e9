# case: accumulator_stored_as_bytes
# expect: reject type-mismatch line=21
# at: c
# mentions: INT8; an accumulator leaves as
# arch: any
# entry: AccumulatorStoredAsBytes.kern
# rule: without quantization an accumulator is stored as FP32, FP16, BF16 or INT32
import pypto.language as pl


@pl.program
class AccumulatorStoredAsBytes:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 64], pl.INT8],
        y: pl.Tensor[[64, 64], pl.INT8],
        out: pl.Out[pl.Tensor[[64, 64], pl.INT8]],
    ) -> pl.Tensor[[64, 64], pl.INT8]:
        c = pl.matmul(pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat), pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat))
        out = pl.store(c, [0, 0], out)
        return out
