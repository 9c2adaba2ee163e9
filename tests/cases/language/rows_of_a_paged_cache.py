# expect: ok
# note: the result has the rows that are picked, at most `max_indices`, and `size` columns of each
import pypto.language as pl


@pl.program
class Pages:
    @pl.function(type=pl.FunctionType.Opaque)
    def main(
        self,
        cache: pl.Tensor[[256, 128], pl.FP16],
        picks: pl.Tensor[[16], pl.INT32],
        pages: pl.Tensor[[8], pl.INT32],
        unit: pl.Tensor[[16, 16], pl.FP16],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            rows = pl.paged_gather(cache, picks, pages, block_size=32, size=64, max_indices=16, col_off=64, is_b_matrix=True)
            out = pl.assemble(out, pl.matmul(unit, rows, out_dtype=pl.FP32), [0, 0])
        return out
