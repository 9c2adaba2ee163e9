# case: no_kernels
# expect: ok
# arch: any
# kernels: 0
# rule: a file without kernels is no error
import pypto.language as pl

TILE = 64


def helper(n):
    return n * TILE
