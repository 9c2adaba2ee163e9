// RUN: placid-emit %s --locations=false | FileCheck %s

// What happens to an accumulator on its way out, and the rows that the cube core's tables are filled from.
module attributes {pl.arch = "a5"} {
  // CHECK-LABEL: func.func @word
  // CHECK: pto.tstore ins(%{{.+}} : !pto.tile_buf<loc=acc, dtype=f32, {{.+}}>, %c{{.+}}_i64 : i64) outs(%{{.+}} : !pto.partition_tensor_view<16x16xi8>) {reluPreMode = #pto<relu_pre_mode normal_relu>}
  func.func @word(%x: !pl.tensor<[16, 16] x f16> {pl.name = "x"}, %out: !pl.tensor<[16, 16] x i8> {pl.name = "out"}) -> !pl.tensor<[16, 16] x i8> attributes {pl.kind = "incore"} {
    %word = arith.constant 70369801142272 : i64
    %a = pl.tile.load %x[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %l = pl.tile.move %a : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, left>
    %r = pl.tile.move %a : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
    %s = pl.tile.store %c into %out[0, 0] scale %word : i64, {pre_relu} : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x i8> -> !pl.tensor<[16, 16] x i8>
    return %s : !pl.tensor<[16, 16] x i8>
  }

  // CHECK-LABEL: func.func @rows
  // CHECK: %[[LINE:.+]] = pto.alloc_tile addr = %{{.+}} : !pto.tile_buf<loc=mat, dtype=i64, rows=1, cols=16, v_row=1, v_col=16, blayout=row_major, slayout=none_box,
  // CHECK: %[[ROW:.+]] = pto.alloc_tile addr = %{{.+}} : !pto.tile_buf<loc=scaling, dtype=i64, rows=1, cols=16,
  // CHECK: pto.tmov ins(%[[LINE]] : {{.+}}) outs(%[[ROW]] :
  // CHECK: %[[BIAS:.+]] = pto.alloc_tile addr = %{{.+}} : !pto.tile_buf<loc=bias, dtype=f32, rows=1, cols=16,
  // CHECK: pto.tmov ins(%{{.+}} : !pto.tile_buf<loc=mat, dtype=f16, rows=1, {{.+}}>) outs(%[[BIAS]] :
  // CHECK: pto.tmatmul.bias ins(%{{.+}}, %{{.+}}, %[[BIAS]] :
  // CHECK: pto.tstore ins(%{{.+}} : !pto.tile_buf<loc=acc, {{.+}}> fp %[[ROW]] : !pto.tile_buf<loc=scaling, {{.+}}>) outs(
  func.func @rows(%x: !pl.tensor<[16, 16] x f16> {pl.name = "x"}, %b: !pl.tensor<[1, 16] x f16> {pl.name = "b"}, %q: !pl.tensor<[1, 16] x i64> {pl.name = "q"}, %out: !pl.tensor<[16, 16] x i8> {pl.name = "out"}) -> !pl.tensor<[16, 16] x i8> attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %l = pl.tile.move %a : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, left>
    %r = pl.tile.move %a : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, right>
    %q1 = pl.tile.load %q[0, 0] sizes [1, 16] : !pl.tensor<[1, 16] x i64> -> !pl.tile<1x16xi64, mat>
    %words = pl.tile.move %q1 : !pl.tile<1x16xi64, mat> -> !pl.tile<1x16xi64, scaling>
    %b1 = pl.tile.load %b[0, 0] sizes [1, 16] : !pl.tensor<[1, 16] x f16> -> !pl.tile<1x16xf16, mat>
    %bias = pl.tile.move %b1 : !pl.tile<1x16xf16, mat> -> !pl.tile<1x16xf32, bias>
    %c = pl.op "tile.matmul_bias"(lhs %l, rhs %r, bias %bias) : (!pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right>, !pl.tile<1x16xf32, bias>) -> !pl.tile<16x16xf32, acc>
    %s = pl.tile.store %c into %out[0, 0] scale %words : !pl.tile<1x16xi64, scaling>, : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x i8> -> !pl.tensor<[16, 16] x i8>
    return %s : !pl.tensor<[16, 16] x i8>
  }
}
