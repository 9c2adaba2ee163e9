# expect: ok
# Each device writes rows into windows of its peers, says so, and reads what came when it hears of it.
import pypto.language as pl
import pypto.language.distributed as pld

RANKS = 2


@pl.program
class Push:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        z: pl.Tensor[[4, 64], pl.FP32],
        window: pld.DistributedTensor[[32, 64], pl.FP32],
        arrived: pld.DistributedTensor[[RANKS, 1], pl.INT32],
        y: pl.Out[pl.Tensor[[32, 64], pl.FP32]],
    ) -> pl.Tensor[[32, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [16, 64])
        double = pl.add(t, t)
        for peer in pl.range(RANKS):
            pld.tile.remote_store(t, target=window, peer=peer, offsets=[0, 0])
            pld.tile.remote_store(double, target=window, peer=peer, offsets=[16, 0])
            pld.tensor.put(dst=window, peer=peer, src=z, dst_offsets=[4, 0], src_offsets=[1, 0], shape=[2, 64])
            pld.system.notify(target=arrived, peer=peer, offsets=[1, 0], value=7, op=pld.NotifyOp.Set)
        pld.system.wait(signal=arrived, offsets=[1, 0], expected=7, cmp=pld.WaitCmp.Ge)
        for i in pl.range(0, 32, 8):
            y = pl.store(pl.load(window, [i, 0], [8, 64]), [i, 0], y)
        return y
