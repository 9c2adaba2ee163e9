# case: one_place_and_no_dump
# expect: reject undefined-name line=19
# at: shft
# arch: any
# entry: Nested.main
# mentions: did you mean `shift`
# absent: %
# rule: a fault deep in nested blocks is one line and one range, never a print of the program
import pypto.language as pl


@pl.program
class Nested:
    @pl.function(type=pl.FunctionType.InCore)
    def main(self, x: pl.Tensor[[64, 64], pl.FP32], shift: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]) -> pl.Tensor[[64, 64], pl.FP32]:
        for i in pl.range(2):
            for j in pl.range(2):
                if i == j:
                    tile = pl.load(x, [i * 32, shft], [32, 32])
                    out = pl.store(tile, [i * 32, j * 32], out)
        return out
