// RUN: placid-opt %s --pl-flatten-tile-nd-to-2d --split-input-file --verify-diagnostics

func.func @scattered_rows(%x: !pl.tensor<[4, 16, 64] x f16>) attributes {pl.kind = "incore"} {
  // expected-error @+1 {{a load to Mat of a window that is not one run of rows}}
  %a = pl.tile.load %x [0, 0, 0] sizes [2, 8, 64] : !pl.tensor<[4, 16, 64] x f16> -> !pl.tile<2x8x64xf16, mat>
  return
}

// -----

// Rows 0 to 7 and 16 to 23 of the flat view: not the first 16.
func.func @valid_rows_of_each_plane(%x: !pl.tensor<[4, 16, 64] x f16>, %n: index) attributes {pl.kind = "incore"} {
  // expected-error @+1 {{a load to Mat of several planes whose valid rows are not one run of rows}}
  %a = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] valid [2, 8, 64] : !pl.tensor<[4, 16, 64] x f16> -> !pl.tile<2x16x64xf16, mat, valid = [2, 8, 64]>
  // expected-error @+1 {{a load to Mat of several planes whose valid rows are not one run of rows}}
  %b = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] valid [2, %n, 64] : !pl.tensor<[4, 16, 64] x f16> -> !pl.tile<2x16x64xf16, mat, valid = [2, ?, 64]>
  return
}

// -----

func.func @batch_result_used_on_chip(%x: !pl.tensor<[2, 16, 64] x f16>) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] : !pl.tensor<[2, 16, 64] x f16> -> !pl.tile<2x16x64xf16, mat>
  %t = pl.tile.transpose_view %a : !pl.tile<2x16x64xf16, mat> -> !pl.tile<2x64x16xf16, mat, transposed>
  // expected-error @+1 {{a batched matmul whose operands are not loaded or whose result is not stored directly}}
  %m = pl.tile.batch_matmul %a, %t : !pl.tile<2x16x64xf16, mat>, !pl.tile<2x64x16xf16, mat, transposed> -> !pl.tile<2x16x16xf32, acc>
  pl.op "tile.exp"(tile %m) : (!pl.tile<2x16x16xf32, acc>) -> ()
  return
}
