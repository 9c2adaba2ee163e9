# case: g25_dynamic_valid_rows
# expect: reject store-shape line=25
# related-line=19
# arch: a2a3
# entry: StoreDynamicValidRows.kern
# mentions: static
# row: G25
import pypto.language as pl


@pl.program
class StoreDynamicValidRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[48, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16],
        rows: pl.Scalar[pl.INDEX],
        y_nz: pl.Out[pl.Tensor[[48, 32], pl.FP32, pl.NZ]],
    ) -> pl.Tensor[[48, 32], pl.FP32, pl.NZ]:
        live = pl.min(rows, 48)
        x_l1 = pl.load(x, [0, 0], [48, 64], valid_shape=[live, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y_nz = pl.store(acc, [0, 0], y_nz)
        return y_nz
