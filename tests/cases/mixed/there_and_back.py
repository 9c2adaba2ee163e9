# expect: ok
# A product, arithmetic on the vector core, and a product of that.
import pypto.language as pl

M = 64
K = 64
N = 64


@pl.program
class Mixed:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        bias: pl.Tensor[[M, N], pl.FP32],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        at = pl.load(a, [0, 0], [M, K], target_memory=pl.Mem.Mat)
        bt = pl.load(b, [0, 0], [K, N], target_memory=pl.Mem.Mat)
        s = pl.matmul(at, bt)
        tmp = pl.create_tile([M, N], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        p = pl.row_expand_sub(s, pl.row_max(s, tmp))
        o = pl.matmul(pl.cast(p, target_type=pl.FP16), bt)
        out = pl.store(pl.add(o, pl.load(bias, [0, 0], [M, N])), [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        a: pl.Tensor[[M, K], pl.FP16],
        b: pl.Tensor[[K, N], pl.FP16],
        bias: pl.Tensor[[M, N], pl.FP32],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        out = self.kern(a, b, bias, out)
        return out
