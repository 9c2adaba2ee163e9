// RUN: placid-opt %s --pl-convert-tensor-to-tile-ops --split-input-file | FileCheck %s
// RUN: placid-opt %s --pl-convert-tensor-to-tile-ops --split-input-file --verify-roundtrip -o /dev/null

!x = !pl.tensor<[32, 64] x f16>
!w = !pl.tensor<[96, 64] x f16, nz>
!o = !pl.tensor<[32, 96] x f32>

// Slices under a matmul go to Mat, transposed operands are views, an assemble is a store.
// CHECK-LABEL: func.func @slices
// CHECK: %[[A:.+]] = pl.tile.load %arg0 [0, 0] sizes [16, 64] {{.*}}{pl.result = "a"} : {{.*}} -> <16x64xf16, mat>
// CHECK: %[[B:.+]] = pl.tile.load %arg1 [%arg3, 0] sizes [48, 64]{{.*}} -> <48x64xf16, mat>
// CHECK: %[[T:.+]] = pl.tile.transpose_view %[[B]] : <48x64xf16, mat> -> <64x48xf16, mat, transposed>
// CHECK: %[[M:.+]] = pl.tile.matmul %[[A]], %[[T]] : {{.*}} -> <16x48xf32, acc>
// CHECK: %[[S:.+]] = pl.tile.store %[[M]] into %arg2 [0, %arg3]
// CHECK-NOT: pl.tensor.{{[a-z]}}
// CHECK: return %[[S]]
func.func @slices(%x: !x, %w: !w, %o: !o, %n: index) -> !o attributes {pl.kind = "incore"} {
  %a = pl.tensor.slice %x [0, 0] sizes [16, 64] {pl.result = "a"} : !x -> !pl.tensor<[16, 64] x f16>
  %b = pl.tensor.slice %w [%n, 0] sizes [48, 64] : !w -> !pl.tensor<[48, 64] x f16, nz>
  %m = pl.tensor.matmul %a, %b {b_trans} : !pl.tensor<[16, 64] x f16>, !pl.tensor<[48, 64] x f16, nz> -> !pl.tensor<[16, 48] x f32>
  %d = pl.tensor.assemble %m into %o [0, %n] : !pl.tensor<[16, 48] x f32>, !o -> !o
  return %d : !o
}

// -----

// Whole GM operands are loaded whole. INT8 accumulates in INT32; a half-precision result is an FP32 accumulator.
// CHECK-LABEL: func.func @whole
// CHECK: pl.tile.load %arg0 [0, 0] sizes [32, 64] {{.*}} -> <32x64xi8, mat>
// CHECK: pl.tile.load %arg1 [0, 0] sizes [64, 16] {{.*}} -> <64x16xi8, mat>
// CHECK: pl.tile.matmul {{.*}} -> <32x16xi32, acc>
// CHECK: pl.tile.matmul {{.*}} -> <64x64xf32, acc>
func.func @whole(%x: !pl.tensor<[32, 64] x i8>, %y: !pl.tensor<[64, 16] x i8>, %o: !pl.tensor<[32, 16] x i32>, %h: !pl.tensor<[64, 64] x f16>, %p: !pl.tensor<[64, 64] x f16>) attributes {pl.kind = "incore"} {
  %m = pl.tensor.matmul %x, %y : !pl.tensor<[32, 64] x i8>, !pl.tensor<[64, 16] x i8> -> !pl.tensor<[32, 16] x i32>
  %d = pl.tensor.assemble %m into %o [0, 0] : !pl.tensor<[32, 16] x i32>, !pl.tensor<[32, 16] x i32> -> !pl.tensor<[32, 16] x i32>
  %n = pl.tensor.matmul %h, %h : !pl.tensor<[64, 64] x f16>, !pl.tensor<[64, 64] x f16> -> !pl.tensor<[64, 64] x f16>
  %e = pl.tensor.assemble %n into %p [0, 0] : !pl.tensor<[64, 64] x f16>, !pl.tensor<[64, 64] x f16> -> !pl.tensor<[64, 64] x f16>
  return
}

