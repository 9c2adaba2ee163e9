# case: d40_long_chain
# expect: reject offset-align line=85
# related-line=19
# arch: any
# entry: UpLongChain.kern
# mentions: shape[-2]; 16
# at: y60
# note: the walk is linear in the chain, or this never ends
# row: D40
import pypto.language as pl


@pl.program
class UpLongChain:
    @pl.function(type=pl.FunctionType.InCore)
    def kern(
        self,
        hid: pl.Tensor[[16, 64], pl.FP16],
        w_exp: pl.Tensor[[4096, 64], pl.FP16, pl.NZ],
        y: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        lane = pl.tile.get_block_idx()
        y0 = lane * 2
        y1 = y0 + y0
        y2 = y1 + y1
        y3 = y2 + y2
        y4 = y3 + y3
        y5 = y4 + y4
        y6 = y5 + y5
        y7 = y6 + y6
        y8 = y7 + y7
        y9 = y8 + y8
        y10 = y9 + y9
        y11 = y10 + y10
        y12 = y11 + y11
        y13 = y12 + y12
        y14 = y13 + y13
        y15 = y14 + y14
        y16 = y15 + y15
        y17 = y16 + y16
        y18 = y17 + y17
        y19 = y18 + y18
        y20 = y19 + y19
        y21 = y20 + y20
        y22 = y21 + y21
        y23 = y22 + y22
        y24 = y23 + y23
        y25 = y24 + y24
        y26 = y25 + y25
        y27 = y26 + y26
        y28 = y27 + y27
        y29 = y28 + y28
        y30 = y29 + y29
        y31 = y30 + y30
        y32 = y31 + y31
        y33 = y32 + y32
        y34 = y33 + y33
        y35 = y34 + y34
        y36 = y35 + y35
        y37 = y36 + y36
        y38 = y37 + y37
        y39 = y38 + y38
        y40 = y39 + y39
        y41 = y40 + y40
        y42 = y41 + y41
        y43 = y42 + y42
        y44 = y43 + y43
        y45 = y44 + y44
        y46 = y45 + y45
        y47 = y46 + y46
        y48 = y47 + y47
        y49 = y48 + y48
        y50 = y49 + y49
        y51 = y50 + y50
        y52 = y51 + y51
        y53 = y52 + y52
        y54 = y53 + y53
        y55 = y54 + y54
        y56 = y55 + y55
        y57 = y56 + y56
        y58 = y57 + y57
        y59 = y58 + y58
        y60 = y59 + y59
        x_l1 = pl.load(hid, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        w_l1 = pl.load(w_exp, [y60, 0], [32, 64], target_memory=pl.Mem.Mat)
        acc = pl.matmul(x_l1, pl.tile.transpose_view(w_l1))
        y = pl.store(acc, [0, 0], y)
        return y
