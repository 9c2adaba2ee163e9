// RUN: placid-opt %s --pl-legalize-vector-ops --split-input-file --verify-diagnostics | FileCheck %s
// Columns of wider tiles, and hints that no instruction takes.

module attributes {pl.arch = "a3"} {
  // The line of 32 bytes that the column is in is turned; the column is then one of its rows.
  // CHECK-LABEL: @column
  // CHECK: %[[LINE:.*]] = pl.tile.extract %{{.*}}[0, 8] : <16x64xf32, vec> -> <16x8xf32, vec>
  // CHECK: %[[TURNED:.*]] = pl.op "tile.transpose"(tile %[[LINE]], tmp_tile %{{.*}}) {{.*}} -> !pl.tile<8x16xf32, vec>
  // CHECK: %[[ROW:.*]] = pl.tile.extract %[[TURNED]] [5, 0] : <8x16xf32, vec> -> <1x16xf32, vec>
  // CHECK: pl.tile.reshape %[[ROW]] : <1x16xf32, vec> -> <16x1xf32, vec>
  func.func @column(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 1] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %c = pl.tile.extract %t[0, 13] : <16x64xf32, vec> -> <16x1xf32, vec>
    %s = pl.tile.store %c into %o[0, 0] : <16x1xf32, vec>, <[16, 1] x f32> -> <[16, 1] x f32>
    return
  }

  // CHECK-LABEL: @counted
  // CHECK: %[[LINES:.*]] = arith.floordivsi %[[N:.*]], %[[EIGHT:.*]] : index
  // CHECK: %[[BASE:.*]] = arith.muli %[[LINES]], %[[EIGHT]] : index
  // CHECK: %[[WITHIN:.*]] = arith.subi %[[N]], %[[BASE]] : index
  // CHECK: pl.tile.extract %{{.*}}[0, %[[BASE]]]
  // CHECK: pl.tile.extract %{{.*}}[%[[WITHIN]], 0]
  func.func @counted(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 1] x f32>, %n: index) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %c = pl.tile.extract %t[0, %n : index] : <16x64xf32, vec> -> <16x1xf32, vec>
    %s = pl.tile.store %c into %o[0, 0] : <16x1xf32, vec>, <[16, 1] x f32> -> <[16, 1] x f32>
    return
  }

  // Of a product, it is the vector core's, and so are views of it.
  // CHECK-LABEL: @of_a_product
  // CHECK: pl.tile.extract %{{.*}}[0, 0] : <16x64xf32, acc> -> <16x8xf32, vec>
  // CHECK: pl.tile.reshape %{{.*}} : <16x1xf32, vec> -> <1x16xf32, vec>
  func.func @of_a_product(%t: !pl.tile<16x64xf32, acc>, %o: !pl.tensor<[1, 16] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.extract %t[0, 5] : <16x64xf32, acc> -> <16x1xf32, acc>
    %r = pl.tile.reshape %c : <16x1xf32, acc> -> <1x16xf32, acc>
    %s = pl.tile.store %r into %o[0, 0] : <1x16xf32, acc>, <[1, 16] x f32> -> <[1, 16] x f32>
    return
  }

  // A column of a column stays a window of it.
  // CHECK-LABEL: @part_of_a_column
  // CHECK-NOT: tile.transpose
  func.func @part_of_a_column(%x: !pl.tensor<[32, 1] x f32>, %o: !pl.tensor<[16, 1] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [32, 1] : <[32, 1] x f32> -> <32x1xf32, vec>
    %c = pl.tile.extract %t[16, 0] : <32x1xf32, vec> -> <16x1xf32, vec>
    %s = pl.tile.store %c into %o[0, 0] : <16x1xf32, vec>, <[16, 1] x f32> -> <[16, 1] x f32>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  // CHECK-LABEL: @hints
  // CHECK-NOT: prefetch
  // CHECK: %[[OVER:.*]] = arith.constant true
  // CHECK: scf.if %[[OVER]]
  func.func @hints(%x: !pl.tensor<[1024] x f32>, %o: !pl.tensor<[16, 64] x f32>, %y: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    // expected-remark @+1 {{the prefetches of this kernel are left out: PTO IR has no instruction for them}}
    %c = pl.op "prefetch.make_context"() : () -> !pl.handle<context>
    %e = pl.op "prefetch.async_prefetch"(src %x, ctx %c) : (!pl.tensor<[1024] x f32>, !pl.handle<context>) -> !pl.handle<event>
    %s = pl.op "prefetch.session"(ctx %c) : (!pl.handle<context>) -> !pl.handle<session>
    %b = pl.op "prefetch.wait"(event %e, session_handle %s) : (!pl.handle<event>, !pl.handle<session>) -> i1
    scf.if %b {
      %t = pl.tile.load %y[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
      %w = pl.tile.store %t into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    }
    return
  }
}
