// RUN: placid-opt %s --pl-resolve-backend-op-layouts | FileCheck %s

module attributes {pl.arch = "a3"} {
  // Each column is turned once; what one sum makes is a row to the next, and a column to whoever asks for one.
  // CHECK-LABEL: @sums
  // CHECK: %[[X:.*]] = pl.tile.load %{{.*}} -> <16x1xf32, vec>
  // CHECK-NEXT: %[[XROW:.*]] = pl.tile.reshape %[[X]] : <16x1xf32, vec> -> <1x16xf32, vec>
  // CHECK-NEXT: %[[A:.*]] = pl.op "tile.add"(lhs %[[XROW]], rhs %[[XROW]]) : {{.*}} -> !pl.tile<1x16xf32, vec>
  // CHECK-NEXT: %[[B:.*]] = pl.op "tile.exp"(tile %[[A]]) : {{.*}} -> !pl.tile<1x16xf32, vec>
  // CHECK-NEXT: %[[COLUMN:.*]] = pl.tile.reshape %[[B]] : <1x16xf32, vec> -> <16x1xf32, vec>
  // CHECK-NEXT: pl.tile.store %[[COLUMN]]
  func.func @sums(%x: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 1] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 1] : <[16, 1] x f32> -> <16x1xf32, vec>
    %a = pl.op "tile.add"(lhs %t, rhs %t) : (!pl.tile<16x1xf32, vec>, !pl.tile<16x1xf32, vec>) -> !pl.tile<16x1xf32, vec>
    %b = pl.op "tile.exp"(tile %a) : (!pl.tile<16x1xf32, vec>) -> !pl.tile<16x1xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <16x1xf32, vec>, <[16, 1] x f32> -> <[16, 1] x f32>
    return
  }

  // What is live of the column is live of the row.
  // CHECK-LABEL: @part
  // CHECK: pl.op "tile.exp"(tile %{{.*}}) : (!pl.tile<1x16xf32, vec, valid = [1, 5]>) -> !pl.tile<1x16xf32, vec, valid = [1, 5]>
  func.func @part(%x: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 1] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 1] valid [5, 1] : <[16, 1] x f32> -> <16x1xf32, vec, valid = [5, 1]>
    %b = pl.op "tile.exp"(tile %t) : (!pl.tile<16x1xf32, vec, valid = [5, 1]>) -> !pl.tile<16x1xf32, vec, valid = [5, 1]>
    %s = pl.tile.store %b into %o[0, 0] : <16x1xf32, vec, valid = [5, 1]>, <[16, 1] x f32> -> <[16, 1] x f32>
    return
  }

  // An instruction that reads rows and columns as such keeps the column.
  // CHECK-LABEL: @spread
  // CHECK-NOT: pl.tile.reshape
  // CHECK: pl.op "tile.row_expand_mul"(tile %{{.*}}, row_vec %{{.*}}) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x1xf32, vec>)
  func.func @spread(%x: !pl.tensor<[16, 64] x f32>, %y: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %u = pl.tile.load %y[0, 0] sizes [16, 1] : <[16, 1] x f32> -> <16x1xf32, vec>
    %b = pl.op "tile.row_expand_mul"(tile %t, row_vec %u) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x1xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // The sum of one element is that element, and no scratch is needed for it; its place is the first.
  // CHECK-LABEL: @of_one_element
  // CHECK: %[[T:.*]] = pl.tile.load %{{.*}} -> <16x1xf32, vec>
  // CHECK-NOT: pl.tile.create
  // CHECK-NOT: tile.row_
  // CHECK: %[[ZERO:.*]] = pl.op "tile.full"() {value = 0 : i64} : () -> !pl.tile<1x16xi32, vec>
  // CHECK-NEXT: %[[PLACES:.*]] = pl.tile.reshape %[[ZERO]]
  // CHECK: pl.tile.store %[[T]]
  // CHECK: pl.tile.store %[[PLACES]]
  func.func @of_one_element(%x: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 1] x f32>, %p: !pl.tensor<[16, 1] x i32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 1] : <[16, 1] x f32> -> <16x1xf32, vec>
    %c = pl.tile.create : <16x1xf32, vec>
    %a = pl.op "tile.row_sum"(tile %t, tmp_tile %c) : (!pl.tile<16x1xf32, vec>, !pl.tile<16x1xf32, vec>) -> !pl.tile<16x1xf32, vec>
    %d = pl.tile.create : <16x1xf32, vec>
    %b = pl.op "tile.row_argmax"(tile %t, tmp_tile %d) : (!pl.tile<16x1xf32, vec>, !pl.tile<16x1xf32, vec>) -> !pl.tile<16x1xi32, vec>
    %s = pl.tile.store %a into %o[0, 0] : <16x1xf32, vec>, <[16, 1] x f32> -> <[16, 1] x f32>
    %r = pl.tile.store %b into %p[0, 0] : <16x1xi32, vec>, <[16, 1] x i32> -> <[16, 1] x i32>
    return
  }

  // Scratch is as large as the instruction on rows wants it.
  // CHECK-LABEL: @scratch
  // CHECK: %[[SCRATCH:.*]] = pl.tile.create : <2x16xf32, vec>
  // CHECK: pl.op "tile.rem"(lhs %{{.*}}, rhs %{{.*}}, tmp %[[SCRATCH]]) : {{.*}} -> !pl.tile<1x16xf32, vec>
  func.func @scratch(%x: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 1] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 1] : <[16, 1] x f32> -> <16x1xf32, vec>
    %c = pl.tile.create : <2x1xf32, vec>
    %a = pl.op "tile.rem"(lhs %t, rhs %t, tmp %c) : (!pl.tile<16x1xf32, vec>, !pl.tile<16x1xf32, vec>, !pl.tile<2x1xf32, vec>) -> !pl.tile<16x1xf32, vec>
    %s = pl.tile.store %a into %o[0, 0] : <16x1xf32, vec>, <[16, 1] x f32> -> <[16, 1] x f32>
    return
  }

  // A mask has a row for every element of a column, and no instruction makes that.
  // CHECK-LABEL: @mask
  // CHECK: pl.op "tile.cmps"{{.*}}pl.not_lowered = "a comparison of columns
  func.func @mask(%x: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 32] x ui8>, %n: f32) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 1] : <[16, 1] x f32> -> <16x1xf32, vec>
    %a = pl.op "tile.cmps"(lhs %t, rhs %n) {cmp_type = "eq"} : (!pl.tile<16x1xf32, vec>, f32) -> !pl.tile<16x32xui8, vec>
    %s = pl.tile.store %a into %o[0, 0] : <16x32xui8, vec>, <[16, 32] x ui8> -> <[16, 32] x ui8>
    return
  }
}
