# case: unaligned_columns_of_a_vector_tile
# expect: reject tile-align line=20
# arch: any
# entry: UnalignedColumnsOfAVectorTile.kern
# mentions: 40
# rule: 10 floats are no whole 32-byte blocks
import pypto.language as pl


@pl.program
class UnalignedColumnsOfAVectorTile:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 10])
        b = pl.load(f, [0, 0], [64, 64])
        res = pl.store(b, [0, 0], res)
        return res
