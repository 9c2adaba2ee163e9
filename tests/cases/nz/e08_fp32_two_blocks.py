# case: e08_fp32_two_blocks
# expect: reject gm-gap line=21
# related-line=17
# arch: any
# entry: ProjFp32TwoBlocks.kern
# mentions: 65536; 65552; 16; 65535; pto-isa#317; temporary
# row: E08
import pypto.language as pl


@pl.program
class ProjFp32TwoBlocks:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 16], pl.FP32],
        w_head: pl.Tensor[[65552, 16], pl.FP32, pl.NZ],
        dst: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        x_l1 = pl.load(act, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_head, [0, 0], [16, 16], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        dst = pl.store(acc, [0, 0], dst)
        return dst
