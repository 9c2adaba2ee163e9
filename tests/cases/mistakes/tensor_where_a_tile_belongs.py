# case: tensor_where_a_tile_belongs
# expect: reject type-mismatch line=21
# at: f
# arch: any
# entry: TensorWhereATileBelongs.kern
# mentions: tensor
# rule: a store of a tensor
import pypto.language as pl


@pl.program
class TensorWhereATileBelongs:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        res = pl.store(f, [0, 0], res)
        return res
