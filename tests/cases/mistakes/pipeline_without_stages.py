# case: pipeline_without_stages
# expect: reject wrong-arguments line=21
# arch: any
# entry: PipelineWithoutStages.kern
# mentions: stage
# rule: a pipelined loop without stage
import pypto.language as pl


@pl.program
class PipelineWithoutStages:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i in pl.pipeline(4):
            a = pl.add(a, a)
        res = pl.store(a, [0, 0], res)
        return res
