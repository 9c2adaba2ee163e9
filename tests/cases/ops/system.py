# case: system
# expect: ok
# arch: any
# entry: system
# rule: what synchronises gives nothing back; its words are fixed
import pypto.language as pl


@pl.jit.incore
def system():
    pl.system.syncall(core_type='aiv')
    a = pl.system.reserve_buffer(name='slots', size=4096)
    c = pl.system.task_dummy(deps=[])
