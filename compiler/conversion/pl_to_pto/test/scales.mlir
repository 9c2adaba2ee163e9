// RUN: placid-emit %s --locations=false | FileCheck %s

// MX products. Scales come in pairs, 16 of them a line, one fractal column after the other; they lie at a sixteenth of their
// operand's address.
module attributes {pl.arch = "a5"} {
  // CHECK: func.func @product(%{{.+}}: !pto.ptr<f8E4M3FN>, %{{.+}}: !pto.ptr<f8E5M2>, %[[SA:.+]]: !pto.ptr<i16>, %[[SB:.+]]: !pto.ptr<i16>,
  // CHECK-DAG: pto.make_tensor_view %[[SA]], shape = [%c2_index, %c32_index], strides = [%c1_index, %c2_index] {layout = #pto.layout<dn>} : !pto.tensor_view<?x?xi16>
  // CHECK-DAG: pto.make_tensor_view %[[SB]], shape = [%c2_index, %c32_index], strides = [%c32_index, %c1_index] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xi16>
  // Two columns of 16 lanes, of two pairs each.
  // CHECK: pto.alloc_tile addr = %[[AT:.+]] : !pto.tile_buf<loc=mat, dtype=!pto.f8E8M0, rows=32, cols=4, v_row=32, v_col=4, blayout=row_major, slayout=row_major, fractal=32, pad=0>
  // CHECK: pto.alloc_tile addr = %[[AT]] : !pto.tile_buf<loc=mat, dtype=i16, rows=16, cols=16, v_row=2, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
  // CHECK: pto.tload ins(%{{.+}} : !pto.partition_tensor_view<2x16xi16>)
  // CHECK: pto.partition_view %{{.+}}, offsets = [%c0_index, %{{.+}}], sizes = [%c2_index, %c16_index]
  // CHECK: pto.tload ins(%{{.+}} : !pto.partition_tensor_view<2x16xi16>)
  // CHECK: pto.alloc_tile addr = %{{.+}} : !pto.tile_buf<loc=mat, dtype=!pto.f8E8M0, rows=4, cols=32, v_row=4, v_col=32, blayout=col_major, slayout=col_major, fractal=32, pad=0>
  // CHECK: pto.tmov ins(%{{.+}} : !pto.tile_buf<loc=mat, dtype=!pto.f8E8M0, {{.+}}>) outs(%[[LS:.+]] : !pto.tile_buf<loc=scaling, dtype=!pto.f8E8M0, rows=32, cols=4, {{.+}}blayout=row_major, slayout=row_major, fractal=32, pad=0>)
  // CHECK: pto.tmatmul.mx ins(%[[L:.+]], %[[LS]], %[[R:.+]], %[[RS:.+]] : !pto.tile_buf<loc=left, {{.+}}>) outs(%[[C:.+]] : !pto.tile_buf<loc=acc, dtype=f32,
  // CHECK: pto.tmatmul.mx.acc ins(%[[C]], %[[L]], %[[LS]], %[[R]], %[[RS]] : {{.+}}) outs(%[[C]] :
  func.func @product(%a: !pl.tensor<[32, 128] x f8e4m3fn> {pl.name = "a"}, %b: !pl.tensor<[128, 32] x f8e5m2> {pl.name = "b"}, %sa: !pl.tensor<[32, 2, 2] x f8e8m0> {pl.name = "sa"}, %sb: !pl.tensor<[2, 32, 2] x f8e8m0> {pl.name = "sb"}, %out: !pl.tensor<[32, 32] x f32> {pl.name = "out"}) -> !pl.tensor<[32, 32] x f32> attributes {pl.kind = "incore"} {
    %a1 = pl.tile.load %a[0, 0] sizes [32, 128] : !pl.tensor<[32, 128] x f8e4m3fn> -> !pl.tile<32x128xf8e4m3fn, mat>
    %b1 = pl.tile.load %b[0, 0] sizes [128, 32] : !pl.tensor<[128, 32] x f8e5m2> -> !pl.tile<128x32xf8e5m2, mat>
    %s1 = pl.op "tile.load_scales"(source %sa) {offsets = array<i64: 0, 0, 0>, valid_shape = array<i64: 32, 4>, pairs_first = false} : (!pl.tensor<[32, 2, 2] x f8e8m0>) -> !pl.tile<32x4xf8e8m0, mat>
    %t1 = pl.op "tile.load_scales"(source %sb) {offsets = array<i64: 0, 0, 0>, valid_shape = array<i64: 4, 32>, pairs_first = true} : (!pl.tensor<[2, 32, 2] x f8e8m0>) -> !pl.tile<4x32xf8e8m0, mat, transposed>
    %l = pl.tile.move %a1 : !pl.tile<32x128xf8e4m3fn, mat> -> !pl.tile<32x128xf8e4m3fn, left>
    %r = pl.tile.move %b1 : !pl.tile<128x32xf8e5m2, mat> -> !pl.tile<128x32xf8e5m2, right>
    %s = pl.tile.move %s1 : !pl.tile<32x4xf8e8m0, mat> -> !pl.tile<32x4xf8e8m0, left_scale>
    %t = pl.tile.move %t1 : !pl.tile<4x32xf8e8m0, mat, transposed> -> !pl.tile<4x32xf8e8m0, right_scale>
    %c = pl.op "tile.matmul_mx"(lhs %l, lhs_scale %s, rhs %r, rhs_scale %t) : (!pl.tile<32x128xf8e4m3fn, left>, !pl.tile<32x4xf8e8m0, left_scale>, !pl.tile<128x32xf8e5m2, right>, !pl.tile<4x32xf8e8m0, right_scale>) -> !pl.tile<32x32xf32, acc>
    %d = pl.op "tile.matmul_mx_acc"(acc %c, lhs %l, lhs_scale %s, rhs %r, rhs_scale %t) : (!pl.tile<32x32xf32, acc>, !pl.tile<32x128xf8e4m3fn, left>, !pl.tile<32x4xf8e8m0, left_scale>, !pl.tile<128x32xf8e5m2, right>, !pl.tile<4x32xf8e8m0, right_scale>) -> !pl.tile<32x32xf32, acc>
    %o = pl.tile.store %d into %out[0, 0] : !pl.tile<32x32xf32, acc>, !pl.tensor<[32, 32] x f32> -> !pl.tensor<[32, 32] x f32>
    return %o : !pl.tensor<[32, 32] x f32>
  }
}
