# case: f33_remote_load
# expect: reject distributed line=19
# arch: any
# entry: ReadsPeer.kern
# mentions: distributed
# at: pl.NZ
# may-warn: not-supported-yet
# row: F33
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class ReadsPeer:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w_win: pld.DistributedTensor[[32, 64], pl.FP16, pl.NZ],
        peer: pl.Scalar[pl.INT32],
        res: pl.Out[pl.Tensor[[32, 64], pl.FP16]],
    ) -> pl.Tensor[[32, 64], pl.FP16]:
        t = pld.tile.remote_load(w_win, peer, [0, 0], [32, 64])
        res = pl.store(t, [0, 0], res)
        return res
