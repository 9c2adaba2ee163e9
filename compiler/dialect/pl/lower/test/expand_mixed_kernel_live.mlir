// RUN: placid-opt %s --pl-expand-mixed-kernel | FileCheck %s
// Tiles of which only a part is live when they go from one core to the other.

module attributes {pl.arch = "a3"} {
  // CHECK-LABEL: func.func @known_aic
  // CHECK: pl.pipe.push %{{.*}} : <16x16xf32, acc, valid = [5, 16]>
  // CHECK-LABEL: func.func @known_aiv
  // CHECK: pl.pipe.pop : <16x16xf32, vec, valid = [5, 16]>
  func.func @known(%l: !pl.tile<16x16xf16, left, valid = [5, 16]>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left, valid = [5, 16]>, <16x16xf16, right> -> <16x16xf32, acc, valid = [5, 16]>
    %v = pl.tile.move %p : <16x16xf32, acc, valid = [5, 16]> -> <16x16xf32, vec, valid = [5, 16]>
    %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec, valid = [5, 16]>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // The number is one that both cores have.
  // CHECK-LABEL: func.func @counted_aiv
  // CHECK-SAME: %[[N:[a-z0-9]+]]: index
  // CHECK: pl.pipe.pop valid(%[[N]] : index) : <16x16xf32, vec, valid = [?, 16]>
  func.func @counted(%a: !pl.tensor<[16, 16] x f16>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>, %n: index) attributes {pl.kind = "incore"} {
    %m = pl.tile.load %a[0, 0] sizes [16, 16] valid [%n : index, 16] : <[16, 16] x f16> -> <16x16xf16, mat, valid = [?, 16]>
    %l = pl.tile.move %m : <16x16xf16, mat, valid = [?, 16]> -> <16x16xf16, left, valid = [?, 16]>
    %p = pl.tile.matmul %l, %r : <16x16xf16, left, valid = [?, 16]>, <16x16xf16, right> -> <16x16xf32, acc, valid = [?, 16]>
    %v = pl.tile.move %p : <16x16xf32, acc, valid = [?, 16]> -> <16x16xf32, vec, valid = [?, 16]>
    %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec, valid = [?, 16]>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // Lanes have halves of the columns; the rows are live in part in both.
  // CHECK-LABEL: func.func @across_the_lanes_aiv
  // CHECK: pl.pipe.pop {pl.lane_axis = 1 : i64} : <16x16xf32, vec, valid = [5, 16]>
  func.func @across_the_lanes(%l: !pl.tile<16x16xf16, left, valid = [5, 16]>, %r: !pl.tile<16x32xf16, right>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %c16 = arith.constant 16 : index
    %p = pl.tile.matmul %l, %r : <16x16xf16, left, valid = [5, 16]>, <16x32xf16, right> -> <16x32xf32, acc, valid = [5, 32]>
    %lane = pl.subblock_idx {pl.lane_mode = "LEFT_RIGHT"}
    %v = pl.tile.move %p {pl.lane_axis = 1 : i64} : <16x32xf32, acc, valid = [5, 32]> -> <16x16xf32, vec, valid = [5, 16]>
    %at = arith.muli %lane, %c16 : index
    %s = pl.tile.store %v into %o[0, %at : index] : <16x16xf32, vec, valid = [5, 16]>, <[16, 32] x f32> -> <[16, 32] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // Each lane would have another part of what is live.
  // CHECK-LABEL: func.func @along_the_lanes
  // CHECK: pl.tile.move {{.*}}pl.not_lowered = "a tile that is live only in part of the rows of which each vector lane has its half"
  func.func @along_the_lanes(%l: !pl.tile<32x16xf16, left, valid = [5, 16]>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[32, 16] x f32>) attributes {pl.kind = "incore"} {
    %c16 = arith.constant 16 : index
    %p = pl.tile.matmul %l, %r : <32x16xf16, left, valid = [5, 16]>, <16x16xf16, right> -> <32x16xf32, acc, valid = [5, 16]>
    %lane = pl.subblock_idx {pl.lane_mode = "UP_DOWN"}
    %v = pl.tile.move %p {pl.lane_axis = 0 : i64} : <32x16xf32, acc, valid = [5, 16]> -> <16x16xf32, vec>
    %at = arith.muli %lane, %c16 : index
    %s = pl.tile.store %v into %o[%at : index, 0] : <16x16xf32, vec>, <[32, 16] x f32> -> <[32, 16] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // A number that only one core reads.
  // CHECK-LABEL: func.func @not_for_both
  // CHECK: pl.tile.move {{.*}}pl.not_lowered = "a tile that goes from one core to the other and whose live part is not known where it does"
  func.func @not_for_both(%l: !pl.tile<16x16xf16, left, valid = [?, 16]>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left, valid = [?, 16]>, <16x16xf16, right> -> <16x16xf32, acc, valid = [?, 16]>
    %v = pl.tile.move %p : <16x16xf32, acc, valid = [?, 16]> -> <16x16xf32, vec, valid = [?, 16]>
    %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec, valid = [?, 16]>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }
}
