// RUN: placid-opt %s --pl-canonicalize-tile-slice --split-input-file --verify-diagnostics | FileCheck %s

module attributes {pl.arch = "a3"} {
  // A slice of Mat that moves to L0 is read on the way; the slice itself is no tile any more.
  // CHECK-LABEL: @operands
  // CHECK: %[[X:.*]] = pl.tile.load
  // CHECK: %[[W:.*]] = pl.tile.load
  // CHECK-NOT: pl.tile.extract {{.*}} -> <{{.*}}mat>
  // CHECK: pl.tile.extract %[[X]] [0, 64] : <16x128xf16, mat> -> <16x64xf16, left>
  // The window of a window begins at the sum.
  // CHECK: pl.tile.extract %[[W]] [64, 32] : <128x64xf16, mat> -> <64x32xf16, right>
  // CHECK-NOT: pl.tile.move
  func.func @operands(%x: !pl.tensor<[16, 128] x f16>, %w: !pl.tensor<[128, 64] x f16>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 128] : <[16, 128] x f16> -> <16x128xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [128, 64] : <[128, 64] x f16> -> <128x64xf16, mat>
    %as = pl.tile.extract %a[0, 64] : !pl.tile<16x128xf16, mat> -> !pl.tile<16x64xf16, mat>
    %bs = pl.tile.extract %b[64, 0] : !pl.tile<128x64xf16, mat> -> !pl.tile<64x64xf16, mat>
    %l = pl.tile.move %as : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    %r = pl.tile.extract %bs[0, 32] : !pl.tile<64x64xf16, mat> -> !pl.tile<64x32xf16, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf16, left>, !pl.tile<64x32xf16, right> -> !pl.tile<16x32xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }

  // The transposed view of a window is a window of the transposed view, its offsets exchanged.
  // CHECK-LABEL: @transposed
  // CHECK: %[[W:.*]] = pl.tile.load
  // CHECK: %[[T:.*]] = pl.tile.transpose_view %[[W]] : <64x128xf16, mat> -> <128x64xf16, mat, transposed>
  // CHECK: pl.tile.extract %[[T]] [64, 32] : <128x64xf16, mat, transposed> -> <64x32xf16, right>
  func.func @transposed(%x: !pl.tensor<[16, 64] x f16>, %w: !pl.tensor<[64, 128] x f16>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %b = pl.tile.load %w[0, 0] sizes [64, 128] : <[64, 128] x f16> -> <64x128xf16, mat>
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f16> -> <16x64xf16, mat>
    %l = pl.tile.move %a : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    %bs = pl.tile.extract %b[32, 64] : !pl.tile<64x128xf16, mat> -> !pl.tile<32x64xf16, mat>
    %t = pl.tile.transpose_view %bs : !pl.tile<32x64xf16, mat> -> !pl.tile<64x32xf16, mat, transposed>
    %r = pl.tile.move %t : !pl.tile<64x32xf16, mat, transposed> -> !pl.tile<64x32xf16, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf16, left>, !pl.tile<64x32xf16, right> -> !pl.tile<16x32xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }

  // In Vec a chain is one copy; a constant and a number of the run add up in `index`.
  // CHECK-LABEL: @chain
  // CHECK-SAME: %[[N:[a-z0-9]+]]: index
  // CHECK: %[[T:.*]] = pl.tile.load
  // CHECK: %[[C:.*]] = arith.constant 8 : index
  // CHECK: %[[SUM:.*]] = arith.addi %[[C]], %[[N]] : index
  // CHECK: pl.tile.extract %[[T]] [%[[SUM]], 32]
  // CHECK-NOT: pl.tile.extract
  func.func @chain(%n: index, %x: !pl.tensor<[32, 128] x f32>, %o: !pl.tensor<[8, 32] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 128] : <[32, 128] x f32> -> <32x128xf32, vec>
    %a = pl.tile.extract %t[8, 4] : !pl.tile<32x128xf32, vec> -> !pl.tile<16x64xf32, vec>
    %b = pl.tile.extract %a[%n, 28] : !pl.tile<16x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %e = pl.op "tile.exp"(tile %b) : (!pl.tile<8x32xf32, vec>) -> !pl.tile<8x32xf32, vec>
    %s = pl.tile.store %e into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    return
  }

  // What is written in place later on is copied when the program says so, not when the copy is read.
  // CHECK-LABEL: @written
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0]
  // CHECK: tile.assemble
  // CHECK: pl.tile.extract %[[A]] [0, 32]
  func.func @written(%x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %w = pl.op "tile.assemble"(target %t, source %a) {offset = array<i64: 0, 0>} : (!pl.tile<32x64xf32, vec>, !pl.tile<8x64xf32, vec>) -> !pl.tile<32x64xf32, vec>
    %b = pl.tile.extract %a[0, 32] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @inside_a_fractal(%n: index, %x: !pl.tensor<[32, 64] x f16>, %w: !pl.tensor<[64, 64] x f16>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f16> -> <32x64xf16, mat> loc("x_l1"("k.py":3:5))
    %b = pl.tile.load %w[0, 0] sizes [64, 64] : <[64, 64] x f16> -> <64x64xf16, mat> loc("w_l1"("k.py":4:5))
    // expected-error @+1 {{the slice begins at row 8 of Mat tile}}
    %as = pl.tile.extract %a[8, 0] : !pl.tile<32x64xf16, mat> -> !pl.tile<16x64xf16, mat>
    // expected-error @+1 {{the slice begins at a column that is not provably a multiple of 16 of Mat tile}}
    %bs = pl.tile.extract %b[0, %n] : !pl.tile<64x64xf16, mat> -> !pl.tile<64x32xf16, mat>
    %l = pl.tile.move %as : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    %r = pl.tile.move %bs : !pl.tile<64x32xf16, mat> -> !pl.tile<64x32xf16, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf16, left>, !pl.tile<64x32xf16, right> -> !pl.tile<16x32xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }
}