// -----

// The live rows of an operand are the live rows of the product.
// CHECK-LABEL: func.func @valid
// CHECK: pl.tile.load %arg0 [0, 0] sizes [64, 64] valid [%arg2, 64] {{.*}} -> <64x64xf16, mat, valid = [?, 64]>
// CHECK: pl.tile.transpose_view {{.*}} -> <64x64xf16, mat, valid = [64, ?], transposed>
// CHECK: pl.tile.matmul {{.*}} -> <64x64xf32, acc, valid = [64, ?]>
func.func @valid(%x: !pl.tensor<[256, 64] x f16>, %o: !pl.tensor<[64, 64] x f32>, %live: index) attributes {pl.kind = "incore"} {
  %a = pl.tensor.slice %x [0, 0] sizes [64, 64] valid [%live, 64] : !pl.tensor<[256, 64] x f16> -> !pl.tensor<[64, 64] x f16>
  %b = pl.tensor.slice %x [64, 0] sizes [64, 64] : !pl.tensor<[256, 64] x f16> -> !pl.tensor<[64, 64] x f16>
  %m = pl.tensor.matmul %b, %a {b_trans} : !pl.tensor<[64, 64] x f16>, !pl.tensor<[64, 64] x f16> -> !pl.tensor<[64, 64] x f32>
  %d = pl.tensor.assemble %m into %o [0, 0] : !pl.tensor<[64, 64] x f32>, !pl.tensor<[64, 64] x f32> -> !pl.tensor<[64, 64] x f32>
  return
}

// -----

// What no matmul reads goes to Vec, also under a reshape; an operation of the table becomes its tile form.
// CHECK-LABEL: func.func @vector
// CHECK: %[[A:.+]] = pl.tile.load %arg0 [0, 0, 0] sizes [1, 32, 64] {{.*}} -> <1x32x64xf16, vec>
// CHECK: %[[B:.+]] = pl.tile.reshape %[[A]] : <1x32x64xf16, vec> -> <32x64xf16, vec>
// CHECK: %[[E:.+]] = pl.op "tile.exp"(tile %[[B]]) : (!pl.tile<32x64xf16, vec>) -> !pl.tile<32x64xf16, vec>
// CHECK: pl.op "tile.muls"(lhs %[[E]], rhs %{{.+}}) : (!pl.tile<32x64xf16, vec>, f16) -> !pl.tile<32x64xf16, vec>
// CHECK: pl.op "tensor.exp"(input %arg0) : (!pl.tensor<[2, 32, 64] x f16>)
func.func @vector(%x: !pl.tensor<[2, 32, 64] x f16>) attributes {pl.kind = "incore"} {
  %a = pl.tensor.slice %x [0, 0, 0] sizes [1, 32, 64] : !pl.tensor<[2, 32, 64] x f16> -> !pl.tensor<[1, 32, 64] x f16>
  %b = pl.tensor.reshape %a : !pl.tensor<[1, 32, 64] x f16> -> !pl.tensor<[32, 64] x f16>
  %c = arith.constant 2.0 : f16
  %e = pl.op "tensor.exp"(input %b) : (!pl.tensor<[32, 64] x f16>) -> !pl.tensor<[32, 64] x f16>
  %f = pl.op "tensor.muls"(lhs %e, rhs %c) : (!pl.tensor<[32, 64] x f16>, f16) -> !pl.tensor<[32, 64] x f16>
  pl.op "tensor.exp"(input %x) : (!pl.tensor<[2, 32, 64] x f16>) -> ()
  return
}

// -----

