// RUN: placid-opt %s --pl-split-vector-lanes | FileCheck %s

module attributes {pl.arch = "a3"} {
  // Rows: what the vector core loads, computes and stores is half, and begins later for the second lane. A tile of one row
  // is whole in both. The pipe divides the product, and joins what goes back.
  // CHECK-LABEL: func.func @rows
  // CHECK: %[[LANE:.*]] = pl.subblock_idx {pl.lane_mode = "AUTO"}
  // CHECK: pl.tile.matmul {{.*}} -> <32x16xf32, acc>
  // CHECK: pl.tile.move %{{.*}} {pl.lane_axis = 0 : i64} : <32x16xf32, acc> -> <16x16xf32, vec>
  // CHECK: %[[AT:.*]] = arith.muli %[[LANE]]
  // CHECK: pl.tile.load %{{.*}}[%[[AT]], 0] sizes [16, 16] : <[32, 16] x f32> -> <16x16xf32, vec>
  // CHECK: pl.tile.load %{{.*}}[0, 0] sizes [1, 16] : <[1, 16] x f32> -> <1x16xf32, vec>
  // CHECK: pl.op "tile.add"({{.*}}) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
  // CHECK: pl.op "tile.col_expand_mul"({{.*}}) : (!pl.tile<16x16xf32, vec>, !pl.tile<1x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
  // CHECK: pl.tile.move %{{.*}} {pl.lane_axis = 0 : i64} : <16x16xf32, vec> -> <32x16xf32, mat>
  // CHECK: %[[TO:.*]] = arith.addi %{{.*}}, %{{.*}} : index
  // CHECK: pl.tile.store %{{.*}} into %{{.*}}[%[[TO]], 0]
  func.func @rows(%l: !pl.tile<32x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %c: !pl.tensor<[32, 16] x f32>, %g: !pl.tensor<[1, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <32x16xf16, left>, <16x16xf16, right> -> <32x16xf32, acc>
    %v = pl.tile.move %p : <32x16xf32, acc> -> <32x16xf32, vec>
    %t = pl.tile.load %c[0, 0] sizes [32, 16] : <[32, 16] x f32> -> <32x16xf32, vec>
    %k = pl.tile.load %g[0, 0] sizes [1, 16] : <[1, 16] x f32> -> <1x16xf32, vec>
    %a = pl.op "tile.add"(lhs %v, rhs %t) : (!pl.tile<32x16xf32, vec>, !pl.tile<32x16xf32, vec>) -> !pl.tile<32x16xf32, vec>
    %b = pl.op "tile.col_expand_mul"(tile %a, col_vec %k) : (!pl.tile<32x16xf32, vec>, !pl.tile<1x16xf32, vec>) -> !pl.tile<32x16xf32, vec>
    %m = pl.tile.move %b : <32x16xf32, vec> -> <32x16xf32, mat>
    %s = pl.tile.store %b into %o[32, 0] : <32x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    return
  }

  // Columns: the sum of each column is as wide as the lane's part; a whole row is cut where it is wanted in halves.
  // CHECK-LABEL: func.func @columns
  // CHECK: pl.tile.move %{{.*}} {pl.lane_axis = 1 : i64} : <16x32xf32, acc> -> <16x16xf32, vec>
  // CHECK: pl.op "tile.col_sum"({{.*}}) : (!pl.tile<16x16xf32, vec>) -> !pl.tile<1x16xf32, vec>
  // CHECK: pl.tile.load %{{.*}}[0, 0] sizes [32, 1] : <[32, 1] x f32> -> <32x1xf32, vec>
  // CHECK: %[[CUT:.*]] = pl.tile.extract %{{.*}}[%{{.*}}, 0] : <32x1xf32, vec> -> <16x1xf32, vec>
  // CHECK: pl.tile.reshape %[[CUT]] : <16x1xf32, vec> -> <1x16xf32, vec>
  // CHECK: pl.tile.store %{{.*}} into %{{.*}}[0, %{{.*}}] : <1x16xf32, vec>
  func.func @columns(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x32xf16, right>, %c: !pl.tensor<[32, 1] x f32>, %o: !pl.tensor<[1, 32] x f32>) attributes {pl.kind = "incore", pl.split = 1 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x32xf16, right> -> <16x32xf32, acc>
    %v = pl.tile.move %p : <16x32xf32, acc> -> <16x32xf32, vec>
    %t = pl.op "tile.col_sum"(tile %v) : (!pl.tile<16x32xf32, vec>) -> !pl.tile<1x32xf32, vec>
    %k = pl.tile.load %c[0, 0] sizes [32, 1] : <[32, 1] x f32> -> <32x1xf32, vec>
    %w = pl.tile.reshape %k : <32x1xf32, vec> -> <1x32xf32, vec>
    %a = pl.op "tile.add"(lhs %t, rhs %w) : (!pl.tile<1x32xf32, vec>, !pl.tile<1x32xf32, vec>) -> !pl.tile<1x32xf32, vec>
    %s = pl.tile.store %a into %o[0, 0] : <1x32xf32, vec>, <[1, 32] x f32> -> <[1, 32] x f32>
    return
  }

  // A tile that a loop carries is halved from where it begins; scratch follows the instruction.
  // CHECK-LABEL: func.func @carried
  // CHECK: pl.op "tile.full"({{.*}}) {{.*}} -> !pl.tile<8x16xf32, vec>
  // CHECK: scf.for {{.*}} -> (!pl.tile<8x16xf32, vec>)
  // CHECK: %[[TMP:.*]] = pl.tile.create : <8x16xf32, vec>
  // CHECK: pl.op "tile.row_sum"(tile %{{.*}}, tmp_tile %[[TMP]]) : (!pl.tile<8x16xf32, vec>, !pl.tile<8x16xf32, vec>) -> !pl.tile<8x1xf32, vec>
  func.func @carried(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %f = pl.op "tile.full"(value %zero) {dtype = "FP32", shape = array<i64: 16, 16>} : (f32) -> !pl.tile<16x16xf32, vec>
    %d = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %f) -> (!pl.tile<16x16xf32, vec>) {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
      %tmp = pl.tile.create : <16x16xf32, vec>
      %sum = pl.op "tile.row_sum"(tile %v, tmp_tile %tmp) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x1xf32, vec>
      %a = pl.op "tile.row_expand_add"(tile %t, row_vec %sum) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x1xf32, vec>) -> !pl.tile<16x16xf32, vec>
      scf.yield %a : !pl.tile<16x16xf32, vec>
    }
    %s = pl.tile.store %d into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // What cannot be divided keeps the kernel whole, and says where.
  // CHECK-LABEL: func.func @over_the_rows
  // CHECK-NOT: pl.subblock_idx
  // CHECK: pl.op "tile.col_sum"(tile %{{.*}}) {pl.not_lowered = "a reduction over the rows, of which each vector lane has its half,"}
  func.func @over_the_rows(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[1, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %t = pl.op "tile.col_sum"(tile %v) : (!pl.tile<16x16xf32, vec>) -> !pl.tile<1x16xf32, vec>
    %s = pl.tile.store %t into %o[0, 0] : <1x16xf32, vec>, <[1, 16] x f32> -> <[1, 16] x f32>
    return
  }

  // CHECK-LABEL: func.func @number_of_a_half
  // CHECK: pl.read {{.*}} {pl.not_lowered = "a number read from a tile of which each vector lane has its half"}
  func.func @number_of_a_half(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %e = pl.read %v[0, 0] : !pl.tile<16x16xf32, vec> -> f32
    %t = pl.op "tile.adds"(lhs %v, rhs %e) : (!pl.tile<16x16xf32, vec>, f32) -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %t into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // Lane 0 would read rows that lane 1 writes.
  // CHECK-LABEL: func.func @windows_that_move
  // CHECK: pl.tile.load {{.*}} {pl.not_lowered = "`o`, whose windows the two vector lanes do not divide in one way,"}
  func.func @windows_that_move(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[64, 16] x f32> {pl.name = "o"}) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    %t = pl.tile.load %s[8, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
    %a = pl.op "tile.add"(lhs %v, rhs %t) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %q = pl.tile.store %a into %s[16, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    return
  }

  // Half of a row of 32 bytes is no row.
  // CHECK-LABEL: func.func @short_rows
  // CHECK: pl.not_lowered = "a tile of [16, 8] FP32, whose half is not whole 32-byte blocks, for each vector lane"
  func.func @short_rows(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x8xf16, right>, %o: !pl.tensor<[16, 8] x f32>) attributes {pl.kind = "incore", pl.split = 1 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x8xf16, right> -> <16x8xf32, acc>
    %v = pl.tile.move %p : <16x8xf32, acc> -> <16x8xf32, vec>
    %s = pl.tile.store %v into %o[0, 0] : <16x8xf32, vec>, <[16, 8] x f32> -> <[16, 8] x f32>
    return
  }

  // A kernel of the vector core alone stays whole.
  // CHECK-LABEL: func.func @vector_only
  // CHECK-NOT: pl.subblock_idx
  // CHECK: sizes [16, 16]
  func.func @vector_only(%c: !pl.tensor<[16, 16] x f32>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %t = pl.tile.load %c[0, 0] sizes [16, 16] : <[16, 16] x f32> -> <16x16xf32, vec>
    %s = pl.tile.store %t into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // Whole rows: the slower lane would add to what the other has stored. What is stored once and then read is one for both.
  // CHECK-LABEL: func.func @added_to
  // CHECK: pl.tile.store {{.*}} {pl.not_lowered = "`o`, whose windows the two vector lanes do not divide in one way,"}
  func.func @added_to(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %g: !pl.tensor<[1, 16] x f32>, %o: !pl.tensor<[1, 16] x f32> {pl.name = "o"}, %y: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %q = pl.tile.store %v into %y[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    %t = pl.tile.load %o[0, 0] sizes [1, 16] : <[1, 16] x f32> -> <1x16xf32, vec>
    %a = pl.op "tile.add"(lhs %t, rhs %t) : (!pl.tile<1x16xf32, vec>, !pl.tile<1x16xf32, vec>) -> !pl.tile<1x16xf32, vec>
    %s = pl.tile.store %a into %o[0, 0] : <1x16xf32, vec>, <[1, 16] x f32> -> <[1, 16] x f32>
    return
  }

  // CHECK-LABEL: func.func @stored_and_read
  // CHECK: pl.subblock_idx
  func.func @stored_and_read(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %g: !pl.tensor<[1, 16] x f32>, %o: !pl.tensor<[1, 16] x f32> {pl.name = "o"}, %y: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %q = pl.tile.store %v into %y[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    %t = pl.tile.load %g[0, 0] sizes [1, 16] : <[1, 16] x f32> -> <1x16xf32, vec>
    %s = pl.tile.store %t into %o[0, 0] : <1x16xf32, vec>, <[1, 16] x f32> -> <[1, 16] x f32>
    %u = pl.tile.load %s[0, 0] sizes [1, 16] : <[1, 16] x f32> -> <1x16xf32, vec>
    %w = pl.op "tile.col_expand_add"(tile %v, col_vec %u) : (!pl.tile<16x16xf32, vec>, !pl.tile<1x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %z = pl.tile.store %w into %q[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // Twice stored, the slower lane's first could come between.
  // CHECK-LABEL: func.func @stored_twice_and_read
  // CHECK: pl.not_lowered = "`o`, whose windows
  func.func @stored_twice_and_read(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %g: !pl.tensor<[1, 16] x f32>, %o: !pl.tensor<[1, 16] x f32> {pl.name = "o"}, %y: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %q = pl.tile.store %v into %y[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    %t = pl.tile.load %g[0, 0] sizes [1, 16] : <[1, 16] x f32> -> <1x16xf32, vec>
    %s = pl.tile.store %t into %o[0, 0] : <1x16xf32, vec>, <[1, 16] x f32> -> <[1, 16] x f32>
    %a = pl.op "tile.add"(lhs %t, rhs %t) : (!pl.tile<1x16xf32, vec>, !pl.tile<1x16xf32, vec>) -> !pl.tile<1x16xf32, vec>
    %s2 = pl.tile.store %a into %o[0, 0] : <1x16xf32, vec>, <[1, 16] x f32> -> <[1, 16] x f32>
    %u = pl.tile.load %s2[0, 0] sizes [1, 16] : <[1, 16] x f32> -> <1x16xf32, vec>
    %w = pl.op "tile.col_expand_add"(tile %v, col_vec %u) : (!pl.tile<16x16xf32, vec>, !pl.tile<1x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %z = pl.tile.store %w into %q[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // The halves of two views are not the same rows.
  // CHECK-LABEL: func.func @another_view
  // CHECK: pl.tile.load {{.*}} {pl.not_lowered = "`o`, whose windows
  func.func @another_view(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32> {pl.name = "o"}, %y: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    %w = pl.tensor.reshape %s : <[16, 16] x f32> -> <[8, 32] x f32>
    %t = pl.tile.load %w[0, 0] sizes [8, 32] : <[8, 32] x f32> -> <8x32xf32, vec>
    %k = pl.op "tile.add"(lhs %t, rhs %t) : (!pl.tile<8x32xf32, vec>, !pl.tile<8x32xf32, vec>) -> !pl.tile<8x32xf32, vec>
    return
  }

  // Half of a column is half of the rows that it becomes, not of their columns: whole until it is wanted in halves.
  // CHECK-LABEL: func.func @column_to_rows
  // CHECK: pl.tile.reshape %{{.*}} : <64x1xf32, vec> -> <4x16xf32, vec>
  // CHECK: pl.tile.extract %{{.*}}[0, %{{.*}}] : <4x16xf32, vec> -> <4x8xf32, vec>
  func.func @column_to_rows(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %c: !pl.tensor<[64, 1] x f32>, %m: !pl.tensor<[4, 16] x f32>, %y: !pl.tensor<[16, 16] x f32>, %o: !pl.tensor<[4, 16] x f32>) attributes {pl.kind = "incore", pl.split = 1 : i64} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %q = pl.tile.store %v into %y[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    %k = pl.tile.load %c[0, 0] sizes [64, 1] : <[64, 1] x f32> -> <64x1xf32, vec>
    %w = pl.tile.reshape %k : <64x1xf32, vec> -> <4x16xf32, vec>
    %n = pl.tile.load %m[0, 0] sizes [4, 16] : <[4, 16] x f32> -> <4x16xf32, vec>
    %a = pl.op "tile.add"(lhs %n, rhs %w) : (!pl.tile<4x16xf32, vec>, !pl.tile<4x16xf32, vec>) -> !pl.tile<4x16xf32, vec>
    %s = pl.tile.store %a into %o[0, 0] : <4x16xf32, vec>, <[4, 16] x f32> -> <[4, 16] x f32>
    return
  }
}
