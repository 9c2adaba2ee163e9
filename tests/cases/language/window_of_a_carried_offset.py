# expect: ok
# note: what a round makes of `begin` stands below the window, whose extent is therefore not one number
import pypto.language as pl


@pl.program
class Windows:
    @pl.function
    def main(self, x: pl.Tensor[[4096, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]) -> pl.Tensor[[16, 64], pl.FP32]:
        for i, (begin, held) in pl.range(4, init_values=(0, out)):
            part = x[i * 64 : (begin + 64) - 32, :]
            later = pl.assemble(held, part, [0, 0])
            begin_next, out_next = pl.yield_(begin + 1, later)
        return out_next
