# case: pipeline_without_stage
# expect: reject wrong-arguments line=21
# arch: any
# entry: PipelineWithoutStage.kern
# mentions: stage
# alt-kind: literal-required
# rule: pl.pipeline needs its stage
import pypto.language as pl


@pl.program
class PipelineWithoutStage:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        w: pl.Tensor[[32, 64], pl.FP16, pl.NZ],
        res: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a = pl.load(act, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        for i in pl.pipeline(0, 2):
            b = pl.load(w, [0, 0], [32, 64], target_memory=pl.Mem.Mat)
            acc = pl.matmul(a, pl.tile.transpose_view(b))
            res = pl.store(acc, [0, 0], res)
        return res
