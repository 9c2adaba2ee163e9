// RUN: placid-opt %s --pl-expand-mixed-kernel | FileCheck %s
// What the chip without a way through GM refuses, and what it does another way.

module attributes {pl.arch = "a5"} {
  // One vector core does whole tiles: nothing keeps the second in step. A token goes the same way.
  // CHECK: func.func private @token
  // CHECK-LABEL: func.func @token_aiv
  // CHECK-NOT: pl.subblock_idx
  // CHECK: pl.pipe.pop {pl.token} : <16x16xf32, vec>
  // CHECK-NEXT: pl.pipe.free
  // CHECK-NEXT: pl.tile.load
  func.func @token(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[16, 16] x f32> {pl.name = "m"}, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %s = pl.tile.store %p into %m[0, 0] : <16x16xf32, acc>, <[16, 16] x f32> -> <[16, 16] x f32>
    %t = pl.tile.load %s[0, 0] sizes [16, 16] : <[16, 16] x f32> -> <16x16xf32, vec>
    %w = pl.tile.store %t into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // A token from the vector core to the cube core.
  // CHECK-LABEL: func.func @token_to_cube
  // CHECK: pl.tile.load {{.*}}pl.not_lowered = "a tensor that the cube core takes over from the vector core on A5"
  func.func @token_to_cube(%x: !pl.tensor<[16, 16] x f16>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[16, 16] x f16> {pl.name = "m"}, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %v = pl.tile.load %x[0, 0] sizes [16, 16] : <[16, 16] x f16> -> <16x16xf16, vec>
    %s = pl.tile.store %v into %m[0, 0] : <16x16xf16, vec>, <[16, 16] x f16> -> <[16, 16] x f16>
    %a = pl.tile.load %s[0, 0] sizes [16, 16] : <[16, 16] x f16> -> <16x16xf16, mat>
    %l = pl.tile.move %a : <16x16xf16, mat> -> <16x16xf16, left>
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %w = pl.tile.store %p into %o[0, 0] : <16x16xf32, acc>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // A tile from the vector core to the cube core.
  // CHECK-LABEL: func.func @tile_to_cube
  // CHECK: pl.tile.move {{.*}}pl.not_lowered = "a tile from the vector core to the cube core on A5"
  func.func @tile_to_cube(%x: !pl.tensor<[16, 16] x f16>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %v = pl.tile.load %x[0, 0] sizes [16, 16] : <[16, 16] x f16> -> <16x16xf16, vec>
    %l = pl.tile.move %v : <16x16xf16, vec> -> <16x16xf16, left>
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %w = pl.tile.store %p into %o[0, 0] : <16x16xf32, acc>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // What is held counts tokens as well as tiles.
  // CHECK-LABEL: func.func @held
  // CHECK: pl.tile.load {{.*}}pl.not_lowered = "more than 3 tiles and handoffs of the other core in use at a time on A5"
  func.func @held(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[16, 16] x f32> {pl.name = "m"}, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p0 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v0 = pl.tile.move %p0 : <16x16xf32, acc> -> <16x16xf32, vec>
    %p1 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v1 = pl.tile.move %p1 : <16x16xf32, acc> -> <16x16xf32, vec>
    %p2 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v2 = pl.tile.move %p2 : <16x16xf32, acc> -> <16x16xf32, vec>
    %q = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %s = pl.tile.store %q into %m[0, 0] : <16x16xf32, acc>, <[16, 16] x f32> -> <[16, 16] x f32>
    %t = pl.tile.load %s[0, 0] sizes [16, 16] : <[16, 16] x f32> -> <16x16xf32, vec>
    %a = pl.op "tile.add"(lhs %v0, rhs %t) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %b = pl.op "tile.add"(lhs %v1, rhs %a) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %c = pl.op "tile.add"(lhs %v2, rhs %b) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %w = pl.tile.store %c into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // A whole tile, or the token of whole windows, is the first lane's alone.
  // CHECK-LABEL: func.func @whole_beside_lanes
  // CHECK: pl.tile.move {{.*}}pl.not_lowered = "a tile that goes whole between the cores while both vector lanes work, which on A5 only the first lane takes part in,"
  func.func @whole_beside_lanes(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[32, 16] x f32>) attributes {pl.kind = "incore"} {
    %c16 = arith.constant 16 : index
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %lane = pl.subblock_idx {pl.lane_mode = "NONE"}
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %at = arith.muli %lane, %c16 : index
    %s = pl.tile.store %v into %o[%at : index, 0] : <16x16xf32, vec>, <[32, 16] x f32> -> <[32, 16] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // Halves of 16-bit elements, and of columns that are no multiple of 32.
  // CHECK-LABEL: func.func @narrow_halves
  // CHECK: pl.tile.move {{.*}}pl.not_lowered = "a tile of [32, 48] FP32 on A5, which divides elements of 32 bits, and columns by 32,"
  func.func @narrow_halves(%l: !pl.tile<32x16xf16, left>, %r: !pl.tile<16x48xf16, right>, %o: !pl.tensor<[32, 48] x f32>) attributes {pl.kind = "incore"} {
    %c24 = arith.constant 24 : index
    %p = pl.tile.matmul %l, %r : <32x16xf16, left>, <16x48xf16, right> -> <32x48xf32, acc>
    %lane = pl.subblock_idx {pl.lane_mode = "LEFT_RIGHT"}
    %v = pl.tile.move %p {pl.lane_axis = 1 : i64} : <32x48xf32, acc> -> <32x24xf32, vec>
    %at = arith.muli %lane, %c24 : index
    %s = pl.tile.store %v into %o[0, %at : index] : <32x24xf32, vec>, <[32, 48] x f32> -> <[32, 48] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // A tile of which only a part is live.
  // CHECK-LABEL: func.func @live_part
  // CHECK: pl.tile.move {{.*}}pl.not_lowered = "a tile that is live only in part and goes from one core to the other on A5"
  func.func @live_part(%l: !pl.tile<16x16xf16, left, valid = [5, 16]>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left, valid = [5, 16]>, <16x16xf16, right> -> <16x16xf32, acc, valid = [5, 16]>
    %v = pl.tile.move %p : <16x16xf32, acc, valid = [5, 16]> -> <16x16xf32, vec, valid = [5, 16]>
    %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec, valid = [5, 16]>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }
}
