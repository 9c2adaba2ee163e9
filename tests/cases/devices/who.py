# expect: ok
# Which device this is, and how many there are.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Who:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        window: pld.DistributedTensor[[64, 64], pl.FP32],
        y: pl.Out[pl.Tensor[[48, 64], pl.FP32]],
    ) -> pl.Tensor[[48, 64], pl.FP32]:
        ctx = pld.get_comm_ctx(window)
        me = pld.rank(ctx)
        t = pl.load(x, [0, 0], [16, 64])
        for peer in pl.range(pld.nranks(ctx)):
            pld.tile.remote_store(t, target=window, peer=peer, offsets=[me * 16, 0])
        y = pl.store(pl.load(window, [me * 16, 0], [16, 64]), [32 - me * 16, 0], y)
        return y
