# case: e15_may_end_inside
# expect: reject valid-shape line=25
# related-line=19
# def-line=24
# arch: any
# entry: RaggedMayEndInside.kern
# mentions: valid_shape[-2]; provable; multiple of 16
# at: valid
# row: E15
import pypto.language as pl


@pl.program
class RaggedMayEndInside:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 512], pl.INT8],
        w: pl.Tensor[[800, 512], pl.INT8, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 1024], pl.INT32]],
    ) -> pl.Tensor[[16, 1024], pl.INT32]:
        a = pl.load(act, [0, 0], [16, 512], target_memory=pl.Mem.Mat)
        for o0 in pl.range(0, 1024, 256):
            valid = pl.min(800 - o0, 250)
            b = pl.load(w, [o0, 0], [256, 512], valid_shape=[valid, 512], target_memory=pl.Mem.Mat)
            res = pl.store(pl.matmul(a, pl.tile.transpose_view(b)), [0, o0], res)
        return res
