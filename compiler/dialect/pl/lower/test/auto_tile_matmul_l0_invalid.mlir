// RUN: placid-opt %s --pl-auto-tile-matmul-l0 --split-input-file --verify-diagnostics | FileCheck %s
// A refused function is marked; the module goes on, so that the other kernel is still cut.

module attributes {pl.arch = "a3"} {
  // 2048 rows fit L0C exactly, but not half of L0A.
  // CHECK-LABEL: func.func @full_rows
  // CHECK-SAME: pl.failed
  // expected-note @+1 {{is declared NZ here}}
  func.func @full_rows(%a: !pl.tile<2048x16xf16, mat>, %b: !pl.tile<16x16xf16, mat>, %out: !pl.tensor<[1, 2, 128, 16, 8] x f32, nz>) attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    // expected-note @+1 {{the product is made here}}
    %c = pl.tile.matmul %a, %b {pl.result = "acc"} : !pl.tile<2048x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<2048x16xf32, acc>
    // expected-error @+2 {{no L0 tile keeps all 2048 rows of `acc`: an NZ store covers the whole row axis, so only the 16 columns and K can be split; the 2048 x 16 accumulator is 131072 bytes of 131072 in L0C}}
    // expected-note @+1 {{store panels of fewer rows}}
    %0 = pl.tile.store %c into %out[0, 0, 0, 0, 0] sizes [1, 2, 128, 16, 8] : !pl.tile<2048x16xf32, acc>, !pl.tensor<[1, 2, 128, 16, 8] x f32, nz> -> !pl.tensor<[1, 2, 128, 16, 8] x f32, nz>
    return
  }
  // CHECK-LABEL: func.func @other
  // CHECK-NOT: pl.failed
  // CHECK: pl.tile.extract
  func.func @other(%a: !pl.tile<64x512xf16, mat>, %b: !pl.tile<512x64xf16, mat>, %out: !pl.tensor<[64, 64] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<64x512xf16, mat>, !pl.tile<512x64xf16, mat> -> !pl.tile<64x64xf32, acc>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<64x64xf32, acc>, !pl.tensor<[64, 64] x f32> -> !pl.tensor<[64, 64] x f32>
    return
  }
}

// -----

// One fractal more than L0C holds at 16 columns.
module attributes {pl.arch = "a3"} {
  // expected-note @+1 {{is declared NZ here}}
  func.func @one_over(%a: !pl.tile<2064x16xf16, mat>, %b: !pl.tile<16x16xf16, mat>, %out: !pl.tensor<[1, 2, 129, 16, 8] x f32, nz>) attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    // expected-note @+1 {{the product is made here}}
    %c = pl.tile.matmul %a, %b : !pl.tile<2064x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<2064x16xf32, acc>
    // expected-error @+2 {{accumulator is 132096 bytes of 131072 in L0C}}
    // expected-note @+1 {{store panels of fewer rows}}
    %0 = pl.tile.store %c into %out[0, 0, 0, 0, 0] sizes [1, 2, 129, 16, 8] : !pl.tile<2064x16xf32, acc>, !pl.tensor<[1, 2, 129, 16, 8] x f32, nz> -> !pl.tensor<[1, 2, 129, 16, 8] x f32, nz>
    return
  }
}
