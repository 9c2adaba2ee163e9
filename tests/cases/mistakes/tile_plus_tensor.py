# case: tile_plus_tensor
# expect: reject wrong-operand line=21
# at: f
# arch: any
# entry: TilePlusTensor.kern
# rule: a tile and a tensor in one operation
import pypto.language as pl


@pl.program
class TilePlusTensor:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        b = pl.add(a, f)
        res = pl.store(a, [0, 0], res)
        return res
