// RUN: placid-opt %s --pl-block-nz-tensor-views | FileCheck %s
// RUN: placid-opt %s --pl-block-nz-tensor-views --verify-roundtrip -o %t.1
// RUN: placid-opt %t.1 --pl-block-nz-tensor-views -o %t.2 && diff %t.1 %t.2

// The offset is divided whole, at its own type; the product that made it stays; the tile stays 2-D.
// CHECK-LABEL: func.func @load
// CHECK-SAME: %[[W:.+]]: !pl.tensor<[4, 16, 16, 16, 32] x i8, nz>
// CHECK-SAME: attributes {nz_tensor_views_blocked}
// CHECK: %[[B:.+]] = pl.block_idx
// CHECK: %[[N:.+]] = arith.muli %[[B]], %c64{{.*}} : index
// CHECK: arith.muli {{.*}} : i32
// CHECK-NOT: arith.muli
// CHECK: %[[C:.+]] = arith.constant 32 : i32
// CHECK: %[[K:.+]] = arith.floordivsi %{{.+}}, %[[C]] : i32
// CHECK: %[[D:.+]] = arith.constant 16 : index
// CHECK: %[[R:.+]] = arith.floordivsi %[[N]], %[[D]] : index
// CHECK: pl.tile.load %[[W]] [%[[B]], %[[K]] : i32, %[[R]], 0, 0] sizes [1, 2, 4, 16, 32] : <[4, 16, 16, 16, 32] x i8, nz> -> <64x64xi8, mat>
func.func @load(%w: !pl.tensor<[4, 256, 512] x i8, nz>) {
  %b = pl.block_idx
  %c64 = arith.constant 64 : index
  %n = arith.muli %b, %c64 : index
  %x = pl.cast %b : index -> i32
  %c64i = arith.constant 64 : i32
  %k = arith.muli %x, %c64i : i32
  %t = pl.tile.load %w [%b, %n, %k : i32] sizes [1, 64, 64] : !pl.tensor<[4, 256, 512] x i8, nz> -> !pl.tile<64x64xi8, mat>
  return
}

// Leading axes fold row-major; a dynamic batch stays the leading symbol.
// CHECK-LABEL: func.func @fold
// CHECK-SAME: !pl.tensor<[24, 1, 1, 16, 32] x i8, nz>
// CHECK-SAME: !pl.tensor<[B, 4, 2, 16, 16] x f16, nz>
// CHECK: %[[G:.+]] = pl.block_idx
// CHECK: %[[C3:.+]] = arith.constant 3 : index
// CHECK: %[[S:.+]] = arith.addi %[[C3]], %[[G]] : index
// CHECK: %[[M:.+]] = arith.muli %[[S]], %c4{{.*}} : index
// CHECK: %[[F:.+]] = arith.addi %[[M]], %{{.+}} : index
// CHECK: pl.tile.load %arg0 [%[[F]], 0, 0, 0, 0] sizes [1, 1, 1, 16, 32]
// CHECK: pl.tile.load %arg1 [%[[G]], 0, 1, 0, 0] sizes [1, 4, 1, 16, 16]
func.func @fold(%w: !pl.tensor<[2, 3, 4, 16, 32] x i8, nz>, %d: !pl.tensor<[B, 32, 64] x f16, nz>) {
  %g = pl.block_idx
  %t = pl.tile.load %w [1, %g, 3, 0, 0] sizes [1, 1, 1, 16, 32] : !pl.tensor<[2, 3, 4, 16, 32] x i8, nz> -> !pl.tile<16x32xi8, mat>
  %u = pl.tile.load %d [%g, 16, 0] sizes [1, 16, 64] : !pl.tensor<[B, 32, 64] x f16, nz> -> !pl.tile<16x64xf16, mat>
  return
}

// A ragged last tile: rows are proven, their sign is not asked for.
// CHECK-LABEL: func.func @ragged
// CHECK: %[[L:.+]] = arith.minsi
// CHECK: %[[V:.+]] = arith.floordivsi %[[L]], %{{.+}} : index
// CHECK: pl.tile.load %arg0 [0, 0, %{{.+}}, 0, 0] sizes [1, 3, 4, 16, 32] valid [1, 3, %[[V]], 16, 32]
func.func @ragged(%w: !pl.tensor<[208, 96] x i8, nz>) {
  %b = pl.block_idx
  %c64 = arith.constant 64 : index
  %c208 = arith.constant 208 : index
  %v0 = arith.muli %b, %c64 : index
  %rest = arith.subi %c208, %v0 : index
  %live = arith.minsi %rest, %c64 : index
  %t = pl.tile.load %w [%v0, 0] sizes [64, 96] valid [%live, 96] : !pl.tensor<[208, 96] x i8, nz> -> !pl.tile<64x96xi8, mat, valid = [?, 96]>
  return
}

