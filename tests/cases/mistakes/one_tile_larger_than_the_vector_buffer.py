# case: one_tile_larger_than_the_vector_buffer
# expect: reject capacity line=22
# arch: any
# entry: OneTileLargerThanTheVectorBuffer.kern
# mentions: 262144; Vec
# rule: a single tile above the unified buffer
import pypto.language as pl


@pl.program
class OneTileLargerThanTheVectorBuffer:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        big: pl.Tensor[[512, 128], pl.FP32],
        big_res: pl.Out[pl.Tensor[[512, 128], pl.FP32]],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(big, [0, 0], [512, 128])
        big_res = pl.store(a, [0, 0], big_res)
        return res
