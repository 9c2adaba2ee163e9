# case: unknown_memory_space
# expect: reject unknown-op line=20
# alt-kind: type-mismatch, undefined-name, bad-annotation
# arch: any
# entry: UnknownMemorySpace.kern
# rule: a memory space that does not exist
import pypto.language as pl


@pl.program
class UnknownMemorySpace:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64], target_memory=pl.Mem.L1)
        res = pl.store(a, [0, 0], res)
        return res
