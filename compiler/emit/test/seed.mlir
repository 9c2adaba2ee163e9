// RUN: placid-emit %s | FileCheck %s
// RUN: placid-emit %s > %t.pto && placid-opt %t.pto -o /dev/null
// RUN: placid-emit %s > %t.pto && placid-emit %t.pto --converted > %t.again && placid-emit %t.again --converted | diff %t.again -

// An INT8 weight of [256, 512] in NZ order, read whole: the batch of one runs through shape, strides and window.
module attributes {pl.arch = "a3"} {
  func.func @kern(%x: !pl.tensor<[16, 512] x i8> {pl.name = "x"}, %w: !pl.tensor<[1, 16, 16, 16, 32] x i8, nz> {pl.name = "w"}, %out: !pl.tensor<[16, 256] x i32> {pl.name = "out"}) -> !pl.tensor<[16, 256] x i32> attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    %x_l1 = pl.tile.load %x[0, 0] sizes [16, 512] : !pl.tensor<[16, 512] x i8> -> !pl.tile<16x512xi8, mat> loc("x_l1"("dir/k.py":10:16))
    %wt = pl.tile.load %w[0, 0, 0, 0, 0] sizes [1, 16, 16, 16, 32] : !pl.tensor<[1, 16, 16, 16, 32] x i8, nz> -> !pl.tile<256x512xi8, mat> loc("wt"(fused<{}>["dir/k.py":11:14 to :62]))
    %t = pl.tile.transpose_view %wt : !pl.tile<256x512xi8, mat> -> !pl.tile<512x256xi8, mat, transposed> loc("dir/k.py":12:30)
    %acc = pl.tile.matmul %x_l1, %t : !pl.tile<16x512xi8, mat>, !pl.tile<512x256xi8, mat, transposed> -> !pl.tile<16x256xi32, acc> loc("acc"("dir/k.py":12:15))
    %r = pl.tile.store %acc into %out[0, 0] : !pl.tile<16x256xi32, acc>, !pl.tensor<[16, 256] x i32> -> !pl.tensor<[16, 256] x i32> loc("dir/k.py":13:15)
    return %r : !pl.tensor<[16, 256] x i32> loc("dir/k.py":14:9)
  } loc("dir/k.py":5:5 to 14:19)
}
// CHECK: module attributes {pto.target_arch = "a3"} {
// CHECK-NEXT: func.func @kern(%arg0: !pto.ptr<i8>, %arg1: !pto.ptr<i8>, %arg2: !pto.ptr<i32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
// CHECK: %c1_index = arith.constant 1 : index loc("dir/k.py":5:5)
// CHECK: %w_view = pto.make_tensor_view %arg1, shape = [%c1_index, %c16_index, %c16_index, %c16_index, %c32_index], strides = [%c131072_index, %c8192_index, %c512_index, %c32_index, %c1_index] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xi8> loc("dir/k.py":5:5)
// CHECK: %wt = pto.alloc_tile addr = %c8192_i64 : !pto.tile_buf<loc=mat, dtype=i8, rows=256, cols=512, v_row=256, v_col=512, blayout=col_major, slayout=row_major, fractal=512, pad=0> loc("dir/k.py":11:14)
// CHECK-NEXT: %wt_pview = pto.partition_view %w_view, offsets = [%c0_index, %c0_index, %c0_index, %c0_index, %c0_index], sizes = [%c1_index, %c16_index, %c16_index, %c16_index, %c32_index] : !pto.tensor_view<?x?x?x?x?xi8> -> !pto.partition_tensor_view<1x16x16x16x32xi8> loc("dir/k.py":11:14)
// CHECK-NEXT: pto.tload ins(%wt_pview : !pto.partition_tensor_view<1x16x16x16x32xi8>) outs(%wt : !pto.tile_buf<loc=mat, dtype=i8, rows=256, cols=512, v_row=256, v_col=512, blayout=col_major, slayout=row_major, fractal=512, pad=0>) loc("dir/k.py":11:14)
// CHECK-NEXT: pto.alloc_tile addr = %c8192_i64 : !pto.tile_buf<loc=mat, dtype=i8, rows=512, cols=256, v_row=512, v_col=256, blayout=row_major, slayout=col_major, fractal=512, pad=0> loc("dir/k.py":12:30)
// CHECK: scf.for
// CHECK: } loc("dir/k.py":12:15)
// CHECK: pto.tstore {{.*}} loc("dir/k.py":13:15)
// CHECK-NEXT: return loc("dir/k.py":14:9)
// CHECK-NEXT: } loc("dir/k.py":5:5)
// CHECK-NEXT: }
