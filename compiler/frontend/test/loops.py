# RUN: placid ir --no-daemon --after FrontEnd %s | FileCheck %s
# Which names a loop carries, and that what is computed in a body keeps its own definition there.
import pypto.language as pl


@pl.program
class Loops:
    # A store's result is handed on; an offset is not, although its name exists before the loop.
    # CHECK-LABEL: func.func @carried
    @pl.function(type=pl.FunctionType.InCore)
    def carried(
        self,
        w: pl.Tensor[[272, 64], pl.FP16, pl.NZ],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP16]],
    ):
        # CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
        # CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
        # CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
        r0 = 5
        # CHECK: %[[LOOP:.*]] = scf.for %[[IV:.*]] = %[[C0]] to %[[C256]] step %[[C64]] iter_args(%[[OUT:.*]] = %arg1)
        for r in pl.range(0, 256, 64):
            # CHECK: %[[R0:.*]] = arith.addi %[[IV]], %{{.*}} : index
            # CHECK: %[[T:.*]] = pl.tile.load %arg0 [%[[R0]], 0] sizes [64, 64]
            r0 = r + 16
            t = pl.load(w, [r0, 0], [64, 64], target_memory=pl.Mem.Mat)
            # CHECK: %[[S:.*]] = pl.tile.store %[[T]] into %[[OUT]] [0, 0]
            # CHECK: scf.yield %[[S]]
            out = pl.store(t, [0, 0], out)
        # CHECK: return %[[LOOP]]
        return out

    # An iteration reads what the one before it left: an iteration argument.
    # CHECK-LABEL: func.func @accumulated
    @pl.function(type=pl.FunctionType.InCore)
    def accumulated(self, w: pl.Tensor[[256, 64], pl.FP16]):
        row = 0
        # CHECK: scf.for {{.*}} iter_args(%[[ROW:.*]] = %{{.*}}) -> (index)
        for _ in pl.range(4):
            # CHECK: pl.tile.load %arg0 [%[[ROW]], 0]
            _t = pl.load(w, [row, 0], [64, 64], target_memory=pl.Mem.Mat)
            row = row + 64

    # A loop that counts down runs over its iteration number.
    # CHECK-LABEL: func.func @down
    @pl.function(type=pl.FunctionType.InCore)
    def down(self, x: pl.Tensor[[256, 64], pl.FP16]):
        # CHECK: %[[START:.*]] = arith.constant 192 : index
        # CHECK: arith.ceildivsi
        # CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
        # CHECK: %[[WALK:.*]] = arith.muli %[[I]], %{{.*}}
        # CHECK: %[[R:.*]] = arith.addi %[[START]], %[[WALK]]
        # CHECK: pl.tile.load %arg0 [%[[R]], 0]
        for r in pl.range(192, -64, -64):
            _t = pl.load(x, [r, 0], [64, 64], target_memory=pl.Mem.Mat)

    # pl.unroll leaves constants behind and no loop.
    # CHECK-LABEL: func.func @unrolled
    # CHECK-NOT: scf.for
    # CHECK: pl.tile.load %arg0 [0, 0]
    # CHECK: pl.tile.load %arg0 [64, 0]
    # CHECK: return
    @pl.function(type=pl.FunctionType.InCore)
    def unrolled(self, x: pl.Tensor[[128, 64], pl.FP16]):
        for r in pl.unroll(0, 128, 64):
            _t = pl.load(x, [r, 0], [64, 64], target_memory=pl.Mem.Mat)

    # init_values and pl.yield_: the yielded names are the loop's results.
    # CHECK-LABEL: func.func @yielded
    @pl.function(type=pl.FunctionType.InCore)
    def yielded(self, x: pl.Tensor[[512, 64], pl.FP16]):
        # CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (index)
        for i, (s,) in pl.range(0, 4, init_values=(0,)):
            # CHECK: %[[NEXT:.*]] = arith.addi %[[S]]
            # CHECK: scf.yield %[[NEXT]]
            total = pl.yield_(s + i)
        # CHECK: pl.tile.load %arg0 [%[[SUM]], 0]
        _t = pl.load(x, [total, 0], [64, 64], target_memory=pl.Mem.Mat)
