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

  // The bytes change under another name before the second window is read.
  // CHECK-LABEL: @written_through_a_view
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0] : <32x64xf32, vec> -> <8x64xf32, vec>
  // CHECK: "tile.write"
  // CHECK: pl.tile.extract %[[A]] [0, 0] : <8x64xf32, vec> -> <8x32xf32, vec>
  func.func @written_through_a_view(%v: f32, %x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %u = pl.tile.reshape %t : !pl.tile<32x64xf32, vec> -> !pl.tile<64x32xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %w = pl.op "tile.write"(tile %u, value %v) {indices = array<i64: 16, 0>} : (!pl.tile<64x32xf32, vec>, f32) -> !pl.tile<64x32xf32, vec>
    %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    return
  }

  // CHECK-LABEL: @written_through_valid_extents
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0]
  // CHECK: "tile.write"
  // CHECK: pl.tile.extract %[[A]] [0, 0]
  func.func @written_through_valid_extents(%v: f32, %x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %u = pl.op "tile.set_validshape"(tile %t) {valid_cols = 64 : i64, valid_rows = 16 : i64} : (!pl.tile<32x64xf32, vec>) -> !pl.tile<32x64xf32, vec, valid = [16, 64]>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %w = pl.op "tile.write"(tile %u, value %v) {indices = array<i64: 8, 0>} : (!pl.tile<32x64xf32, vec, valid = [16, 64]>, f32) -> !pl.tile<32x64xf32, vec, valid = [16, 64]>
    %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    return
  }

  // A whole window is written through a view: as it is, the tile may be overwritten after the first copy.
  // CHECK-LABEL: @assembled_through_a_view
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0]
  // CHECK: "tile.assemble"
  // CHECK: pl.tile.extract %[[A]] [0, 0]
  func.func @assembled_through_a_view(%x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>, %p: !pl.tensor<[64, 32] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %u = pl.tile.reshape %t : !pl.tile<32x64xf32, vec> -> !pl.tile<64x32xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %q = pl.tile.load %p[0, 0] sizes [8, 32] : <[64, 32] x f32> -> <8x32xf32, vec>
    %w = pl.op "tile.assemble"(target %u, source %q) {offset = array<i64: 16, 0>} : (!pl.tile<64x32xf32, vec>, !pl.tile<8x32xf32, vec>) -> !pl.tile<64x32xf32, vec>
    %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    %s2 = pl.tile.store %w into %p[0, 0] : <64x32xf32, vec>, <[64, 32] x f32> -> <[64, 32] x f32>
    return
  }

  // A write in front of the first window, or behind the second, is none in between.
  // CHECK-LABEL: @written_before_and_after
  // CHECK: "tile.write"
  // CHECK-NEXT: pl.tile.extract %{{.*}} [8, 0] : <32x64xf32, vec> -> <8x32xf32, vec>
  // CHECK: "tile.write"
  func.func @written_before_and_after(%v: f32, %x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>, %p: !pl.tensor<[32, 64] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %w = pl.op "tile.write"(tile %t, value %v) {indices = array<i64: 8, 0>} : (!pl.tile<32x64xf32, vec>, f32) -> !pl.tile<32x64xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %y = pl.op "tile.write"(tile %t, value %v) {indices = array<i64: 9, 0>} : (!pl.tile<32x64xf32, vec>, f32) -> !pl.tile<32x64xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    %r = pl.tile.store %t into %p[0, 0] : <32x64xf32, vec>, <[32, 64] x f32> -> <[32, 64] x f32>
    return
  }

  // A round of the loop writes what the next one would read.
  // CHECK-LABEL: @written_in_a_loop
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0]
  // CHECK: scf.for
  // CHECK: pl.tile.extract %[[A]] [0, 0]
  func.func @written_in_a_loop(%v: f32, %x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>, %p: !pl.tensor<[32, 64] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    scf.for %i = %c0 to %c4 step %c1 {
      %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
      %e = pl.op "tile.exp"(tile %b) : (!pl.tile<8x32xf32, vec>) -> !pl.tile<8x32xf32, vec>
      %s = pl.tile.store %e into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
      %w = pl.op "tile.write"(tile %t, value %v) {indices = array<i64: 8, 0>} : (!pl.tile<32x64xf32, vec>, f32) -> !pl.tile<32x64xf32, vec>
    }
    %r = pl.tile.store %t into %p[0, 0] : <32x64xf32, vec>, <[32, 64] x f32> -> <[32, 64] x f32>
    return
  }

  // What a loop carries is written by the loop: the window in front of it is of the first value.
  // CHECK-LABEL: @carried
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0]
  // CHECK: scf.for
  // CHECK: pl.tile.extract %[[A]] [0, 0]
  func.func @carried(%x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>, %p: !pl.tensor<[32, 64] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%c = %t) -> (!pl.tile<32x64xf32, vec>) {
      %e = pl.op "tile.exp"(tile %c) : (!pl.tile<32x64xf32, vec>) -> !pl.tile<32x64xf32, vec>
      scf.yield %e : !pl.tile<32x64xf32, vec>
    }
    %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    %r = pl.tile.store %l into %p[0, 0] : <32x64xf32, vec>, <[32, 64] x f32> -> <[32, 64] x f32>
    return
  }

  // Read in a branch, or in a loop around a tile that lives on anyway: one copy less. A window of Mat is read on the way
  // wherever it is.
  // CHECK-LABEL: @inside
  // CHECK: %[[T:.*]] = pl.tile.load
  // CHECK-NOT: pl.tile.extract %[[T]] [8, 0]
  // CHECK: scf.if
  // CHECK-NEXT: pl.tile.extract %[[T]] [8, 32]
  // CHECK: scf.for
  // CHECK-NEXT: pl.tile.extract %[[T]] [8, 0]
  // CHECK: %[[X:.*]] = pl.tile.load
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: pl.tile.extract %[[X]] [0, 32] : <16x128xf16, mat> -> <16x64xf16, left>
  func.func @inside(%f: i1, %x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>, %p: !pl.tensor<[32, 64] x f32>, %g: !pl.tensor<[16, 128] x f16>, %h: !pl.tensor<[64, 32] x f16>, %q: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    scf.if %f {
      %b = pl.tile.extract %a[0, 32] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
      %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    }
    scf.for %i = %c0 to %c4 step %c1 {
      %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
      %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    }
    %r = pl.tile.store %t into %p[0, 0] : <32x64xf32, vec>, <[32, 64] x f32> -> <[32, 64] x f32>
    %m = pl.tile.load %g[0, 0] sizes [16, 128] : <[16, 128] x f16> -> <16x128xf16, mat>
    %n = pl.tile.extract %m[0, 32] : !pl.tile<16x128xf16, mat> -> !pl.tile<16x64xf16, mat>
    %w = pl.tile.load %h[0, 0] sizes [64, 32] : <[64, 32] x f16> -> <64x32xf16, mat>
    scf.for %i = %c0 to %c4 step %c1 {
      %l = pl.tile.move %n : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
      %k = pl.tile.move %w : !pl.tile<64x32xf16, mat> -> !pl.tile<64x32xf16, right>
      %c = pl.tile.matmul %l, %k : !pl.tile<16x64xf16, left>, !pl.tile<64x32xf16, right> -> !pl.tile<16x32xf32, acc>
      %s = pl.tile.store %c into %q[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    }
    return
  }

  // The large tile would live beside another one for a small window's sake.
  // CHECK-LABEL: @room_for_another
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0] : <64x512xf32, vec> -> <8x512xf32, vec>
  // CHECK: pl.tile.load
  // CHECK: pl.tile.extract %[[A]] [0, 0]
  func.func @room_for_another(%x: !pl.tensor<[64, 512] x f32>, %y: !pl.tensor<[48, 512] x f32>, %o: !pl.tensor<[48, 512] x f32>, %p: !pl.tensor<[8, 256] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [64, 512] : <[64, 512] x f32> -> <64x512xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<64x512xf32, vec> -> !pl.tile<8x512xf32, vec>
    %u = pl.tile.load %y[0, 0] sizes [48, 512] : <[48, 512] x f32> -> <48x512xf32, vec>
    %s2 = pl.tile.store %u into %o[0, 0] : <48x512xf32, vec>, <[48, 512] x f32> -> <[48, 512] x f32>
    %b = pl.tile.extract %a[0, 0] : !pl.tile<8x512xf32, vec> -> !pl.tile<8x256xf32, vec>
    %s = pl.tile.store %b into %p[0, 0] : <8x256xf32, vec>, <[8, 256] x f32> -> <[8, 256] x f32>
    return
  }

  // The first copy is needed for another reader: the second one is as good from it.
  // CHECK-LABEL: @two_readers
  // CHECK: %[[A:.*]] = pl.tile.extract %{{.*}} [8, 0]
  // CHECK: "tile.exp"(tile %[[A]])
  // CHECK: pl.tile.extract %[[A]] [0, 0]
  func.func @two_readers(%x: !pl.tensor<[32, 64] x f32>, %o: !pl.tensor<[8, 32] x f32>, %p: !pl.tensor<[8, 64] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x f32> -> <32x64xf32, vec>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<8x64xf32, vec>
    %e = pl.op "tile.exp"(tile %a) : (!pl.tile<8x64xf32, vec>) -> !pl.tile<8x64xf32, vec>
    %b = pl.tile.extract %a[0, 0] : !pl.tile<8x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %s = pl.tile.store %b into %o[0, 0] : <8x32xf32, vec>, <[8, 32] x f32> -> <[8, 32] x f32>
    %r = pl.tile.store %e into %p[0, 0] : <8x64xf32, vec>, <[8, 64] x f32> -> <[8, 64] x f32>
    return
  }

  // Three in a chain; a static valid part goes along, one that a run decides stays where it is.
  // CHECK-LABEL: @three
  // CHECK: %[[T:.*]] = pl.tile.load
  // CHECK-NEXT: pl.tile.extract %[[T]] [12, 24] : <32x128xf32, vec, valid = [24, 128]> -> <4x16xf32, vec>
  // CHECK: %[[U:.*]] = pl.tile.load
  // CHECK: %[[A:.*]] = pl.tile.extract %[[U]] [8, 0]
  // CHECK: pl.tile.extract %[[A]] [0, 0]
  func.func @three(%n: index, %x: !pl.tensor<[32, 128] x f32>, %o: !pl.tensor<[4, 16] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 128] valid [24, 128] : <[32, 128] x f32> -> <32x128xf32, vec, valid = [24, 128]>
    %a = pl.tile.extract %t[8, 0] : !pl.tile<32x128xf32, vec, valid = [24, 128]> -> !pl.tile<16x64xf32, vec>
    %b = pl.tile.extract %a[4, 16] : !pl.tile<16x64xf32, vec> -> !pl.tile<8x32xf32, vec>
    %c = pl.tile.extract %b[0, 8] : !pl.tile<8x32xf32, vec> -> !pl.tile<4x16xf32, vec>
    %s = pl.tile.store %c into %o[0, 0] : <4x16xf32, vec>, <[4, 16] x f32> -> <[4, 16] x f32>
    %u = pl.tile.load %x[0, 0] sizes [32, 128] valid [%n, 128] : <[32, 128] x f32> -> <32x128xf32, vec, valid = [?, 128]>
    %d = pl.tile.extract %u[8, 0] : !pl.tile<32x128xf32, vec, valid = [?, 128]> -> !pl.tile<8x32xf32, vec>
    %e = pl.tile.extract %d[0, 0] : !pl.tile<8x32xf32, vec> -> !pl.tile<4x16xf32, vec>
    %r = pl.tile.store %e into %o[0, 0] : <4x16xf32, vec>, <[4, 16] x f32> -> <[4, 16] x f32>
    return
  }

  // Multiples stay multiples in any integer type; the transposed view of a slice of a slice exchanges their sum.
  // CHECK-LABEL: @sums_of_multiples
  // CHECK-SAME: %[[N:[a-z0-9]+]]: i32
  // CHECK: %[[W:.*]] = pl.tile.load
  // CHECK: %[[M:.*]] = arith.muli %[[N]]
  // CHECK: %[[C:.*]] = pl.cast %[[M]] : i32 -> index
  // CHECK: %[[SUM:.*]] = arith.addi %[[C]], %{{.*}} : index
  // CHECK: %[[V:.*]] = pl.tile.transpose_view %[[W]]
  // CHECK: pl.tile.extract %[[V]] [64, %[[SUM]]] : <128x128xf16, mat, transposed> -> <64x32xf16, right>
  func.func @sums_of_multiples(%n: i32, %x: !pl.tensor<[16, 64] x f16>, %w: !pl.tensor<[128, 128] x f16>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %sixteen = arith.constant 16 : i32
    %b = pl.tile.load %w[0, 0] sizes [128, 128] : <[128, 128] x f16> -> <128x128xf16, mat>
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f16> -> <16x64xf16, mat>
    %l = pl.tile.move %a : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    %m = arith.muli %n, %sixteen : i32
    %mi = pl.cast %m : i32 -> index
    %s1 = pl.tile.extract %b[%mi, 0] : !pl.tile<128x128xf16, mat> -> !pl.tile<64x128xf16, mat>
    %s2 = pl.tile.extract %s1[16, 64] : !pl.tile<64x128xf16, mat> -> !pl.tile<32x64xf16, mat>
    %t = pl.tile.transpose_view %s2 : !pl.tile<32x64xf16, mat> -> !pl.tile<64x32xf16, mat, transposed>
    %r = pl.tile.move %t : !pl.tile<64x32xf16, mat, transposed> -> !pl.tile<64x32xf16, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf16, left>, !pl.tile<64x32xf16, right> -> !pl.tile<16x32xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }

  // Bytes: the left operand begins at any fractal, the right one at a square, and the other way round for views.
  // CHECK-LABEL: @bytes
  // CHECK: pl.tile.extract %{{.*}} [16, 32] : <64x64xi8, mat> -> <32x32xi8, left>
  // CHECK: pl.tile.extract %{{.*}} [32, 32] : <64x64xi8, mat> -> <32x32xi8, right>
  // CHECK: pl.tile.extract %{{.*}} [32, 16] : <64x64xi8, mat, transposed> -> <32x32xi8, right>
  func.func @bytes(%x: !pl.tensor<[64, 64] x i8>, %o: !pl.tensor<[32, 32] x i32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [64, 64] : <[64, 64] x i8> -> <64x64xi8, mat>
    %as = pl.tile.extract %a[16, 32] : !pl.tile<64x64xi8, mat> -> !pl.tile<32x32xi8, mat>
    %l = pl.tile.move %as : !pl.tile<32x32xi8, mat> -> !pl.tile<32x32xi8, left>
    %bs = pl.tile.extract %a[32, 32] : !pl.tile<64x64xi8, mat> -> !pl.tile<32x32xi8, mat>
    %r = pl.tile.move %bs : !pl.tile<32x32xi8, mat> -> !pl.tile<32x32xi8, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<32x32xi8, left>, !pl.tile<32x32xi8, right> -> !pl.tile<32x32xi32, acc>
    %t = pl.tile.transpose_view %a : !pl.tile<64x64xi8, mat> -> !pl.tile<64x64xi8, mat, transposed>
    %ts = pl.tile.extract %t[32, 16] : !pl.tile<64x64xi8, mat, transposed> -> !pl.tile<32x32xi8, mat, transposed>
    %u = pl.tile.move %ts : !pl.tile<32x32xi8, mat, transposed> -> !pl.tile<32x32xi8, right>
    %d = pl.tile.matmul_acc %c, %l, %u : !pl.tile<32x32xi32, acc>, !pl.tile<32x32xi8, left>, !pl.tile<32x32xi8, right> -> !pl.tile<32x32xi32, acc>
    %s = pl.tile.store %d into %o[0, 0] : <32x32xi32, acc>, <[32, 32] x i32> -> <[32, 32] x i32>
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

// -----

module attributes {pl.arch = "a3"} {
  func.func @inside_a_square(%x: !pl.tensor<[32, 64] x i8>, %w: !pl.tensor<[96, 64] x i8>, %o: !pl.tensor<[32, 64] x i32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [32, 64] : <[32, 64] x i8> -> <32x64xi8, mat>
    %b = pl.tile.load %w[0, 0] sizes [96, 64] : <[96, 64] x i8> -> <96x64xi8, mat>
    // expected-error @+1 {{the slice begins at row 16 of Mat tile [96, 64] INT8: an operand of a product begins at whole fractals, here at blocks of 32 by 32}}
    %bs = pl.tile.extract %b[16, 0] : !pl.tile<96x64xi8, mat> -> !pl.tile<64x64xi8, mat>
    %l = pl.tile.move %a : !pl.tile<32x64xi8, mat> -> !pl.tile<32x64xi8, left>
    %r = pl.tile.move %bs : !pl.tile<64x64xi8, mat> -> !pl.tile<64x64xi8, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<32x64xi8, left>, !pl.tile<64x64xi8, right> -> !pl.tile<32x64xi32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <32x64xi32, acc>, <[32, 64] x i32> -> <[32, 64] x i32>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @left_of_a_view(%x: !pl.tensor<[64, 96] x i8>, %w: !pl.tensor<[64, 64] x i8>, %o: !pl.tensor<[32, 64] x i32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [64, 96] : <[64, 96] x i8> -> <64x96xi8, mat>
    %b = pl.tile.load %w[0, 0] sizes [64, 64] : <[64, 64] x i8> -> <64x64xi8, mat>
    %t = pl.tile.transpose_view %a : !pl.tile<64x96xi8, mat> -> !pl.tile<96x64xi8, mat, transposed>
    // expected-error @+1 {{the slice begins at column 16 of Mat tile [96, 64] INT8, transposed: an operand of a product begins at whole fractals, here at blocks of 32 by 32}}
    %ts = pl.tile.extract %t[32, 16] : !pl.tile<96x64xi8, mat, transposed> -> !pl.tile<32x32xi8, mat, transposed>
    %bs = pl.tile.extract %b[0, 0] : !pl.tile<64x64xi8, mat> -> !pl.tile<32x64xi8, mat>
    %l = pl.tile.move %ts : !pl.tile<32x32xi8, mat, transposed> -> !pl.tile<32x32xi8, left>
    %r = pl.tile.move %bs : !pl.tile<32x64xi8, mat> -> !pl.tile<32x64xi8, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<32x32xi8, left>, !pl.tile<32x64xi8, right> -> !pl.tile<32x64xi32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <32x64xi32, acc>, <[32, 64] x i32> -> <[32, 64] x i32>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @floats(%x: !pl.tensor<[16, 64] x f32>, %w: !pl.tensor<[64, 64] x f32>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, mat>
    %b = pl.tile.load %w[0, 0] sizes [64, 64] : <[64, 64] x f32> -> <64x64xf32, mat>
    // expected-error @+1 {{the slice begins at column 8 of Mat tile [64, 64] FP32: an operand of a product begins at whole fractals, here at blocks of 16 by 16}}
    %bs = pl.tile.extract %b[0, 8] : !pl.tile<64x64xf32, mat> -> !pl.tile<64x32xf32, mat>
    %l = pl.tile.move %a : !pl.tile<16x64xf32, mat> -> !pl.tile<16x64xf32, left>
    %r = pl.tile.move %bs : !pl.tile<64x32xf32, mat> -> !pl.tile<64x32xf32, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf32, left>, !pl.tile<64x32xf32, right> -> !pl.tile<16x32xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }
}

// -----

// Told where the slice is, in its own axes, though a view came behind it.
module attributes {pl.arch = "a3"} {
  func.func @in_front_of_a_view(%x: !pl.tensor<[16, 64] x f16>, %w: !pl.tensor<[64, 128] x f16>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %b = pl.tile.load %w[0, 0] sizes [64, 128] : <[64, 128] x f16> -> <64x128xf16, mat>
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f16> -> <16x64xf16, mat>
    %l = pl.tile.move %a : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    // expected-error @+1 {{the slice begins at row 8 of Mat tile [64, 128] FP16: an operand}}
    %bs = pl.tile.extract %b[8, 64] : !pl.tile<64x128xf16, mat> -> !pl.tile<32x64xf16, mat>
    %t = pl.tile.transpose_view %bs : !pl.tile<32x64xf16, mat> -> !pl.tile<64x32xf16, mat, transposed>
    %r = pl.tile.move %t : !pl.tile<64x32xf16, mat, transposed> -> !pl.tile<64x32xf16, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf16, left>, !pl.tile<64x32xf16, right> -> !pl.tile<16x32xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }
}

// -----

// The last slice that begins inside a fractal by itself is to blame.
module attributes {pl.arch = "a3"} {
  func.func @which_of_them(%x: !pl.tensor<[96, 64] x f16>, %w: !pl.tensor<[64, 32] x f16>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [96, 64] : <[96, 64] x f16> -> <96x64xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [64, 32] : <[64, 32] x f16> -> <64x32xf16, mat>
    // expected-error @+1 {{the slice begins at row 8 of Mat tile [96, 64] FP16}}
    %as = pl.tile.extract %a[8, 0] : !pl.tile<96x64xf16, mat> -> !pl.tile<64x64xf16, mat>
    %at = pl.tile.extract %as[16, 0] : !pl.tile<64x64xf16, mat> -> !pl.tile<16x64xf16, mat>
    %l = pl.tile.move %at : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    %r = pl.tile.move %b : !pl.tile<64x32xf16, mat> -> !pl.tile<64x32xf16, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf16, left>, !pl.tile<64x32xf16, right> -> !pl.tile<16x32xf32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <16x32xf32, acc>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @uneven(%x: !pl.tensor<[32, 32] x i8>, %w: !pl.tensor<[48, 64] x i8>, %o: !pl.tensor<[32, 64] x i32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [32, 32] : <[32, 32] x i8> -> <32x32xi8, mat>
    %b = pl.tile.load %w[0, 0] sizes [48, 64] : <[48, 64] x i8> -> <48x64xi8, mat> loc(fused<{target = [loc("k.py":4:30)]}>["k.py":4:5])
    %bs = pl.tile.extract %b[0, 0] : !pl.tile<48x64xi8, mat> -> !pl.tile<32x64xi8, mat>
    %l = pl.tile.move %a : !pl.tile<32x32xi8, mat> -> !pl.tile<32x32xi8, left>
    // expected-error @+2 {{the operand is read transposed from tile [48, 64] INT8, which then is made of blocks of 32 by 32}}
    // expected-note @+1 {{make both extents multiples of 32 and say with `valid_shape=` what is live}}
    %r = pl.tile.move %bs : !pl.tile<32x64xi8, mat> -> !pl.tile<32x64xi8, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<32x32xi8, left>, !pl.tile<32x64xi8, right> -> !pl.tile<32x64xi32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <32x64xi32, acc>, <[32, 64] x i32> -> <[32, 64] x i32>
    return
  }
}

// -----

// An operand that the compiler loads is its own to pad.
// CHECK-LABEL: @uneven_and_implied
// CHECK: pl.tile.extract {{.*}}pl.not_lowered = "the operand [48, 64] INT8, which is read transposed and not made of whole blocks,"
module attributes {pl.arch = "a3"} {
  func.func @uneven_and_implied(%x: !pl.tensor<[32, 32] x i8>, %w: !pl.tensor<[48, 64] x i8>, %o: !pl.tensor<[32, 64] x i32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [32, 32] : <[32, 32] x i8> -> <32x32xi8, mat>
    %b = pl.tile.load %w[0, 0] sizes [48, 64] : <[48, 64] x i8> -> <48x64xi8, mat>
    %bs = pl.tile.extract %b[0, 0] : !pl.tile<48x64xi8, mat> -> !pl.tile<32x64xi8, mat>
    %l = pl.tile.move %a : !pl.tile<32x32xi8, mat> -> !pl.tile<32x32xi8, left>
    %r = pl.tile.move %bs : !pl.tile<32x64xi8, mat> -> !pl.tile<32x64xi8, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<32x32xi8, left>, !pl.tile<32x64xi8, right> -> !pl.tile<32x64xi32, acc>
    %s = pl.tile.store %c into %o[0, 0] : <32x64xi32, acc>, <[32, 64] x i32> -> <[32, 64] x i32>
    return
  }
}