// What is made from nothing is a tile where a tile is read, so that a loop carries one kind.
// CHECK-LABEL: func.func @filled
// CHECK: %[[F:.+]] = pl.op "tile.full"(value %{{.+}}) {dtype = "f32", shape = array<i64: 32, 64>} : (f32) -> !pl.tile<32x64xf32, vec>
// CHECK: scf.for {{.*}} iter_args(%[[C:.+]] = %[[F]]) -> (!pl.tile<32x64xf32, vec>)
// CHECK: pl.op "tile.add"(lhs %[[C]], rhs %{{.+}})
func.func @filled(%x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[32, 64] x f32>) attributes {pl.kind = "incore"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %f = pl.op "tensor.full"(value %zero) {dtype = "f32", shape = array<i64: 32, 64>} : (f32) -> !pl.tensor<[32, 64] x f32>
  %s = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %f) -> (!pl.tensor<[32, 64] x f32>) {
    %w = pl.tensor.slice %x [0, 0] sizes [32, 64] : !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    %n = pl.op "tensor.add"(lhs %a, rhs %w) : (!pl.tensor<[32, 64] x f32>, !pl.tensor<[32, 64] x f32>) -> !pl.tensor<[32, 64] x f32>
    scf.yield %n : !pl.tensor<[32, 64] x f32>
  }
  %d = pl.tensor.assemble %s into %o [0, 0] : !pl.tensor<[32, 64] x f32>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
  return
}

// -----

// A slice of a slice is one window: offsets add, zeros vanish, dropped axes keep their index.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: pl.tensor.slice
// CHECK: pl.tile.load %arg0 [%arg2, %arg3, 16] sizes [1, 32, 16] : <[4, 96, 64] x f16, nz> -> <1x32x16xf16, mat>
// CHECK: pl.tile.reshape {{.*}} -> <32x16xf16, mat>
// CHECK: %[[S:.+]] = arith.addi %arg3, %arg3 : index
// CHECK: pl.tile.load %arg0 [0, %[[S]], 0] sizes [1, 32, 16] : <[4, 96, 64] x f16, nz> -> <1x32x16xf16, mat>
// CHECK: return
func.func @nested(%w: !pl.tensor<[4, 96, 64] x f16, nz>, %o: !pl.tensor<[32, 32] x f32>, %e: index, %n: index) attributes {pl.kind = "incore"} {
  %a = pl.tensor.slice %w [%e, 0, 0] sizes [1, 96, 64] drop [0] : !pl.tensor<[4, 96, 64] x f16, nz> -> !pl.tensor<[96, 64] x f16, nz>
  %b = pl.tensor.slice %a [%n, 16] sizes [32, 16] : !pl.tensor<[96, 64] x f16, nz> -> !pl.tensor<[32, 16] x f16, nz>
  %c = pl.tensor.slice %w [0, %n, 0] sizes [1, 48, 64] : !pl.tensor<[4, 96, 64] x f16, nz> -> !pl.tensor<[1, 48, 64] x f16, nz>
  %d = pl.tensor.slice %c [0, %n, 0] sizes [1, 32, 16] : !pl.tensor<[1, 48, 64] x f16, nz> -> !pl.tensor<[1, 32, 16] x f16, nz>
  %f = pl.tensor.reshape %d : !pl.tensor<[1, 32, 16] x f16, nz> -> !pl.tensor<[32, 16] x f16, nz>
  %m = pl.tensor.matmul %b, %f {b_trans} : !pl.tensor<[32, 16] x f16, nz>, !pl.tensor<[32, 16] x f16, nz> -> !pl.tensor<[32, 32] x f32>
  %s = pl.tensor.assemble %m into %o [0, 0] : !pl.tensor<[32, 32] x f32>, !pl.tensor<[32, 32] x f32> -> !pl.tensor<[32, 32] x f32>
  return
}

// -----

