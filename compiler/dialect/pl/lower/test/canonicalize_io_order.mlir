// RUN: placid-opt %s --pl-canonicalize-io-order --split-input-file | FileCheck %s

// Two stages of a K loop: scalars first, then all loads, then the moves to L0, then the products in their order. The loop is a
// plain one from here on.
// CHECK-LABEL: func.func @loads_ahead
// CHECK: scf.for
// CHECK: arith.addi
// CHECK: pl.tile.load {{.*}} -> <16x32xf16, mat>
// CHECK: pl.tile.load {{.*}} -> <32x16xf16, mat>
// CHECK: pl.tile.load {{.*}} -> <16x32xf16, mat>
// CHECK: pl.tile.load {{.*}} -> <32x16xf16, mat>
// CHECK: %[[FIRST:.+]] = pl.tile.matmul_acc
// CHECK-NEXT: pl.tile.matmul_acc %[[FIRST]]
// CHECK-NOT: pl.stage
// CHECK: } {pl.loop = "range"}
module attributes {pl.arch = "a3"} {
  func.func @loads_ahead(%x: !pl.tensor<[16, 512] x f16>, %w: !pl.tensor<[512, 16] x f16>, %acc: !pl.tile<16x16xf32, acc>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %r = scf.for %k = %c0 to %c512 step %c64 iter_args(%a = %acc) -> (!pl.tile<16x16xf32, acc>) {
      %xl = pl.tile.load %x[0, %k] sizes [16, 32] {pl.stage = 0 : i64} : !pl.tensor<[16, 512] x f16> -> !pl.tile<16x32xf16, mat>
      %wl = pl.tile.load %w[%k, 0] sizes [32, 16] {pl.stage = 0 : i64} : !pl.tensor<[512, 16] x f16> -> !pl.tile<32x16xf16, mat>
      %xl0 = pl.tile.move %xl {pl.stage = 0 : i64} : !pl.tile<16x32xf16, mat> -> !pl.tile<16x32xf16, left>
      %wl0 = pl.tile.move %wl {pl.stage = 0 : i64} : !pl.tile<32x16xf16, mat> -> !pl.tile<32x16xf16, right>
      %b = pl.tile.matmul_acc %a, %xl0, %wl0 {pl.stage = 0 : i64} : !pl.tile<16x16xf32, acc>, !pl.tile<16x32xf16, left>, !pl.tile<32x16xf16, right> -> !pl.tile<16x16xf32, acc>
      %k1 = arith.addi %k, %c32 : index
      %xm = pl.tile.load %x[0, %k1] sizes [16, 32] {pl.stage = 1 : i64} : !pl.tensor<[16, 512] x f16> -> !pl.tile<16x32xf16, mat>
      %wm = pl.tile.load %w[%k1, 0] sizes [32, 16] {pl.stage = 1 : i64} : !pl.tensor<[512, 16] x f16> -> !pl.tile<32x16xf16, mat>
      %xm0 = pl.tile.move %xm {pl.stage = 1 : i64} : !pl.tile<16x32xf16, mat> -> !pl.tile<16x32xf16, left>
      %wm0 = pl.tile.move %wm {pl.stage = 1 : i64} : !pl.tile<32x16xf16, mat> -> !pl.tile<32x16xf16, right>
      %c = pl.tile.matmul_acc %b, %xm0, %wm0 {pl.stage = 1 : i64} : !pl.tile<16x16xf32, acc>, !pl.tile<16x32xf16, left>, !pl.tile<32x16xf16, right> -> !pl.tile<16x16xf32, acc>
      scf.yield %c : !pl.tile<16x16xf32, acc>
    } {pl.loop = "pipeline", pl.stages = 1 : i64}
    return
  }
}

// -----

// A load of what the stage before has stored waits for the store, though no value says so; an accumulator is drained before
// the next product overwrites it.
// CHECK-LABEL: func.func @memory_order
// CHECK: scf.for
// CHECK: pl.tile.load %arg1
// CHECK: %[[P0:.+]] = pl.tile.matmul_acc %arg0
// CHECK: pl.tile.store %[[P0]] into %arg2
// CHECK: pl.tile.load %arg2
// CHECK: pl.tile.matmul_acc %[[P0]]
module attributes {pl.arch = "a3"} {
  func.func @memory_order(%acc: !pl.tile<16x16xf32, acc>, %x: !pl.tensor<[16, 16] x f32>, %y: !pl.tensor<[16, 16] x f32>, %b: !pl.tile<16x16xf32, right>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %a = pl.tile.load %x[0, 0] sizes [16, 16] {pl.stage = 0 : i64} : !pl.tensor<[16, 16] x f32> -> !pl.tile<16x16xf32, mat>
      %l = pl.tile.move %a {pl.stage = 0 : i64} : !pl.tile<16x16xf32, mat> -> !pl.tile<16x16xf32, left>
      %p = pl.tile.matmul_acc %acc, %l, %b {pl.stage = 0 : i64} : !pl.tile<16x16xf32, acc>, !pl.tile<16x16xf32, left>, !pl.tile<16x16xf32, right> -> !pl.tile<16x16xf32, acc>
      %0 = pl.tile.store %p into %y[0, 0] {pl.stage = 0 : i64} : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
      %m = pl.tile.load %y[0, 0] sizes [16, 16] {pl.stage = 1 : i64} : !pl.tensor<[16, 16] x f32> -> !pl.tile<16x16xf32, mat>
      %n = pl.tile.move %m {pl.stage = 1 : i64} : !pl.tile<16x16xf32, mat> -> !pl.tile<16x16xf32, left>
      %q = pl.tile.matmul_acc %p, %n, %b {pl.stage = 1 : i64} : !pl.tile<16x16xf32, acc>, !pl.tile<16x16xf32, left>, !pl.tile<16x16xf32, right> -> !pl.tile<16x16xf32, acc>
    } {pl.loop = "pipeline", pl.stages = 1 : i64}
    return
  }
}

