// RUN: placid-opt %s --pl-check-acc-stores --split-input-file --verify-diagnostics

// Operands that were moved by hand cannot be cut.
module attributes {pl.arch = "a2"} {
  // expected-note @+1 {{is declared NZ here}}
  func.func @by_hand(%a: !pl.tile<1024x16xf16, left>, %b: !pl.tile<16x48xf16, right>, %out: !pl.tensor<[1, 6, 64, 16, 8] x f32, nz>) attributes {pl.kind = "incore"} {
    // expected-note @+1 {{the accumulator is made here}}
    %c = pl.tile.matmul %a, %b {pl.result = "acc"} : !pl.tile<1024x16xf16, left>, !pl.tile<16x48xf16, right> -> !pl.tile<1024x48xf32, acc>
    // expected-error @+2 {{the NZ store of `acc` drains 1024 x 48 elements at once: 196608 bytes, and L0C has 131072}}
    // expected-note @+1 {{give the product to exactly one store}}
    %0 = pl.tile.store %c into %out[0, 0, 0, 0, 0] sizes [1, 6, 64, 16, 8] : !pl.tile<1024x48xf32, acc>, !pl.tensor<[1, 6, 64, 16, 8] x f32, nz> -> !pl.tensor<[1, 6, 64, 16, 8] x f32, nz>
    return
  }
}

// -----

// Exactly the capacity is fine; an ND store of the oversized tile is the allocator's business.
module attributes {pl.arch = "a3"} {
  func.func @fine(%c: !pl.tile<256x128xf32, acc>, %d: !pl.tile<1024x48xf32, acc>, %out: !pl.tensor<[1, 16, 16, 16, 8] x f32, nz>, %nd: !pl.tensor<[1024, 48] x f32>) attributes {pl.kind = "incore"} {
    %0 = pl.tile.store %c into %out[0, 0, 0, 0, 0] sizes [1, 16, 16, 16, 8] : !pl.tile<256x128xf32, acc>, !pl.tensor<[1, 16, 16, 16, 8] x f32, nz> -> !pl.tensor<[1, 16, 16, 16, 8] x f32, nz>
    %1 = pl.tile.store %d into %nd[0, 0] : !pl.tile<1024x48xf32, acc>, !pl.tensor<[1024, 48] x f32> -> !pl.tensor<[1024, 48] x f32>
    return
  }
}
