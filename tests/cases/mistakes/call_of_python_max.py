# case: call_of_python_max
# expect: reject not-allowed-in-kernel line=21
# arch: any
# entry: CallOfPythonMax.kern
# mentions: pl.max
# rule: Python's max
import pypto.language as pl


@pl.program
class CallOfPythonMax:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        n = pl.tile.get_block_idx()
        k = max(n, 0)
        a = pl.load(f, [0, 0], [64, 64])
        res = pl.store(a, [0, 0], res)
        return res
