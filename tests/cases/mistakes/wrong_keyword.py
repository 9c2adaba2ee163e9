# case: wrong_keyword
# expect: reject wrong-arguments line=21
# at: target_mem
# arch: any
# entry: WrongKeyword.kern
# mentions: target_memory
# rule: a keyword that the operation does not have
import pypto.language as pl


@pl.program
class WrongKeyword:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64], target_mem=pl.Mem.Vec)
        res = pl.store(a, [0, 0], res)
        return res
