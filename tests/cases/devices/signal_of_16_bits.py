# expect: reject type-mismatch line=18
# arch: a3
# at: arrived
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Push:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        window: pld.DistributedTensor[[32, 64], pl.FP32],
        arrived: pld.DistributedTensor[[2, 1], pl.INT16],
    ):
        t = pl.load(x, [0, 0], [16, 64])
        pld.system.notify(target=arrived, peer=1, offsets=[1, 0], value=7, op=pld.NotifyOp.Set)
