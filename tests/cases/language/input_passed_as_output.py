# case: input_passed_as_output
# expect: reject input-written line=19
# arch: any
# entry: P.orch
# rule: an input given to an output parameter is written
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def fill(self, x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
        tile = pl.load(x, [0, 0], [64, 64])
        out = pl.store(tile, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def orch(self, x: pl.Tensor[[64, 64], pl.FP16], y: pl.Tensor[[64, 64], pl.FP16]):
        y = self.fill(x, y)
        return y
