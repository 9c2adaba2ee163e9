// RUN: placid-opt %s --pl-separate-carried-tiles | FileCheck %s

module attributes {pl.arch = "a3"} {
  // CHECK-LABEL: @sum
  func.func @sum(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>, %n: index) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %z = pl.op "tile.full"(value %zero) {dtype = "f32", shape = array<i64: 16, 64>} : (f32) -> !pl.tile<16x64xf32, vec>
    // A sum may be written over its operand.
    // CHECK-NOT: pl.tile.move
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (!pl.tile<16x64xf32, vec>) {
      %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
      %b = pl.op "tile.add"(lhs %a, rhs %t) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
      scf.yield %b : !pl.tile<16x64xf32, vec>
    }
    %s = pl.tile.store %r into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    // CHECK: return
    return
  }

  // CHECK-LABEL: @old_value_read_late
  func.func @old_value_read_late(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>, %n: index) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    // The start is read after the loop: the loop begins with a copy.
    // CHECK: %[[COPY:.*]] = pl.tile.move
    // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (!pl.tile<16x64xf32, vec>) {
      %b = pl.op "tile.exp"(tile %a) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
      // The old value is read after the new one was made.
      // CHECK: %[[D:.*]] = pl.op "tile.sub"
      %d = pl.op "tile.sub"(lhs %a, rhs %b) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
      %s = pl.tile.store %d into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
      // CHECK: %[[NEW:.*]] = pl.tile.move
      // CHECK: scf.yield %[[NEW]]
      scf.yield %b : !pl.tile<16x64xf32, vec>
    }
    %u = pl.op "tile.add"(lhs %r, rhs %z) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %s = pl.tile.store %u into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }
}
