# case: plain_python_call
# expect: reject unknown-op line=22
# arch: any
# entry: PlainPythonCall.kern
# alt-kind: not-allowed-in-kernel, undefined-name
# rule: a Python builtin in a kernel
import pypto.language as pl


@pl.program
class PlainPythonCall:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        n = len([1, 2])
        res = pl.store(acc, [0, 0], res)
        return res
