# case: misspelled_name_in_a_comprehension
# expect: reject undefined-name line=20
# at: task
# arch: any
# entry: scale
# mentions: task
# rule: the names of a comprehension in `deps=` are looked up, those that it binds aside
import pypto.language as pl


@pl.jit
def scale(x: pl.Tensor[[256, 128], pl.FP32], y: pl.Out[pl.Tensor[[256, 128], pl.FP32]]):
    done = pl.array.create(4, pl.TASK_ID)
    with pl.manual_scope():
        for i in pl.unroll(4):
            with pl.at(level=pl.Level.CORE_GROUP, name_hint="first") as first:
                y[i * 64 : (i + 1) * 64, :] = pl.mul(x[i * 64 : (i + 1) * 64, :], 2.0)
            done[i] = first
        all_of_them = pl.system.task_dummy(deps=[done[k] for k in range(4) if k != 2])
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="second", deps=[done[task] for k in range(4)]):
            y[0:64, :] = pl.add(y[0:64, :], 1.0)
        with pl.at(level=pl.Level.CORE_GROUP, name_hint="third", deps=[all_of_them]):
            y[64:128, :] = pl.add(y[64:128, :], 1.0)
    return y
