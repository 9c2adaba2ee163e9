# case: undefined_names_in_unused_places
# expect: reject undefined-name line=16
# arch: any
# entry: Unused.kern
# also: error undefined-name line=17
# also: error nz-offset-align line=18
# note: the mode of a split is a name like any other
# rule: a name is checked wherever it stands, and an unsupported loop hides nothing
import pypto.language as pl


@pl.program
class Unused:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(self, w: pl.Tensor[[192, 64], pl.FP16, pl.NZ]):
        t = pl.load(w, [0, 0], [48, 64], target_memory=pl.Mem.Mat, clamp=undef)
        for i in pl.split_aiv(2, mode=missing):
            y = pl.load(w, [8, 0], [48, 64], target_memory=pl.Mem.Mat)
