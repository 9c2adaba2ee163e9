// RUN: placid-opt %s --pl-allocate-memory-addr --split-input-file --verify-diagnostics

module attributes {pl.arch = "a3"} {
  func.func @one_tile(%x: !pl.tensor<[1024, 512] x f16>) attributes {pl.kind = "incore"} {
    // expected-error @+2 {{tile `w_l1` [1024, 512] FP16 needs 1048576 bytes of Mat (L1), which has 524288}}
    // expected-note @+1 {{use a smaller tile}}
    %a = pl.tile.load %x[0, 0] sizes [1024, 512] {pl.result = "w_l1"} : !pl.tensor<[1024, 512] x f16> -> !pl.tile<1024x512xf16, mat>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  // Two of the three fit; the third is named, and what it meets. Each memory reports once.
  func.func @together(%x: !pl.tensor<[512, 256] x f16>) attributes {pl.kind = "incore"} {
    // expected-note @+1 {{`a` [512, 256] FP16 takes 262144 bytes}}
    %a = pl.tile.load %x[0, 0] sizes [512, 256] {pl.result = "a"} : !pl.tensor<[512, 256] x f16> -> !pl.tile<512x256xf16, mat>
    // expected-note @+1 {{`b` [512, 256] FP16 takes 262144 bytes}}
    %b = pl.tile.load %x[0, 0] sizes [512, 256] {pl.result = "b"} : !pl.tensor<[512, 256] x f16> -> !pl.tile<512x256xf16, mat>
    // expected-error @+2 {{with tile `c` [16, 16] FP16 the tiles alive here need 524800 bytes of Mat (L1), which has 524288}}
    // expected-note @+1 {{use smaller tiles}}
    %c = pl.tile.load %x[0, 0] sizes [16, 16] {pl.result = "c"} : !pl.tensor<[512, 256] x f16> -> !pl.tile<16x16xf16, mat>
    %0 = pl.tile.extract %a[0, 0] : !pl.tile<512x256xf16, mat> -> !pl.tile<16x16xf16, left>
    %1 = pl.tile.extract %b[0, 0] : !pl.tile<512x256xf16, mat> -> !pl.tile<16x16xf16, left>
    %2 = pl.tile.move %c : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, left>
    // expected-error @+2 {{needs 131072 bytes of Left (L0A), which has 65536}}
    // expected-note @+1 {{use a smaller tile}}
    %3 = pl.tile.extract %a[0, 0] {pl.result = "big"} : !pl.tile<512x256xf16, mat> -> !pl.tile<256x256xf16, left>
    return
  }
}

// -----

// L0C is twice as large on A5.
module attributes {pl.arch = "a5"} {
  func.func @a5(%a: !pl.tile<256x16xf16, left>, %b: !pl.tile<16x256xf16, right>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<256x16xf16, left>, !pl.tile<16x256xf16, right> -> !pl.tile<256x256xf32, acc>
    return
  }
}

// -----

// The count of bytes saturates instead of wrapping to something small.
module attributes {pl.arch = "a3"} {
  func.func @absurd(%x: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    // expected-error @+2 {{tile `t` [3037000500, 3037000500] FP32 needs more than 2^60 bytes of Vec (UB), which has 188416}}
    // expected-note @+1 {{use a smaller tile}}
    %t = pl.tile.create {pl.result = "t"} : !pl.tile<3037000500x3037000500xf32, vec>
    // expected-error @+2 {{tile `u` [4611686018427387904, 4611686018427387904, 16] FP32 needs more than 2^60 bytes of Mat (L1)}}
    // expected-note @+1 {{use a smaller tile}}
    %u = pl.tile.create {pl.result = "u"} : !pl.tile<4611686018427387904x4611686018427387904x16xf32, mat>
    return
  }
}
