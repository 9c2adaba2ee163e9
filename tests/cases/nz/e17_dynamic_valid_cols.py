# case: e17_dynamic_valid_cols
# expect: reject valid-shape line=23
# related-line=18
# arch: any
# entry: HeadDynamicValidCols.kern
# mentions: shape[-1]; static
# at: vc
# row: E17
import pypto.language as pl


@pl.program
class HeadDynamicValidCols:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        w_gate: pl.Tensor[[64, 64], pl.FP16, pl.NZ],
        vc: pl.Scalar[pl.INDEX],
        dst: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_gate, [0, 0], [64, 64], valid_shape=[64, vc], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
