# case: b31_layout_variable_rows
# expect: reject rows-align line=22
# def-line=13
# arch: any
# entry: UpLayoutVariableRows.kern
# mentions: 16; 44
# at: LAY
# annotation: LAY
# note: the element that holds the name is the annotation, the binding is related
# row: B31
import pypto.language as pl

LAY = pl.NZ


@pl.program
class UpLayoutVariableRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        bank: pl.Tensor[[44, 64], pl.FP16, LAY],
        res: pl.Out[pl.Tensor[[16, 44], pl.FP32]],
    ) -> pl.Tensor[[16, 44], pl.FP32]:
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(bank, [0, 0], [44, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        res = pl.store(acc, [0, 0], res)
        return res
