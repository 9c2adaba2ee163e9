# case: alias_that_doubles
# expect: ok
# arch: any
# entry: AliasThatDoubles.kern
# warns: not-supported-yet line=60
# kernels: 1
# rule: a type of very many parts is given up
import pypto.language as pl

T0 = pl.Tensor[[16, 64], pl.FP16]
T1 = pl.Tuple[T0, T0]
T2 = pl.Tuple[T1, T1]
T3 = pl.Tuple[T2, T2]
T4 = pl.Tuple[T3, T3]
T5 = pl.Tuple[T4, T4]
T6 = pl.Tuple[T5, T5]
T7 = pl.Tuple[T6, T6]
T8 = pl.Tuple[T7, T7]
T9 = pl.Tuple[T8, T8]
T10 = pl.Tuple[T9, T9]
T11 = pl.Tuple[T10, T10]
T12 = pl.Tuple[T11, T11]
T13 = pl.Tuple[T12, T12]
T14 = pl.Tuple[T13, T13]
T15 = pl.Tuple[T14, T14]
T16 = pl.Tuple[T15, T15]
T17 = pl.Tuple[T16, T16]
T18 = pl.Tuple[T17, T17]
T19 = pl.Tuple[T18, T18]
T20 = pl.Tuple[T19, T19]
T21 = pl.Tuple[T20, T20]
T22 = pl.Tuple[T21, T21]
T23 = pl.Tuple[T22, T22]
T24 = pl.Tuple[T23, T23]
T25 = pl.Tuple[T24, T24]
T26 = pl.Tuple[T25, T25]
T27 = pl.Tuple[T26, T26]
T28 = pl.Tuple[T27, T27]
T29 = pl.Tuple[T28, T28]
T30 = pl.Tuple[T29, T29]
T31 = pl.Tuple[T30, T30]
T32 = pl.Tuple[T31, T31]
T33 = pl.Tuple[T32, T32]
T34 = pl.Tuple[T33, T33]
T35 = pl.Tuple[T34, T34]
T36 = pl.Tuple[T35, T35]
T37 = pl.Tuple[T36, T36]
T38 = pl.Tuple[T37, T37]
T39 = pl.Tuple[T38, T38]
T40 = pl.Tuple[T39, T39]


@pl.program
class AliasThatDoubles:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        act: pl.Tensor[[16, 64], pl.FP16],
        res: pl.Out[pl.Tensor[[16, 64], pl.FP16]],
    ) -> T40:
        a = pl.load(act, [0, 0], [16, 64])
        res = pl.store(a, [0, 0], res)
        return res