// -----

// Both stages' tiles do not fit Mat at once (300 KiB each), so the second load waits until the first tile is used up.
// CHECK-LABEL: func.func @no_room
// CHECK: pl.tile.load
// CHECK: pl.tile.store
// CHECK: pl.tile.load
// CHECK: pl.tile.store
module attributes {pl.arch = "a3"} {
  func.func @no_room(%x: !pl.tensor<[9600, 16] x f16>, %y: !pl.tensor<[9600, 16] x f32>, %b: !pl.tile<16x16xf16, right>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %a = pl.tile.load %x[0, 0] sizes [9600, 16] {pl.stage = 0 : i64} : !pl.tensor<[9600, 16] x f16> -> !pl.tile<9600x16xf16, mat>
      %l = pl.tile.extract %a[16, 0] {pl.stage = 0 : i64} : !pl.tile<9600x16xf16, mat> -> !pl.tile<16x16xf16, left>
      %p = pl.tile.matmul %l, %b {pl.stage = 0 : i64} : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
      %0 = pl.tile.store %p into %y[0, 0] {pl.stage = 0 : i64} : !pl.tile<16x16xf32, acc>, !pl.tensor<[9600, 16] x f32> -> !pl.tensor<[9600, 16] x f32>
      %m = pl.tile.load %x[0, 0] sizes [9600, 16] {pl.stage = 1 : i64} : !pl.tensor<[9600, 16] x f16> -> !pl.tile<9600x16xf16, mat>
      %n = pl.tile.extract %m[16, 0] {pl.stage = 1 : i64} : !pl.tile<9600x16xf16, mat> -> !pl.tile<16x16xf16, left>
      %q = pl.tile.matmul %n, %b {pl.stage = 1 : i64} : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
      %1 = pl.tile.store %q into %y[0, 0] {pl.stage = 1 : i64} : !pl.tile<16x16xf32, acc>, !pl.tensor<[9600, 16] x f32> -> !pl.tensor<[9600, 16] x f32>
    } {pl.loop = "pipeline", pl.stages = 1 : i64}
    return
  }
}

// -----

// What the other core hands over is not there before its token: the loads of both stages stay behind theirs.
// CHECK-LABEL: func.func @tokens
// CHECK: pl.pipe.pop
// CHECK-NEXT: pl.pipe.free
// CHECK: pl.tile.load %arg0 [0, 0]
// CHECK: pl.pipe.pop
// CHECK-NEXT: pl.pipe.free
// CHECK: pl.tile.load %arg0 [16, 0]
module attributes {pl.arch = "a3"} {
  func.func @tokens(%x: !pl.tensor<[64, 16] x f32>, %y: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %t0 = pl.pipe.pop {pl.token, pl.stage = 0 : i64} : <16x16xf32, vec>
      pl.pipe.free %t0 {pl.token, pl.stage = 0 : i64} : <16x16xf32, vec>
      %a = pl.tile.load %x[0, 0] sizes [16, 16] {pl.stage = 0 : i64} : !pl.tensor<[64, 16] x f32> -> !pl.tile<16x16xf32, vec>
      %0 = pl.tile.store %a into %y[0, 0] {pl.stage = 0 : i64} : !pl.tile<16x16xf32, vec>, !pl.tensor<[64, 16] x f32> -> !pl.tensor<[64, 16] x f32>
      %t1 = pl.pipe.pop {pl.token, pl.stage = 1 : i64} : <16x16xf32, vec>
      pl.pipe.free %t1 {pl.token, pl.stage = 1 : i64} : <16x16xf32, vec>
      %b = pl.tile.load %x[16, 0] sizes [16, 16] {pl.stage = 1 : i64} : !pl.tensor<[64, 16] x f32> -> !pl.tile<16x16xf32, vec>
      %1 = pl.tile.store %b into %y[16, 0] {pl.stage = 1 : i64} : !pl.tile<16x16xf32, vec>, !pl.tensor<[64, 16] x f32> -> !pl.tensor<[64, 16] x f32>
    } {pl.loop = "pipeline", pl.stages = 1 : i64}
    return
  }
}
