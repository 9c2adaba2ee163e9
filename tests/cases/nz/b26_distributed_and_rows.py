# case: b26_distributed_and_rows
# expect: reject distributed line=19
# arch: any
# entry: RouterDistributedAndRows.kern
# mentions: distributed
# at: pl.NZ
# note: distributed is judged before the rows
# row: B26
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class RouterDistributedAndRows:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        tok: pl.Tensor[[16, 64], pl.FP16],
        w_up: pld.DistributedTensor[[60, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 60], pl.FP32]],
    ) -> pl.Tensor[[16, 60], pl.FP32]:
        x_l1 = pl.load(tok, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_up, [0, 0], [60, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
