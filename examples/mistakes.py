"""Kernels with mistakes, to see what placid says. Each marked line carries one diagnostic; `placid explain CODE` tells more."""

import pypto.language as pl


@pl.program
class Offsets:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[192, 64], pl.FP16, pl.NZ],
        first: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        r0 = lane * 24
        r1 = first * 16
        act_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        a = pl.load(w, [r0, 0], [32, 64], target_memory=pl.Mem.Mat)  # error PL3105
        b = pl.load(w, [r1, 0], [32, 64], target_memory=pl.Mem.Mat)  # error PL3106
        c = pl.load(w, [0, 0], [32, 64])  # error PL3108
        acc = pl.matmul(act_l1, pl.tile.transpose_view(a))
        acc = pl.matmul_acc(acc, act_l1, pl.tile.transpose_view(b))
        out = pl.store(acc, [0, 0], out)
        return out


@pl.program
class Declarations:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        rows: pl.Tensor[[200, 64], pl.FP16, pl.NZ],  # error PL3101
        tall: pl.Tensor[[65552, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        act_l1 = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(tall, [0, 0], [16, 64], target_memory=pl.Mem.Mat)  # error PL3124
        acc = pl.matmul(act_l1, pl.tile.transpose_view(w_l1))
        out = pl.store(acc, [0, 0], out)
        return out


@pl.jit
def names(
    act: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[32, 48], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
):
    for _ in pl.spmd(1, name_hint="names"):
        acc = pl.matmul(act[0:16, 0:64], w[0:32, 0:48], b_trans=True, out_dtype=pl.FP32)  # error PL3003
        out[0:16, 0:32] = ac  # error PL2001
    return out
