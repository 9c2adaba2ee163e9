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

  // What a fill puts behind the live part is the view's: the tile itself has none, so that windows of it are subviews.
  // CHECK-LABEL: func.func @padded
  // CHECK: %[[F:.+]] = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, {{.*}}pad=0>
  // CHECK: %[[P:.+]] = pto.treshape %[[F]] : {{.*}} -> !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, {{.*}}pad=1>
  // CHECK: pto.tfillpad ins(%{{.+}}) outs(%[[P]] :
  // CHECK: pto.subview %[[F]][%{{.+}}, %{{.+}}] sizes [8, 64]
  func.func @padded(%x: !pl.tensor<[64, 64] x f32> {pl.name = "x"}, %o: !pl.tensor<[16, 64] x f32> {pl.name = "o"}) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] valid [8, 64] : <[64, 64] x f32> -> <16x64xf32, vec, valid = [8, 64]>
    %f = pl.op "tile.fillpad"(tile %a) {pad_value = "zero"} : (!pl.tile<16x64xf32, vec, valid = [8, 64]>) -> !pl.tile<16x64xf32, vec>
    %w = pl.tile.extract %f[8, 0] : !pl.tile<16x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %e = pl.op "tile.exp"(tile %w) : (!pl.tile<8x64xf32, vec>) -> !pl.tile<8x64xf32, vec>
    %s = pl.tile.store %e into %o[0, 0] : <8x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // A window of a tile that is shown in another shape is a copy by index.
  // CHECK-LABEL: func.func @turned_rows
  // CHECK: %[[A:.+]] = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=64, cols=32,
  // CHECK: %[[R:.+]] = pto.treshape %[[A]] : {{.*}} -> !pto.tile_buf<loc=vec, dtype=f32, rows=32, cols=64,
  // CHECK: pto.textract ins(%[[R]], %c8_index, %c0_index : {{.*}}) outs(%[[W:.+]] : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64,
  // CHECK: pto.texp ins(%[[W]]
  func.func @turned_rows(%x: !pl.tensor<[64, 32] x f32> {pl.name = "x"}, %o: !pl.tensor<[8, 64] x f32> {pl.name = "o"}) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [64, 32] : <[64, 32] x f32> -> <64x32xf32, vec>
    %r = pl.tile.reshape %a : !pl.tile<64x32xf32, vec> -> !pl.tile<32x64xf32, vec>
    %w = pl.tile.extract %r[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %e = pl.op "tile.exp"(tile %w) : (!pl.tile<8x64xf32, vec>) -> !pl.tile<8x64xf32, vec>
    %s = pl.tile.store %e into %o[0, 0] : <8x64xf32, vec>, <[8, 64] x f32> -> <[8, 64] x f32>
    return
  }

  // Also where it is only stored, which needs no copy otherwise; integers are copied as floats of their width.
  // CHECK-LABEL: func.func @stored_rows
  // CHECK: %[[A:.+]] = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=i32, rows=64, cols=32,
  // CHECK: %[[W:.+]] = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=64,
  // CHECK: pto.textract {{.*}} outs(%[[W]] :
  // CHECK: %[[I:.+]] = pto.bitcast %[[W]]
  // CHECK: pto.tstore ins(%[[I]] : !pto.tile_buf<loc=vec, dtype=i32, rows=8, cols=64,
  func.func @stored_rows(%x: !pl.tensor<[64, 32] x i32> {pl.name = "x"}, %o: !pl.tensor<[8, 64] x i32> {pl.name = "o"}) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [64, 32] : <[64, 32] x i32> -> <64x32xi32, vec>
    %r = pl.tile.reshape %a : !pl.tile<64x32xi32, vec> -> !pl.tile<32x64xi32, vec>
    %w = pl.tile.extract %r[8, 0] : !pl.tile<32x64xi32, vec> -> !pl.tile<8x64xi32, vec>
    %s = pl.tile.store %w into %o[0, 0] : <8x64xi32, vec>, <[8, 64] x i32> -> <[8, 64] x i32>
    return
  }

  // A column that a reduction made is assembled as the row that instructions see.
  // CHECK-LABEL: func.func @columns
  // CHECK: pto.trowsum
  // CHECK: pto.tinsert ins(%{{.+}}, %c0_index, %c0_index : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=64, {{.*}}) outs(%{{.+}} : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=64,
  func.func @columns(%x: !pl.tensor<[64, 32] x f32> {pl.name = "x"}, %q: !pl.tensor<[64, 1] x f32> {pl.name = "q"}) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [64, 32] : <[64, 32] x f32> -> <64x32xf32, vec>
    %r = pl.op "tile.row_sum"(tile %a) : (!pl.tile<64x32xf32, vec>) -> !pl.tile<64x1xf32, vec>
    %h = pl.op "tile.row_max"(tile %a) : (!pl.tile<64x32xf32, vec>) -> !pl.tile<64x1xf32, vec>
    %w = pl.op "tile.assemble"(target %r, source %h) {offset = array<i64: 0, 0>} : (!pl.tile<64x1xf32, vec>, !pl.tile<64x1xf32, vec>) -> !pl.tile<64x1xf32, vec>
    %e = pl.op "tile.exp"(tile %w) : (!pl.tile<64x1xf32, vec>) -> !pl.tile<64x1xf32, vec>
    %s1 = pl.tile.store %e into %q[0, 0] : <64x1xf32, vec>, <[64, 1] x f32> -> <[64, 1] x f32>
    return
  }

  // A tile that is joined in both branches is one tile around them.
  // CHECK-LABEL: func.func @branches
  // CHECK: %[[T:.+]] = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64,
  // CHECK: scf.if
  // CHECK: pto.tload {{.*}} outs(%[[T]] :
  // CHECK: else
  // CHECK: pto.tload {{.*}} outs(%[[T]] :
  // CHECK: pto.tstore ins(%[[T]] :
  func.func @branches(%f: i1 {pl.name = "f"}, %x: !pl.tensor<[16, 64] x f32> {pl.name = "x"}, %y: !pl.tensor<[16, 64] x f32> {pl.name = "y"}, %o: !pl.tensor<[16, 64] x f32> {pl.name = "o"}) attributes {pl.kind = "incore"} {
    %t = scf.if %f -> (!pl.tile<16x64xf32, vec>) {
      %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
      scf.yield %a : !pl.tile<16x64xf32, vec>
    } else {
      %b = pl.tile.load %y[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
      scf.yield %b : !pl.tile<16x64xf32, vec>
    }
    %s = pl.tile.store %t into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }
}
