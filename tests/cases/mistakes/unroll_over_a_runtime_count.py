# case: unroll_over_a_runtime_count
# expect: reject literal-required line=21
# arch: any
# entry: UnrollOverARuntimeCount.kern
# rule: an unrolled loop over a runtime count
import pypto.language as pl


@pl.program
class UnrollOverARuntimeCount:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        n = pl.tile.get_block_num()
        a = pl.load(f, [0, 0], [64, 64])
        for i in pl.unroll(n):
            a = pl.add(a, a)
        res = pl.store(a, [0, 0], res)
        return res
