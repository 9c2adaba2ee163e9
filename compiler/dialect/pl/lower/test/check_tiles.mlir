// RUN: placid-opt %s --pl-check-tiles --split-input-file --verify-diagnostics

// Rows of a Vec tile are whole 32-byte blocks, a column vector is one as a whole.
func.func @lines(%x: !pl.tensor<[64, 128] x f16>, %y: !pl.tensor<[64, 64] x f32>) attributes {pl.kind = "incore"} {
  // expected-note @+2 {{make it a multiple of 16 and say with `valid_shape=` what is live}}
  // expected-error @+1 {{a row of a tile [64, 4] FP16 is 8 bytes: in Vec it is whole 32-byte blocks, 16 elements of FP16}}
  %a = pl.tile.load %x [0, 0] sizes [64, 4] : !pl.tensor<[64, 128] x f16> -> !pl.tile<64x4xf16, vec>
  %b = pl.tile.load %x [0, 0] sizes [64, 16] : !pl.tensor<[64, 128] x f16> -> !pl.tile<64x16xf16, vec>
  %c = pl.tile.load %y [0, 0] sizes [16, 1] : !pl.tensor<[64, 64] x f32> -> !pl.tile<16x1xf32, vec>
  // expected-note @+2 {{make it a multiple of 8 and say with `valid_shape=` what is live}}
  // expected-error @+1 {{the column of a tile [6, 1] FP32 is 24 bytes}}
  %d = pl.tile.load %y [0, 0] sizes [6, 1] : !pl.tensor<[64, 64] x f32> -> !pl.tile<6x1xf32, vec>
  // expected-note @+2 {{make it a multiple of 8 and say with `valid_shape=` what is live}}
  // expected-error @+1 {{a row of tile `t` [16, 3] FP32 is 12 bytes}}
  %e = pl.tile.create {pl.result = "t"} : !pl.tile<16x3xf32, vec>
  return
}

// -----

// A Mat tile is whole fractals, or one row.
func.func @fractals(%x: !pl.tensor<[128, 64] x f16>) attributes {pl.kind = "incore"} {
  // expected-note @+2 {{make it a multiple of 16 and say with `valid_shape=` what is live}}
  // expected-error @+1 {{a tile [128, 4] FP16 has 4 columns: in Mat it is a multiple of 16}}
  %a = pl.tile.load %x [0, 0] sizes [128, 4] : !pl.tensor<[128, 64] x f16> -> !pl.tile<128x4xf16, mat>
  // expected-note @+2 {{make it a multiple of 16 and say with `valid_shape=` what is live}}
  // expected-error @+1 {{a tile [8, 64] FP16 has 8 rows: in Mat it is a multiple of 16}}
  %b = pl.tile.load %x [0, 0] sizes [8, 64] : !pl.tensor<[128, 64] x f16> -> !pl.tile<8x64xf16, mat>
  %c = pl.tile.load %x [0, 0] sizes [1, 64] : !pl.tensor<[128, 64] x f16> -> !pl.tile<1x64xf16, mat>
  return
}

// NZ windows have rules and words of their own, and decide what stands beside them.
func.func @beside_nz(%x: !pl.tensor<[128, 64] x f16>, %w: !pl.tensor<[128, 64] x f16, nz>) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [0, 0] sizes [8, 64] : !pl.tensor<[128, 64] x f16> -> !pl.tile<8x64xf16, mat>
  %d = pl.tile.load %w [0, 0] sizes [8, 64] : !pl.tensor<[128, 64] x f16, nz> -> !pl.tile<8x64xf16, mat>
  return
}

// -----

!big = !pl.tensor<[512, 256] x f32>

func.func @one_tile(%x: !big) attributes {pl.kind = "incore"} {
  // expected-note @+2 {{use a smaller tile}}
  // expected-error @+1 {{a tile [256, 256] FP32 needs 262144 bytes of Vec (UB), which has 188416}}
  %a = pl.tile.load %x [0, 0] sizes [256, 256] : !big -> !pl.tile<256x256xf32, vec>
  return
}

// -----

!big = !pl.tensor<[512, 256] x f32>
!t = !pl.tile<64x256xf32, vec>

