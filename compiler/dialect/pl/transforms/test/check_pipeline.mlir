// RUN: placid-opt %s --placid-check | FileCheck %s
// RUN: placid-opt %s --placid-check --mlir-print-debuginfo -o %t.1 && placid-opt %t.1 --mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// The four passes of a check on a grouped matmul written at tensor level.

// CHECK-LABEL: func.func @grouped
// CHECK-SAME: !pl.tensor<[8, 8, 8, 16, 32] x i8, nz>
// CHECK: call @gemm(%{{.+}}) {pl.blocks = 2 : i64} : (!pl.tensor<[16, 256] x i8>, !pl.tensor<[8, 8, 8, 16, 32] x i8, nz>, !pl.tensor<[16, 128] x i32>)
// CHECK-LABEL: func.func @gemm
// CHECK: %[[B:.+]] = pl.block_idx
// CHECK: %[[N:.+]] = arith.muli %[[B]]
// CHECK: scf.for %[[K:[a-z0-9]+]] = {{.*}} -> (!pl.tile<16x64xi32, acc>)
// CHECK: pl.tile.load %arg0 [0, %[[K]]] sizes [16, 128] {{.*}} -> <16x128xi8, mat>
// CHECK: %[[KB:.+]] = arith.floordivsi %[[K]]
// CHECK: %[[NB:.+]] = arith.floordivsi %[[N]]
// CHECK: pl.tile.load %arg1 [3, %[[KB]], %[[NB]], 0, 0] sizes [1, 4, 4, 16, 32] {{.*}} -> <64x128xi8, mat>
// CHECK: pl.tile.matmul_acc
// CHECK: pl.tile.store
func.func @grouped(%x: !pl.tensor<[16, 256] x i8> {pl.name = "x"}, %w: !pl.tensor<[8, 128, 256] x i8, nz> {pl.name = "w", pl.annotation = loc("k.py":6:40 to :45)}, %o: !pl.tensor<[16, 128] x i32> {pl.name = "o"}) -> !pl.tensor<[16, 128] x i32> attributes {pl.kind = "orchestration", pl.entry = "grouped"} {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %r = pl.incore "gemm" blocks(%c2 : index) -> !pl.tensor<[16, 128] x i32> {
    %b = pl.block_idx
    %n0 = arith.muli %b, %c64 : index loc("n0"("k.py":12:9 to :20))
    %z = pl.tensor.create : !pl.tensor<[16, 64] x i32>
    %acc = scf.for %k0 = %c0 to %c256 step %c128 iter_args(%a = %z) -> !pl.tensor<[16, 64] x i32> {
      %xt = pl.tensor.slice %x [0, %k0] sizes [16, 128] : !pl.tensor<[16, 256] x i8> -> !pl.tensor<[16, 128] x i8>
      %wt = pl.tensor.slice %w [3, %n0, %k0] sizes [1, 64, 128] drop [0] {pl.result = "wt"} : !pl.tensor<[8, 128, 256] x i8, nz> -> !pl.tensor<[64, 128] x i8, nz>
      %m = pl.tensor.matmul_acc %a, %xt, %wt {b_trans} : !pl.tensor<[16, 64] x i32>, !pl.tensor<[16, 128] x i8>, !pl.tensor<[64, 128] x i8, nz> -> !pl.tensor<[16, 64] x i32>
      scf.yield %m : !pl.tensor<[16, 64] x i32>
    } {pl.loop = "pipeline", pl.stages = 2 : i64}
    %d = pl.tensor.assemble %acc into %o [0, %n0] : !pl.tensor<[16, 64] x i32>, !pl.tensor<[16, 128] x i32> -> !pl.tensor<[16, 128] x i32>
    pl.yield %d : !pl.tensor<[16, 128] x i32>
  }
  return %r : !pl.tensor<[16, 128] x i32>
}
