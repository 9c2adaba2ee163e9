# case: barrier_signals
# expect: ok
# arch: any
# entry: Step.wait
# rule: a barrier writes its signal, so the name that takes its result still is the parameter
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Step:
    @pl.function(type=pl.FunctionType.InCore)
    def wait(self, signal: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]]) -> pld.DistributedTensor[[2, 1], pl.INT32]:
        signal = pld.tensor.barrier(signal)
        return signal