// An accumulator that a loop carries is a tile before, in and after the loop; a GM tensor stays one.
// CHECK-LABEL: func.func @carried
// CHECK: %[[C:.+]] = pl.tile.create : <32x96xf32, acc>
// CHECK: %[[L:.+]]:2 = scf.for {{.*}} iter_args(%[[A:.+]] = %[[C]], %[[G:.+]] = %arg2) -> (!pl.tile<32x96xf32, acc>, !pl.tensor<[32, 96] x f32>)
// CHECK: %[[N:.+]] = pl.tile.matmul_acc %[[A]],
// CHECK: scf.yield %[[N]], %[[G]]
// CHECK: pl.tile.store %[[L]]#0 into %[[L]]#1
func.func @carried(%x: !pl.tensor<[32, 64] x f16>, %w: !pl.tensor<[64, 96] x f16>, %o: !pl.tensor<[32, 96] x f32>) attributes {pl.kind = "incore"} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = pl.tensor.create : !pl.tensor<[32, 96] x f32>
  %r:2 = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %z, %g = %o) -> (!pl.tensor<[32, 96] x f32>, !pl.tensor<[32, 96] x f32>) {
    %a = pl.tensor.slice %x [0, %k] sizes [32, 16] : !pl.tensor<[32, 64] x f16> -> !pl.tensor<[32, 16] x f16>
    %b = pl.tensor.slice %w [%k, 0] sizes [16, 96] : !pl.tensor<[64, 96] x f16> -> !pl.tensor<[16, 96] x f16>
    %n = pl.tensor.matmul_acc %acc, %a, %b : !pl.tensor<[32, 96] x f32>, !pl.tensor<[32, 16] x f16>, !pl.tensor<[16, 96] x f16> -> !pl.tensor<[32, 96] x f32>
    scf.yield %n, %g : !pl.tensor<[32, 96] x f32>, !pl.tensor<[32, 96] x f32>
  }
  %d = pl.tensor.assemble %r#0 into %r#1 [0, 0] : !pl.tensor<[32, 96] x f32>, !pl.tensor<[32, 96] x f32> -> !pl.tensor<[32, 96] x f32>
  return
}

// -----

// A returned tile is stored to a new argument; the caller makes the buffer.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[R:[a-z0-9]+]]: !pl.tensor<[32, 32] x f32> {pl.dir = "out", pl.name = "ret0__out"})
// CHECK: %[[S:.+]] = pl.tile.store %{{.+}} into %[[R]] [0, 0]
// CHECK: return %[[S]]
// CHECK-LABEL: func.func @main
// CHECK: %[[B:.+]] = pl.tensor.create : <[32, 32] x f32>
// CHECK: call @product(%arg0, %[[B]])
func.func @product(%x: !pl.tensor<[32, 32] x f16>) -> !pl.tensor<[32, 32] x f32> attributes {pl.kind = "incore"} {
  %m = pl.tensor.matmul %x, %x : !pl.tensor<[32, 32] x f16>, !pl.tensor<[32, 32] x f16> -> !pl.tensor<[32, 32] x f32>
  return %m : !pl.tensor<[32, 32] x f32>
}
func.func @main(%x: !pl.tensor<[32, 32] x f16>) -> !pl.tensor<[32, 32] x f32> attributes {pl.kind = "orchestration"} {
  %r = call @product(%x) : (!pl.tensor<[32, 32] x f16>) -> !pl.tensor<[32, 32] x f32>
  return %r : !pl.tensor<[32, 32] x f32>
}

// -----

