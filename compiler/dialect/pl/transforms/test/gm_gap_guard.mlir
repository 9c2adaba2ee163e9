// RUN: placid-opt %s --pl-block-nz-tensor-views --split-input-file --verify-diagnostics=only-expected
// The temporary GM row gap guard; goes when it goes (see analysis/gm_gap_guard.h).

func.func @too_far(%w: !pl.tensor<[65552, 64] x f16, nz> {pl.name = "w"}) {
  // expected-error @+1 {{leaves a GM row gap of 65536 32-byte blocks (65552 rows - 16 loaded), above the 65535}}
  %t = pl.tile.load %w [0, 0] sizes [16, 64] : !pl.tensor<[65552, 64] x f16, nz> -> !pl.tile<16x64xf16, mat>
  return
}