// A store keeps its keywords and its alias; the loop that carries the tensor follows.
// CHECK-LABEL: func.func @store
// CHECK-SAME: -> !pl.tensor<[6, 12, 2, 16, 8] x f32, nz>
// CHECK: scf.for %[[J:.+]] = {{.*}} iter_args(%[[O:.+]] = %arg0) -> (!pl.tensor<[6, 12, 2, 16, 8] x f32, nz>)
// CHECK: %[[K:.+]] = arith.floordivsi %[[J]], %{{.+}} : index
// CHECK: %[[S:.+]] = pl.tile.store %{{.+}} into %[[O]] [5, %[[K]], 0, 0, 0] sizes [1, 4, 2, 16, 8] {st_phase = "Final"}
// CHECK: scf.yield %[[S]] : !pl.tensor<[6, 12, 2, 16, 8] x f32, nz>
func.func @store(%o: !pl.tensor<[2, 3, 32, 96] x f32, nz>, %t: !pl.tile<32x32xf32, acc>) -> !pl.tensor<[2, 3, 32, 96] x f32, nz> {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %r = scf.for %j = %c0 to %c96 step %c32 iter_args(%i = %o) -> !pl.tensor<[2, 3, 32, 96] x f32, nz> {
    %s = pl.tile.store %t into %i [1, 2, 0, %j] {st_phase = "Final"} : !pl.tile<32x32xf32, acc>, !pl.tensor<[2, 3, 32, 96] x f32, nz> -> !pl.tensor<[2, 3, 32, 96] x f32, nz>
    scf.yield %s : !pl.tensor<[2, 3, 32, 96] x f32, nz>
  }
  return %r : !pl.tensor<[2, 3, 32, 96] x f32, nz>
}

// Slices, the flatten, calls and declarations. An ND tensor of a blocked shape is not touched.
// CHECK: func.func private @kern(!pl.tensor<[1, 4, 3, 16, 16] x f16, nz>, !pl.tensor<[1, 4, 3, 16, 16] x f16>) attributes {nz_tensor_views_blocked}
func.func private @kern(!pl.tensor<[48, 64] x f16, nz>, !pl.tensor<[1, 4, 3, 16, 16] x f16>)
// CHECK-LABEL: func.func @views
// CHECK: %[[S:.+]] = pl.tensor.slice %arg0 [%{{.+}}, 0, 0, 0, 0] sizes [1, 4, 3, 16, 16] : <[4, 4, 3, 16, 16] x f16, nz> -> <[1, 4, 3, 16, 16] x f16, nz>
// CHECK: call @kern(%[[S]], %arg1)
// CHECK: %[[F:.+]] = pl.tensor.reshape %arg0 : <[4, 4, 3, 16, 16] x f16, nz> -> <[12288] x f16>
// CHECK: pl.tile.load %[[F]] [0] sizes [512]
func.func @views(%w: !pl.tensor<[4, 48, 64] x f16, nz>, %x: !pl.tensor<[1, 4, 3, 16, 16] x f16>) {
  %b = pl.block_idx
  %v = pl.tensor.slice %w [%b, 0, 0] sizes [1, 48, 64] drop [0] : !pl.tensor<[4, 48, 64] x f16, nz> -> !pl.tensor<[48, 64] x f16, nz>
  call @kern(%v, %x) : (!pl.tensor<[48, 64] x f16, nz>, !pl.tensor<[1, 4, 3, 16, 16] x f16>) -> ()
  %f = pl.tensor.reshape %w : !pl.tensor<[4, 48, 64] x f16, nz> -> !pl.tensor<[12288] x f16>
  %t = pl.tile.load %f [0] sizes [512] : !pl.tensor<[12288] x f16> -> !pl.tile<1x512xf16, vec>
  return
}

// Without NZ there is no stamp.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: nz_tensor_views_blocked
func.func @plain(%x: !pl.tensor<[48, 64] x f16>) {
  return
}
