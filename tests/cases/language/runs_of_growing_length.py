# case: runs_of_growing_length
# expect: ok
# arch: any
# entry: Sorted.main
# rule: the length of the runs is a number of the loop's round
import pypto.language as pl


@pl.program
class Sorted:
    @pl.function(type=pl.FunctionType.Opaque)
    def main(
        self,
        src: pl.Tensor[[1, 2048], pl.FP32],
        idx: pl.Tensor[[1, 2048], pl.UINT32],
        out: pl.Out[pl.Tensor[[1, 2048], pl.FP32]],
    ) -> pl.Tensor[[1, 2048], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            pairs = pl.tensor.sort32(src, idx)
            for i, (runs,) in pl.range(3, init_values=(pairs,)):
                merged = pl.tensor.mrgsort(runs, block_len=1 << (6 + i * 2))
                result = pl.yield_(merged)
            values = pl.tensor.gather(result, mask_pattern=pl.tile.MaskPattern.P0101)
            out = pl.assemble(out, values, [0, 0])
        return out
