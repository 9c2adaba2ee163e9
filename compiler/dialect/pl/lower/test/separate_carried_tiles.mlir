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

  // What a way leaves alone, and nobody asks for again, keeps its buffer.
  // CHECK-LABEL: @left_alone
  func.func @left_alone(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>, %n: index) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    // CHECK-NOT: pl.tile.move
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (!pl.tile<16x64xf32, vec>) {
      %first = arith.cmpi eq, %i, %c0 : index
      %b = scf.if %first -> (!pl.tile<16x64xf32, vec>) {
        %e = pl.op "tile.exp"(tile %a) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
        scf.yield %e : !pl.tile<16x64xf32, vec>
      } else {
        scf.yield %a : !pl.tile<16x64xf32, vec>
      }
      scf.yield %b : !pl.tile<16x64xf32, vec>
    }
    %s = pl.tile.store %r into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    // CHECK: return
    return
  }

  // CHECK-LABEL: @left_alone_and_read_again
  func.func @left_alone_and_read_again(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>, %first: i1) attributes {pl.kind = "incore"} {
    %z = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    // CHECK: scf.if
    %b = scf.if %first -> (!pl.tile<16x64xf32, vec>) {
      %e = pl.op "tile.exp"(tile %z) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
      scf.yield %e : !pl.tile<16x64xf32, vec>
    } else {
      // CHECK: else
      // CHECK: %[[KEPT:.*]] = pl.tile.move
      // CHECK: scf.yield %[[KEPT]]
      scf.yield %z : !pl.tile<16x64xf32, vec>
    }
    %u = pl.op "tile.add"(lhs %b, rhs %z) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %s = pl.tile.store %u into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // What turns a tile may not write over it.
  // CHECK-LABEL: @written_over_its_operand
  func.func @written_over_its_operand(%x: !pl.tensor<[64, 64] x f32>, %o: !pl.tensor<[64, 64] x f32>, %first: i1) attributes {pl.kind = "incore"} {
    %z = pl.tile.load %x[0, 0] sizes [64, 64] : <[64, 64] x f32> -> <64x64xf32, vec>
    %b = scf.if %first -> (!pl.tile<64x64xf32, vec>) {
      %e = pl.op "tile.transpose"(tile %z) {axis1 = 0, axis2 = 1} : (!pl.tile<64x64xf32, vec>) -> !pl.tile<64x64xf32, vec>
      scf.yield %e : !pl.tile<64x64xf32, vec>
    } else {
      // CHECK: else
      // CHECK: pl.tile.move
      scf.yield %z : !pl.tile<64x64xf32, vec>
    }
    %s = pl.tile.store %b into %o[0, 0] : <64x64xf32, vec>, <[64, 64] x f32> -> <[64, 64] x f32>
    return
  }
}
