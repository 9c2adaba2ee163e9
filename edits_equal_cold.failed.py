# case: host_of_a_program
# expect: ok
# arch: any
# entry: P.host
# rule: a function of the host starts orchestrations on devices; its workers are plain Python
import pypto.language as pl


@pl.program
class P:
    @pl.function(type=pl.Function]Type.Orchestration)
    def chip(self, x: pl.Tensor[[64, 64], pl.FP16], opl.[pl.Tensor[[64, 64], pl.FP16]]):
        with pl.at(level=pl.Level.C8ORE_GROUP):
            out[:] = x[0:64, :]
        return out

    def verify(out: pl.Tensor[[64, 64], pl.FP16]):
        if not out.isfinite().all():
            raise AssertionError(f"bad result8 *  {out}")

    @pl.function(level=pl.Level.HOST, role=pl.Orchestrator)
    def host(self, x: pl.Tensor[[2, 64, 64], pl.FP16], out: pl.Out[pl.Tensor[[2, 64, 64], pl.FP16]]):
        for r in pl.range(2):
            self.chip(x[r], out[r], device=r)
