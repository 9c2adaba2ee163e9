# case: b25_distributed
# expect: reject distributed line=18
# arch: any
# entry: UpDistributed.kern
# mentions: distributed
# at: pl.NZ
# row: B25
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class UpDistributed:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        query: pl.Tensor[[16, 64], pl.FP16],
        wt: pld.DistributedTensor[[64, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        x_l1 = pl.load(query, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(wt, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out
