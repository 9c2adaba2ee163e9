# expect: ok
# note: whole arrays of tasks stand beside other arrays and tasks
import pypto.language as pl


@pl.jit
def chain(x: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
    with pl.manual_scope():
        firsts = pl.array.create(2, pl.TASK_ID)
        seconds = pl.array.create(2, pl.TASK_ID)
        begin = pl.system.task_dummy(deps=[])
        for i in pl.range(2):
            with pl.at(level=pl.Level.CORE_GROUP, deps=[begin]) as task:
                out[i * 16 : i * 16 + 16, :] = pl.mul(x[0:16, :], 2.0)
            firsts[i] = task
            seconds[i] = task
        with pl.at(level=pl.Level.CORE_GROUP, deps=[firsts, begin, seconds]):
            out[32:48, :] = pl.mul(x[0:16, :], 3.0)
    return out
