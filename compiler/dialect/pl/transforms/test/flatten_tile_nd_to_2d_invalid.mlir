// RUN: placid-opt %s --pl-flatten-tile-nd-to-2d --split-input-file --verify-diagnostics

func.func @scattered_rows(%x: !pl.tensor<[4, 16, 64] x f16>) attributes {pl.kind = "incore"} {
  // expected-error @+1 {{a load to Mat of a window that is not one run of rows}}
  %a = pl.tile.load %x [0, 0, 0] sizes [2, 8, 64] : !pl.tensor<[4, 16, 64] x f16> -> !pl.tile<2x8x64xf16, mat>
  return
}

// -----

func.func @batch_result_used_on_chip(%x: !pl.tensor<[2, 16, 64] x f16>) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] : !pl.tensor<[2, 16, 64] x f16> -> !pl.tile<2x16x64xf16, mat>
  %t = pl.tile.transpose_view %a : !pl.tile<2x16x64xf16, mat> -> !pl.tile<2x64x16xf16, mat, transposed>
  // expected-error @+1 {{a batched matmul whose operands are not loaded or whose result is not stored directly}}
  %m = pl.tile.batch_matmul %a, %t : !pl.tile<2x16x64xf16, mat>, !pl.tile<2x64x16xf16, mat, transposed> -> !pl.tile<2x16x16xf32, acc>
  pl.opaque "exp"(%m) : (!pl.tile<2x16x16xf32, acc>) -> ()
  return
}
