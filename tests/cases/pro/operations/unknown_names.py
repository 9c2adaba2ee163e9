# case: pro_unknown_names
# expect: reject pro-unknown-operation line=19
# arch: a5
# also: error pro-unknown-keyword line=20
# also: error pro-unknown-keyword line=21
# also: error pro-arguments line=22
# also: error pro-arguments line=23
# also: error pro-unknown-operation line=24
# also: error pro-unknown-keyword line=15
# rule: names and arguments that the language does not have, with the nearest that it has
import pypto_pro.language as pl


@pl.jit
def kern(x: pl.Tensor[[512, 128], pl.DT_FP32]): t = pl.TileType(shape=[64, 128], dtype=pl.DT_FP32, layuot=pl.ND); use(x, t)


def use(x, t):
    a = pl.make_tile_group(type=t, addrs=0, mutex_ids=[0]).current(); pl.expp(a, a)
    pl.load(a, x, [0, 0], oder=[0, 1])
    pl.store(x, a, [0, 0], pre_quant_scalar=1)
    pl.add(a, a)
    pl.exp(a, a, a)
    pl.system.bar_all2()
