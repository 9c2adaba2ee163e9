# case: module_constants
# expect: reject nz-offset-align line=27
# related-line=23
# def-line=14
# arch: any
# entry: Constants.kern
# mentions: 24; 16
# at: START
# rule: module constants are followed
import pypto.language as pl

FRACTAL = 16
ROWS = 6 * FRACTAL
START = ROWS // 4


@pl.program
class Constants:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[FRACTAL, 64], pl.FP16],
        w: pl.Tensor[[ROWS, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[FRACTAL, 32], pl.FP32]],
    ) -> pl.Tensor[[FRACTAL, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [FRACTAL, 64], target_memory=pl.Mem.Mat)
        b = pl.load(w, [START, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(a, pl.tile.transpose_view(b))
        res = pl.store(acc, [0, 0], res)
        return res
