// RUN: placid-opt %s --verify-roundtrip | FileCheck %s
// RUN: placid-opt %s --mlir-print-debuginfo | placid-opt --mlir-print-debuginfo | FileCheck %s
// RUN: placid-opt %s --mlir-print-debuginfo -o %t.1 && placid-opt %t.1 --mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2
// RUN: placid-opt %s --emit-bytecode | placid-opt | FileCheck %s

!x = !pl.tensor<[32, 64] x f16>
!w = !pl.tensor<[4, 48, 64] x f16, nz>
!t = !pl.tile<32x64xf16, mat>

// CHECK-LABEL: func.func @scalars
func.func @scalars(%a: index, %b: i32, %x: !x) -> index {
  // CHECK: pl.block_idx
  %0 = pl.block_idx
  // CHECK: pl.block_num
  %1 = pl.block_num
  // CHECK: pl.subblock_idx
  %2 = pl.subblock_idx
  // CHECK: pl.floormod %{{.+}}, %{{.+}} : index
  %3 = pl.floormod %0, %1 : index
  // CHECK: pl.cast %{{.+}} : index -> i32
  %4 = pl.cast %a : index -> i32
  // CHECK: pl.floormod %{{.+}}, %{{.+}} {is_unsigned} : i32
  %7 = pl.floormod %4, %4 {is_unsigned} : i32
  // CHECK: pl.cast %{{.+}} {unsigned_input} : i32 -> index
  %8 = pl.cast %7 {unsigned_input} : i32 -> index
  // CHECK: pl.dim %{{.+}}, 1 : <[32, 64] x f16>
  %5 = pl.dim %x, 1 : !x
  // CHECK: pl.read %{{.+}} [0, %{{.+}}] : !pl.tensor<[32, 64] x f16> -> f16
  %6 = pl.read %x [0, %a] : !x -> f16
  // CHECK: pl.op "tensor.write"(tensor %{{.+}}, indices %{{.+}}) {indices = array<i64: 0, -9223372036854775808>} : (!pl.tensor<[32, 64] x f16>, index) -> !pl.tensor<[32, 64] x f16>
  %written = pl.op "tensor.write"(tensor %x, indices %a) {indices = array<i64: 0, -9223372036854775808>} : (!x, index) -> !x
  // CHECK: pl.op "system.task_dummy"() : () -> !pl.handle<task>
  %task = pl.op "system.task_dummy"() : () -> !pl.handle<task>
  // CHECK: pl.op "array.create"() {dtype = "task_id", extent = 4 : i64} : () -> !pl.array<4 x task_id>
  %tasks = pl.op "array.create"() {extent = 4 : i64, dtype = "task_id"} : () -> !pl.array<4 x task_id>
  return %3 : index
}

