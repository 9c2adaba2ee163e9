# expect: reject element-bounds line=17
# arch: a3
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Push:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        window: pld.DistributedTensor[[32, 64], pl.FP32],
        arrived: pld.DistributedTensor[[2, 1], pl.INT32],
    ):
        t = pl.load(x, [0, 0], [16, 64])
        pld.system.wait(signal=arrived, offsets=[2, 0], expected=7, cmp=pld.WaitCmp.Ge)
