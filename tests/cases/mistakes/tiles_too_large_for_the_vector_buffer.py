# case: tiles_too_large_for_the_vector_buffer
# expect: reject capacity line=23
# arch: a2a3
# entry: TilesTooLargeForTheVectorBuffer.kern
# mentions: Vec
# rule: more tiles alive than the unified buffer holds
import pypto.language as pl


@pl.program
class TilesTooLargeForTheVectorBuffer:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        big: pl.Tensor[[512, 128], pl.FP32],
        big_res: pl.Out[pl.Tensor[[256, 128], pl.FP32]],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(big, [0, 0], [256, 128])
        b = pl.load(big, [256, 0], [256, 128])
        c = pl.add(a, b)
        big_res = pl.store(c, [0, 0], big_res)
        return res