// The third tile is one too many; a fourth that takes the place of a consumed one is not.
func.func @together(%x: !big, %o: !big) attributes {pl.kind = "incore"} {
  // expected-note @+1 {{a tile [64, 256] FP32 takes 65536 bytes}}
  %a = pl.tile.load %x [0, 0] sizes [64, 256] : !big -> !t
  // expected-note @+1 {{a tile [64, 256] FP32 takes 65536 bytes}}
  %b = pl.tile.load %x [64, 0] sizes [64, 256] : !big -> !t
  // expected-note @+2 {{use smaller tiles, or load a tile after the last use of another}}
  // expected-error @+1 {{with a tile [64, 256] FP32 the tiles alive here need 196608 bytes of Vec (UB), which has 188416}}
  %c = pl.tile.load %x [128, 0] sizes [64, 256] : !big -> !t
  %s = pl.tile.store %a into %o [0, 0] : !t, !big -> !big
  %u = pl.tile.store %b into %s [64, 0] : !t, !big -> !big
  %v = pl.tile.store %c into %u [128, 0] : !t, !big -> !big
  return
}

func.func @in_turn(%x: !big, %o: !big) attributes {pl.kind = "incore"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = pl.tile.load %x [0, 0] sizes [64, 256] : !big -> !t
  %r = pl.tile.reshape %a : !t -> !pl.tile<128x128xf32, vec>
  %q = pl.tile.reshape %r : !pl.tile<128x128xf32, vec> -> !t
  scf.for %i = %c0 to %c8 step %c1 {
    %b = pl.tile.load %x [64, 0] sizes [64, 256] : !big -> !t
    %s = pl.tile.store %b into %o [0, 0] : !t, !big -> !big
    %c = pl.tile.load %x [128, 0] sizes [64, 256] : !big -> !t
    %u = pl.tile.store %c into %o [64, 0] : !t, !big -> !big
  }
  %v = pl.tile.store %q into %o [128, 0] : !t, !big -> !big
  return
}

// -----

!row = !pl.tile<1x40960xf32, vec>

// The split along the rows leaves a tile of one row whole, and halves one of two.
func.func @whole_rows(%x: !pl.tensor<[2, 40960] x f32>, %o: !pl.tensor<[2, 40960] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
  // expected-note @+1 {{a tile [1, 40960] FP32 takes 163840 bytes}}
  %a = pl.tile.load %x [0, 0] sizes [1, 40960] : !pl.tensor<[2, 40960] x f32> -> !row
  // expected-note @+2 {{use smaller tiles, or load a tile after the last use of another}}
  // expected-error @+1 {{with a tile [1, 40960] FP32 the tiles alive here need 327680 bytes of Vec (UB), which has 188416}}
  %b = pl.tile.load %x [1, 0] sizes [1, 40960] : !pl.tensor<[2, 40960] x f32> -> !row
  %s = pl.tile.store %a into %o [0, 0] : !row, !pl.tensor<[2, 40960] x f32> -> !pl.tensor<[2, 40960] x f32>
  %u = pl.tile.store %b into %s [1, 0] : !row, !pl.tensor<[2, 40960] x f32> -> !pl.tensor<[2, 40960] x f32>
  return
}

func.func @half_rows(%x: !pl.tensor<[2, 40960] x f32>, %o: !pl.tensor<[2, 40960] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
  %a = pl.tile.load %x [0, 0] sizes [2, 40960] : !pl.tensor<[2, 40960] x f32> -> !pl.tile<2x40960xf32, vec>
  %s = pl.tile.store %a into %o [0, 0] : !pl.tile<2x40960xf32, vec>, !pl.tensor<[2, 40960] x f32> -> !pl.tensor<[2, 40960] x f32>
  return
}

func.func @half_columns(%x: !pl.tensor<[2, 40960] x f32>, %o: !pl.tensor<[2, 40960] x f32>) attributes {pl.kind = "incore", pl.split = 1 : i64} {
  %a = pl.tile.load %x [0, 0] sizes [1, 40960] : !pl.tensor<[2, 40960] x f32> -> !row
  %b = pl.tile.load %x [1, 0] sizes [1, 40960] : !pl.tensor<[2, 40960] x f32> -> !row
  %s = pl.tile.store %a into %o [0, 0] : !row, !pl.tensor<[2, 40960] x f32> -> !pl.tensor<[2, 40960] x f32>
  %u = pl.tile.store %b into %s [1, 0] : !row, !pl.tensor<[2, 40960] x f32> -> !pl.tensor<[2, 40960] x f32>
  return
}

// Even half of it is too much.
func.func @half_too_big(%x: !pl.tensor<[512, 256] x f32>) attributes {pl.kind = "incore", pl.split} {
  // expected-note @+2 {{use a smaller tile}}
  // expected-error @+1 {{half of a tile [512, 256] FP32 needs 262144 bytes of Vec (UB), which has 188416}}
  %a = pl.tile.load %x [0, 0] sizes [512, 256] : !pl.tensor<[512, 256] x f32> -> !pl.tile<512x256xf32, vec>
  return
}
