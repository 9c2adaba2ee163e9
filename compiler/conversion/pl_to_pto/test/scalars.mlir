// RUN: placid-emit %s --locations=false | FileCheck %s

module attributes {pl.arch = "a5"} {
  // CHECK: func.func @divide(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>, %arg2: index, %arg3: i32)
  func.func @divide(%x: !pl.tensor<[16, 64] x f32> {pl.name = "x"}, %y: !pl.tensor<[16, 64] x f32> {pl.name = "y"}, %a: index, %b: i32) attributes {pl.kind = "incore"} {
    %c4 = arith.constant 4 : index
    %cn = arith.constant -3 : i32
    // Floor division is the operation itself.
    // CHECK: %q = arith.floordivsi %arg2, %c4_index : index
    %q = arith.floordivsi %a, %c4 {pl.result = "q"} : index
    // By a positive constant the remainder is wrong exactly when it is negative.
    // CHECK: %[[R0:.+]] = arith.remsi %arg2, %c4_index : index
    // CHECK: %[[NEG:.+]] = arith.cmpi slt, %[[R0]], %c0_index : index
    // CHECK: %[[FIX:.+]] = arith.addi %[[R0]], %c4_index : index
    // CHECK: %[[M0:.+]] = arith.select %[[NEG]], %[[FIX]], %[[R0]] : index
    %m = pl.floormod %a, %c4 : index
    // Else when it is not zero and has the other sign than the divisor.
    // CHECK: %[[R1:.+]] = arith.remsi %arg3, %cn3_i32 : i32
    // CHECK: %[[N1:.+]] = arith.cmpi slt, %[[R1]], %c0_i32 : i32
    // CHECK: %[[D1:.+]] = arith.cmpi slt, %cn3_i32, %c0_i32 : i32
    // CHECK: %[[X1:.+]] = arith.xori %[[N1]], %[[D1]] : i1
    // CHECK: %[[Z1:.+]] = arith.cmpi ne, %[[R1]], %c0_i32 : i32
    // CHECK: %[[W1:.+]] = arith.andi %[[X1]], %[[Z1]] : i1
    // CHECK: %[[F1:.+]] = arith.addi %[[R1]], %cn3_i32 : i32
    // CHECK: %[[M1:.+]] = arith.select %[[W1]], %[[F1]], %[[R1]] : i32
    %k = pl.floormod %b, %cn : i32
    // CHECK: %[[K:.+]] = arith.index_cast %[[M1]] : i32 to index
    %ki = pl.cast %k : i32 -> index
    %s = arith.addi %q, %m : index
    // CHECK: pto.partition_view %x_view
    %t = pl.tile.load %x[%s, %ki] sizes [16, 64] : !pl.tensor<[16, 64] x f32> -> !pl.tile<16x64xf32, vec>
    // A negative constant is clamped here and now.
    // CHECK: pto.partition_view %y_view, offsets = [%c0_index, %c0_index]
    %r = pl.tile.store %t into %y[-16, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[16, 64] x f32> -> !pl.tensor<[16, 64] x f32>
    return
  }

  // An unsigned PL dtype widens with zeros and needs no correction of its remainder.
  // CHECK: func.func @unsigned(
  func.func @unsigned(%x: !pl.tensor<[16, 64] x f32> {pl.name = "x"}, %y: !pl.tensor<[16, 64] x f32> {pl.name = "y"}, %a: i8, %b: i8) attributes {pl.kind = "incore"} {
    // CHECK: %[[U0:.+]] = arith.remui %arg2, %arg3 : i8
    // CHECK: %[[U1:.+]] = arith.extui %[[U0]] : i8 to i32
    // CHECK: %[[U2:.+]] = arith.index_castui %[[U1]] : i32 to index
    %m = pl.floormod %a, %b {is_unsigned} : i8
    %w = pl.cast %m {unsigned_input} : i8 -> i32
    %i = pl.cast %w {unsigned_input} : i32 -> index
    %t = pl.tile.load %x[%i, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f32> -> !pl.tile<16x64xf32, vec>
    %r = pl.tile.store %t into %y[0, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[16, 64] x f32> -> !pl.tensor<[16, 64] x f32>
    return
  }
}
