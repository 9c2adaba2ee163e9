# case: c12_loop_body_once
# expect: reject rows-align line=24
# related-line=18
# arch: any
# entry: InLoops.kern
# mentions: 16; 24
# at: 24
# row: C12
import pypto.language as pl


@pl.program
class InLoops:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[4, 96, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 24], pl.FP32]],
    ) -> pl.Tensor[[16, 24], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        for e in pl.range(4):
            for r in pl.range(0, 64, 16):
                p = pl.load(w, [e, r, 0], [1, 24, 64], target_memory=pl.Mem.Mat)
                b = pl.reshape(p, [24, 64])
                res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, 0], res)
        return res