// Slices that are read or handed on stay tensors; so does everything outside in-core functions.
func.func private @kern(!pl.tensor<[48, 64] x f16, nz>)
// CHECK-LABEL: func.func @kept
// CHECK: %[[V:.+]] = pl.tensor.slice %arg0
// CHECK: call @kern(%[[V]])
// CHECK: pl.tensor.reshape %arg0
func.func @kept(%w: !pl.tensor<[4, 48, 64] x f16, nz>) attributes {pl.kind = "incore"} {
  %v = pl.tensor.slice %w [1, 0, 0] sizes [1, 48, 64] drop [0] : !pl.tensor<[4, 48, 64] x f16, nz> -> !pl.tensor<[48, 64] x f16, nz>
  call @kern(%v) : (!pl.tensor<[48, 64] x f16, nz>) -> ()
  %f = pl.tensor.reshape %w : !pl.tensor<[4, 48, 64] x f16, nz> -> !pl.tensor<[12288] x f16>
  %t = pl.tile.load %f [0] sizes [512] : !pl.tensor<[12288] x f16> -> !pl.tile<512xf16, vec>
  return
}
// CHECK-LABEL: func.func @outside
// CHECK: pl.tensor.matmul
func.func @outside(%x: !pl.tensor<[32, 32] x f16>) attributes {pl.kind = "orchestration"} {
  %m = pl.tensor.matmul %x, %x : !pl.tensor<[32, 32] x f16>, !pl.tensor<[32, 32] x f16> -> !pl.tensor<[32, 32] x f32>
  return
}

// -----

// A branch that gives a tile on both sides gives a tile.
// CHECK-LABEL: func.func @branch
// CHECK: %[[T:.+]] = scf.if {{.*}} -> (!pl.tile<32x32xf16, mat>)
// CHECK: pl.tile.matmul %[[T]], %[[T]]
func.func @branch(%x: !pl.tensor<[64, 32] x f16>, %o: !pl.tensor<[32, 32] x f32>, %c: i1) attributes {pl.kind = "incore"} {
  %t = scf.if %c -> !pl.tensor<[32, 32] x f16> {
    %a = pl.tensor.slice %x [0, 0] sizes [32, 32] : !pl.tensor<[64, 32] x f16> -> !pl.tensor<[32, 32] x f16>
    scf.yield %a : !pl.tensor<[32, 32] x f16>
  } else {
    %b = pl.tensor.slice %x [32, 0] sizes [32, 32] : !pl.tensor<[64, 32] x f16> -> !pl.tensor<[32, 32] x f16>
    scf.yield %b : !pl.tensor<[32, 32] x f16>
  }
  %m = pl.tensor.matmul %t, %t : !pl.tensor<[32, 32] x f16>, !pl.tensor<[32, 32] x f16> -> !pl.tensor<[32, 32] x f32>
  %s = pl.tensor.assemble %m into %o [0, 0] : !pl.tensor<[32, 32] x f32>, !pl.tensor<[32, 32] x f32> -> !pl.tensor<[32, 32] x f32>
  return
}

// -----

// A write whose index drops an axis behind others covers the extents that the subscript gives.
// CHECK-LABEL: func.func @index_between
// CHECK: pl.tile.store %{{.+}} into %{{.+}} [0, %{{.+}}, 0] sizes [4, 1, 32] :
// CHECK: pl.tile.store %{{.+}} into %{{.+}} [%{{.+}}, 0, 0] :
func.func @index_between(%x: !pl.tensor<[4, 32] x f32>, %o: !pl.tensor<[4, 8, 32] x f32>, %n: index) attributes {pl.kind = "incore"} {
  %a = pl.tensor.slice %x [0, 0] sizes [4, 32] : !pl.tensor<[4, 32] x f32> -> !pl.tensor<[4, 32] x f32>
  %d = pl.tensor.assemble %a into %o [0, %n, 0] {pl.covered = array<i64: 4, 1, 32>} : !pl.tensor<[4, 32] x f32>, !pl.tensor<[4, 8, 32] x f32> -> !pl.tensor<[4, 8, 32] x f32>
  %e = pl.tensor.assemble %a into %d [%n, 0, 0] {pl.covered = array<i64: 1, 4, 32>} : !pl.tensor<[4, 32] x f32>, !pl.tensor<[4, 8, 32] x f32> -> !pl.tensor<[4, 8, 32] x f32>
  return
}
