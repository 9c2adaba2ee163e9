# expect: ok
# Everybody waits for everybody, then takes from a neighbour: as a tile, and as a tensor by way of tiles.
import pypto.language as pl
import pypto.language.distributed as pld

RANKS = 2


@pl.program
class Fetch:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        window: pld.DistributedTensor[[16, 64], pl.FP32],
        signal: pld.DistributedTensor[[RANKS, 1], pl.INT32],
        y: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
        z: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> tuple[pl.Tensor[[16, 64], pl.FP32], pl.Tensor[[16, 64], pl.FP32]]:
        context = pld.get_comm_ctx(window)
        peer = (pld.rank(context) + 1) % pld.nranks(context)
        own = pl.load(x, [0, 0], [16, 64])
        window = pl.store(own, [0, 0], window)
        signal = pld.tensor.barrier(signal)
        theirs = pld.tile.remote_load(window, peer=peer, offsets=[4, 0], shape=[12, 64])
        y = pl.store(theirs, [0, 0], y)
        pld.tensor.get(z, peer=peer, src=window)
        return y, z
