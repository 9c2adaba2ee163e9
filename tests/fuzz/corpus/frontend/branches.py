# RUN: placid ir --no-daemon --after FrontEnd %s | FileCheck %s
# Branches: constant conditions keep the live side, others give results for what is read afterwards.
import pypto.language as pl

SMALL = True


@pl.program
class Branches:
    # CHECK-LABEL: func.func @constant
    # CHECK-NOT: scf.if
    # CHECK: pl.tile.load %arg0 [16, 0]
    # CHECK: return
    @pl.function(type=pl.FunctionType.InCore)
    def constant(self, x: pl.Tensor[[64, 64], pl.FP16]):
        if SMALL:
            r = 16
        else:
            r = 32
        _t = pl.load(x, [r, 0], [16, 64], target_memory=pl.Mem.Mat)

    # CHECK-LABEL: func.func @merged
    # CHECK: %[[R:.*]] = scf.if %{{.*}} -> (index) {
    # CHECK: arith.constant 0 : index
    # CHECK: } else {
    # CHECK: arith.constant 32 : index
    # CHECK: pl.tile.load %arg0 [%[[R]], 0]
    @pl.function(type=pl.FunctionType.InCore)
    def merged(self, x: pl.Tensor[[64, 64], pl.FP16], flag: pl.Scalar[pl.BOOL]):
        if flag:
            r = 0
        else:
            r = 32
        _t = pl.load(x, [r, 0], [16, 64], target_memory=pl.Mem.Mat)

    # A name that nobody reads afterwards needs no result.
    # CHECK-LABEL: func.func @unread
    # CHECK: scf.if %{{.*}} {
    # CHECK: return
    @pl.function(type=pl.FunctionType.InCore)
    def unread(self, x: pl.Tensor[[64, 64], pl.FP16], n: pl.Scalar[pl.INDEX]):
        if n > 3:
            t = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        else:
            t = pl.load(x, [16, 0], [32, 64], target_memory=pl.Mem.Mat)
