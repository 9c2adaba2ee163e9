# case: distributed
# expect: ok
# arch: any
# entry: distributed
# rule: a remote access names a shared tensor, a peer and one offset an axis
import pypto.language as pl
import pypto.language.distributed as pld


@pl.jit.incore
def distributed(
    f: pl.InOut[pl.Tensor[[64, 128], pl.FP32]],
    dist: pld.DistributedTensor[[64, 128], pl.FP32],
    n: pl.Scalar[pl.INDEX],
):
    a = pld.tile.remote_load(dist, 1, [0, 0], [16, 128])
    pld.remote_store(f, dist, n, [0, 0])
    c = pld.nranks(pld.get_comm_ctx(dist))
    pld.system.wait(dist, [0, 0], 1, cmp=pld.WaitCmp.Ge)
