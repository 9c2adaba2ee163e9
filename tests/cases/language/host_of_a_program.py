# case: host_of_a_program
# expect: ok
# arch: any
# entry: P.host
# rule: a function of the host starts orchestrations on devices; its workers are plain Python
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.Tensor[[64, 64], pl.FP16], out: pl.Out[pl.Tensor[[64, 64], pl.FP16]]):
        with pl.at(level=pl.Level.CORE_GROUP):
            out[:] = x[0:64, :]
        return out

    @pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)
    def verify(out: pl.Tensor[[64, 64], pl.FP16]):
        if not out.isfinite().all():
            raise AssertionError(f"bad result {out}")

    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)
    def host(self, x: pl.Tensor[[2, 64, 64], pl.FP16], out: pl.Out[pl.Tensor[[2, 64, 64], pl.FP16]]):
        for r in pl.range(2):
            self.chip(x[r], out[r], device=r)
