// RUN: placid-emit %s --locations=false | FileCheck %s

module attributes {pl.arch = "a3", pl.planner = "ptoas"} {
  // The accumulator of a loop is one alloc_tile in front of it; what a round needs alone is made in the round. Nothing has
  // an address.
  // CHECK-NOT: addr =
  // CHECK-LABEL: func.func @accumulates
  // CHECK: %[[ACC:.+]] = pto.alloc_tile : !pto.tile_buf<loc=acc
  // CHECK: scf.for
  // CHECK: pto.alloc_tile : !pto.tile_buf<loc=mat
  // CHECK: pto.alloc_tile : !pto.tile_buf<loc=left
  // CHECK: pto.tmatmul.acc ins(%[[ACC]], {{.*}}) outs(%[[ACC]] :
  // CHECK: pto.tstore ins(%[[ACC]] :
  func.func @accumulates(%x: !pl.tensor<[16, 128] x f16> {pl.name = "x"}, %w: !pl.tensor<[128, 64] x f16> {pl.name = "w"}, %o: !pl.tensor<[16, 64] x f32> {pl.name = "o"}) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %init = pl.tile.create : !pl.tile<16x64xf32, acc>
    %r = scf.for %k = %c0 to %c128 step %c32 iter_args(%acc = %init) -> (!pl.tile<16x64xf32, acc>) {
      %a = pl.tile.load %x[0, %k] sizes [16, 32] : <[16, 128] x f16> -> <16x32xf16, mat>
      %b = pl.tile.load %w[%k, 0] sizes [32, 64] : <[128, 64] x f16> -> <32x64xf16, mat>
      %c = pl.tile.matmul_acc %acc, %a, %b : !pl.tile<16x64xf32, acc>, !pl.tile<16x32xf16, mat>, !pl.tile<32x64xf16, mat> -> !pl.tile<16x64xf32, acc>
      scf.yield %c : !pl.tile<16x64xf32, acc>
    }
    %s = pl.tile.store %r into %o[0, 0] : <16x64xf32, acc>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // Another order of the same bytes is a view of the one that has them.
  // CHECK-LABEL: func.func @turned
  // CHECK: %[[W:.+]] = pto.alloc_tile : !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=32,
  // CHECK: pto.tload {{.*}} outs(%[[W]] :
  // CHECK: %[[T:.+]] = pto.treshape %[[W]] : {{.*}} -> !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=row_major, slayout=col_major,
  // CHECK: pto.tmov ins(%[[T]] :
  func.func @turned(%x: !pl.tensor<[16, 32] x f16> {pl.name = "x"}, %w: !pl.tensor<[64, 32] x f16> {pl.name = "w"}, %o: !pl.tensor<[16, 64] x f32> {pl.name = "o"}) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 32] : <[16, 32] x f16> -> <16x32xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [64, 32] : <[64, 32] x f16> -> <64x32xf16, mat>
    %t = pl.tile.transpose_view %b : !pl.tile<64x32xf16, mat> -> !pl.tile<32x64xf16, mat, transposed>
    %c = pl.tile.matmul %a, %t : !pl.tile<16x32xf16, mat>, !pl.tile<32x64xf16, mat, transposed> -> !pl.tile<16x64xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x64xf32, acc>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // A tile that a loop carries while each round finds out how much of it is live: made in front of the loop with every
  // element, shown in each round as far as it is live.
  // CHECK-LABEL: func.func @live
  // CHECK-SAME: %[[N:arg[0-9]+]]: index
  // CHECK: %[[SUM:.+]] = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64,
  // CHECK: scf.for
  // CHECK: %[[PART:.+]] = pto.alloc_tile valid_row = %{{.+}} : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=64,
  // CHECK: pto.tload {{.*}} outs(%[[PART]] :
  // CHECK: %[[SHOWN:.+]] = pto.subview %[[SUM]][%c0_index, %c0_index] sizes [16, 64] valid [%{{.+}}, %c64_index] : {{.*}} -> !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=64,
  // CHECK: pto.tadd ins(%[[SHOWN]], %[[PART]] : {{.*}}) outs(%[[SHOWN]] :
  func.func @live(%x: !pl.tensor<[64, 64] x f32> {pl.name = "x"}, %o: !pl.tensor<[16, 64] x f32> {pl.name = "o"}, %n: index) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %init = pl.op "tile.full"(value %zero) {shape = array<i64: 16, 64>} : (f32) -> !pl.tile<16x64xf32, vec>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %init) -> (!pl.tile<16x64xf32, vec>) {
      %at = arith.muli %i, %c16 : index
      %left = arith.subi %n, %at : index
      %rows = arith.minsi %left, %c16 : index
      %a = pl.tile.load %x[%at, 0] sizes [16, 64] valid [%rows, 64] : <[64, 64] x f32> -> <16x64xf32, vec, valid = [?, 64]>
      %c = pl.op "tile.add"(lhs %acc, rhs %a) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec, valid = [?, 64]>) -> !pl.tile<16x64xf32, vec>
      scf.yield %c : !pl.tile<16x64xf32, vec>
    }
    %s = pl.tile.store %r into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // Another order of a tile that is live in part: a subview has no order of its own, so its extents are said afterwards.
  // CHECK-LABEL: func.func @live_and_turned
  // CHECK: %[[W:.+]] = pto.alloc_tile valid_row = %{{.+}} : !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=32, v_row=?, v_col=32,
  // CHECK: %[[T:.+]] = pto.treshape %[[W]] : {{.*}} -> !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, v_row=?, v_col=?,
  // CHECK-NEXT: pto.set_validshape %[[T]], %c32_index, %{{.+}} :
  func.func @live_and_turned(%x: !pl.tensor<[16, 32] x f16> {pl.name = "x"}, %w: !pl.tensor<[64, 32] x f16> {pl.name = "w"}, %o: !pl.tensor<[16, 64] x f32> {pl.name = "o"}, %n: index) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 32] : <[16, 32] x f16> -> <16x32xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [64, 32] valid [%n, 32] : <[64, 32] x f16> -> <64x32xf16, mat, valid = [?, 32]>
    %t = pl.tile.transpose_view %b : !pl.tile<64x32xf16, mat, valid = [?, 32]> -> !pl.tile<32x64xf16, mat, transposed, valid = [32, ?]>
    %c = pl.tile.matmul %a, %t : !pl.tile<16x32xf16, mat>, !pl.tile<32x64xf16, mat, transposed, valid = [32, ?]> -> !pl.tile<16x64xf32, acc, valid = [16, ?]>
    %s = pl.tile.store %c into %o[0, 0] : <16x64xf32, acc, valid = [16, ?]>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }
}
