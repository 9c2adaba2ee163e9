# case: reshape_in_vec
# expect: ok
# arch: any
# entry: Gate.kern
# rule: in Vec a tile takes any shape
import pypto.language as pl


@pl.program
class Gate:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        v: pl.Tensor[[64, 64], pl.FP32],
        flat: pl.Out[pl.Tensor[[32, 128], pl.FP32]],
    ):
        part = pl.reshape(pl.load(v, [0, 0], [64, 64]), [32, 128])
        flat = pl.store(pl.add(part, part), [0, 0], flat)
        return flat
