# case: init_values_without_names
# expect: reject wrong-arguments line=22
# alt-kind: yield-mismatch
# arch: any
# entry: InitValuesWithoutNames.kern
# mentions: init_values
# rule: init_values without names that receive them
import pypto.language as pl


@pl.program
class InitValuesWithoutNames:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        x: pl.Tensor[[64, 128], pl.FP16],
        y: pl.Tensor[[128, 64], pl.FP16],
        f: pl.Tensor[[64, 64], pl.FP32],
        res: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        a = pl.load(f, [0, 0], [64, 64])
        for i in pl.range(4, init_values=(a,)):
            b = pl.add(a, a)
        res = pl.store(a, [0, 0], res)
        return res
