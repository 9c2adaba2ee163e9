# case: system_refused
# expect: reject bad-dependency line=15
# at: n
# arch: any
# entry: system_refused
# mentions: id of a task
# rule: what synchronises gives nothing back; its words are fixed
import pypto.language as pl


@pl.jit.incore
def system_refused(
    n: pl.Scalar[pl.INDEX],
):
    c = pl.system.task_dummy(deps=[n])
