# case: distributed_refused
# expect: reject rank line=15
# at: [0]
# arch: any
# entry: distributed_refused
# rule: a remote access names a shared tensor, a peer and one offset an axis
import pypto.language as pl
import pypto.language.distributed as pld


@pl.jit.incore
def distributed_refused(
    dist: pld.DistributedTensor[[64, 128], pl.FP32],
):
    a = pld.tile.remote_load(dist, 0, [0], [16, 128])