// CHECK-LABEL: func.func @tensors
func.func @tensors(%x: !x, %w: !w, %i: index, %j: i32) -> !x {
  // CHECK: pl.tensor.create {pl.result = "c"} : <[32, 64] x f16>
  %0 = pl.tensor.create {pl.result = "c"} : !x
  // CHECK: pl.tensor.slice %{{.+}} [%{{.+}}, 0, %{{.+}} : i32] sizes [1, 48, 64] valid [1, %{{.+}}, 64] drop [0]
  %1 = pl.tensor.slice %w [%i, 0, %j : i32] sizes [1, 48, 64] valid [1, %i, 64] drop [0] : !w -> !pl.tensor<[48, 64] x f16, nz>
  // CHECK: pl.tensor.slice %{{.+}} [0, 0, 0] sizes [%{{.+}}, 48, 64]
  %2 = pl.tensor.slice %w [0, 0, 0] sizes [%i, 48, 64] : !w -> !pl.tensor<[n, 48, 64] x f16, nz>
  // CHECK: pl.tensor.reshape
  %3 = pl.tensor.reshape %w : !w -> !pl.tensor<[12288] x f16>
  // CHECK: pl.tensor.matmul %{{.+}}, %{{.+}} {a_trans, b_trans}
  %4 = pl.tensor.matmul %x, %x {a_trans, b_trans} : !x, !x -> !pl.tensor<[64, 32] x f32>
  // CHECK: pl.tensor.matmul_acc
  %5 = pl.tensor.matmul_acc %4, %x, %x {b_trans} : !pl.tensor<[64, 32] x f32>, !x, !x -> !pl.tensor<[64, 32] x f32>
  // CHECK: pl.tensor.assemble %{{.+}} into %{{.+}} [0, %{{.+}}] atomic "add"
  %6 = pl.tensor.assemble %0 into %x [0, %i] atomic "add" : !x, !x -> !x
  return %6 : !x
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%x: !x, %w: !w, %i: index, %n: i32) -> !x {
  // CHECK: pl.tile.load %{{.+}} [%{{.+}} : i32, 0] sizes [32, 64] valid [%{{.+}}, 64]
  %0 = pl.tile.load %x [%n : i32, 0] sizes [32, 64] valid [%i, 64] : !x -> !pl.tile<32x64xf16, mat, valid = [?, 64]>
  // CHECK: pl.tile.load %{{.+}} [0, 0, 0] sizes [1, 48, 64] {{.*}}{cache = "bypass"}
  %1 = pl.tile.load %w [0, 0, 0] sizes [1, 48, 64] {cache = "bypass"} : !w -> !pl.tile<1x48x64xf16, mat>
  // CHECK: pl.tile.reshape
  %2 = pl.tile.reshape %1 : !pl.tile<1x48x64xf16, mat> -> !pl.tile<48x64xf16, mat>
  // CHECK: pl.tile.transpose_view
  %3 = pl.tile.transpose_view %2 : !pl.tile<48x64xf16, mat> -> !pl.tile<64x48xf16, mat, transposed>
  // CHECK: pl.tile.move
  %4 = pl.tile.move %2 : !pl.tile<48x64xf16, mat> -> !pl.tile<48x64xf16, left>
  // CHECK: pl.tile.extract %{{.+}} [0, 16]
  %5 = pl.tile.extract %2 [0, 16] : !pl.tile<48x64xf16, mat> -> !pl.tile<48x16xf16, left>
  // CHECK: pl.tile.matmul
  %6 = pl.tile.matmul %0, %3 : !pl.tile<32x64xf16, mat, valid = [?, 64]>, !pl.tile<64x48xf16, mat, transposed> -> !pl.tile<32x48xf32, acc>
  // CHECK: pl.tile.matmul_acc
  %7 = pl.tile.matmul_acc %6, %0, %3 : !pl.tile<32x48xf32, acc>, !pl.tile<32x64xf16, mat, valid = [?, 64]>, !pl.tile<64x48xf16, mat, transposed> -> !pl.tile<32x48xf32, acc>
  // CHECK: pl.tile.create
  %8 = pl.tile.create : !pl.tile<32x48xf32, vec>
  // CHECK: pl.tile.store %{{.+}} into %{{.+}} [%{{.+}}, 0] sizes [32, 48] {atomic = "add", pre_quant, pre_relu, st_phase = "Final"}
  %9 = pl.tile.store %7 into %x [%i, 0] sizes [32, 48] {atomic = "add", pre_quant, pre_relu, st_phase = "Final"} : !pl.tile<32x48xf32, acc>, !x -> !x
  return %9 : !x
}

// CHECK-LABEL: func.func @scope
func.func @scope(%x: !x, %n: index) {
  // CHECK: pl.incore "mm" blocks(%{{.+}} : index) -> !pl.tensor<[32, 64] x f16> {
  %0 = pl.incore "mm" blocks(%n : index) -> !x {
    // CHECK: pl.yield %{{.+}} : !pl.tensor<[32, 64] x f16>
    pl.yield %x : !x
  }
  // CHECK: pl.incore {
  pl.incore {
    // CHECK: pl.yield
    pl.yield
  }
  return
}

// Argument locations live in an op's location and survive text.
// CHECK-LABEL: func.func @locations
func.func @locations(%x: !x loc("x"("k.py":3:9 to :30)), %i: index) -> !t attributes {pl.kind = "incore"} {
  %0 = pl.tile.load %x [%i, 0] sizes [32, 64] {pl.result = "t"} : !x -> !t
    loc(fused<{offsets = [loc("r0"(fused["k.py":9:22 to :24, "k.py":8:5 to :20])), loc("0"("k.py":9:26 to :27))]}>["k.py":9:9 to :60])
  return %0 : !t
}
