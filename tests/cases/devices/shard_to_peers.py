# expect: ok
# Both lanes of a kernel for both cores push their halves of a product to a peer; each signals what it wrote.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Shard:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[32, 64], pl.FP16],
        b: pl.Tensor[[64, 64], pl.FP16],
        window: pld.DistributedTensor[[32, 64], pl.FP32],
        arrived: pld.DistributedTensor[[2, 1], pl.INT32],
        y: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    ) -> pl.Tensor[[32, 64], pl.FP32]:
        with pl.at(level=pl.Level.CORE_GROUP):
            at = pl.load(a, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
            bt = pl.load(b, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(at, bt)
            for aiv in pl.split_aiv(2, mode=pl.SplitMode.UP_DOWN):
                half = pl.aiv_shard(acc)
                pld.tile.remote_store(half, target=window, peer=1, offsets=[aiv * 16, 0])
                pld.system.notify(target=arrived, peer=1, offsets=[aiv, 0], value=3, op=pld.NotifyOp.Set)
                y = pl.store(half, [aiv * 16, 0], y)
        return y
