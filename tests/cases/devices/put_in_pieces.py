# expect: ok
# More rows than one tile holds, as many as a number at run time says, and wider ones than fit beside each other.
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Put:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP32],
        wide: pl.Tensor[[3, 8192], pl.FP16],
        rows: pl.Scalar[pl.INT32],
        window: pld.DistributedTensor[[128, 128], pl.FP32],
        other: pld.DistributedTensor[[4, 8192], pl.FP16],
        wider: pld.DistributedTensor[[1, 24576], pl.FP16],
        far: pl.Tensor[[1, 24576], pl.FP16],
        y: pl.Out[pl.Tensor[[128, 128], pl.FP32]],
        z: pl.Out[pl.Tensor[[4, 8192], pl.FP16]],
        v: pl.Out[pl.Tensor[[1, 24576], pl.FP16]],
    ) -> pl.Tensor[[128, 128], pl.FP32]:
        for i in pl.range(0, 128, 8):
            t = pl.tile.full([8, 128], dtype=pl.FP32, value=0.0)
            window = pl.store(t, [i, 0], window)
        pld.tensor.put(dst=window, peer=0, src=x, dst_offsets=[rows, 0], src_offsets=[1, 0], shape=[rows, 128],
                       chunk_rows=12, chunk_cols=64)
        pld.tensor.put(dst=window, peer=1, src=x, dst_offsets=[64, 0], src_offsets=[0, 0], shape=[64, 128], chunk_rows=24)
        pld.tensor.put(dst=other, peer=1, src=wide, dst_offsets=[1, 0])
        pld.tensor.put(dst=wider, peer=0, src=far)
        for i in pl.range(0, 128, 8):
            y = pl.store(pl.load(window, [i, 0], [8, 128]), [i, 0], y)
        for j in pl.range(1, 4):
            z = pl.store(pl.load(other, [j, 0], [1, 8192]), [j, 0], z)
        v = pl.store(pl.load(wider, [0, 0], [1, 24576]), [0, 0], v)
        return y
