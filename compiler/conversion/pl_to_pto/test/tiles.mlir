// RUN: placid-emit %s --locations=false | FileCheck %s

module attributes {pl.arch = "a3"} {
  // A loop that carries an accumulator and a stored tensor: neither is a value any more.
  // CHECK-LABEL: func.func @carried
  // CHECK: %[[ACC:.+]] = pto.alloc_tile addr = %c0_i64 : !pto.tile_buf<loc=acc
  // CHECK: scf.for %[[K:.+]] = %c0_index to %c64_index step %c16_index {
  // CHECK: scf.if %{{.+}} {
  // CHECK-NEXT: pto.tmatmul ins({{.*}}) outs(%[[ACC]] :
  // CHECK-NEXT: } else {
  // CHECK-NEXT: pto.tmatmul.acc ins(%[[ACC]], {{.*}}) outs(%[[ACC]] :
  // CHECK-NEXT: }
  // CHECK-NEXT: pto.partition_view %out_view, offsets = [%c0_index, %[[K]]]
  // CHECK-NEXT: pto.tstore
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  func.func @carried(%x: !pl.tensor<[16, 64] x f16> {pl.name = "x"}, %w: !pl.tensor<[16, 16] x f16> {pl.name = "w"}, %out: !pl.tensor<[16, 64] x f32> {pl.name = "out"}) -> !pl.tensor<[16, 64] x f32> attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %b = pl.tile.load %w[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %init = pl.tile.create : !pl.tile<16x16xf32, acc>
    %r:2 = scf.for %i = %c0 to %c64 step %c16 iter_args(%c = %init, %o = %out) -> (!pl.tile<16x16xf32, acc>, !pl.tensor<[16, 64] x f32>) {
      %a = pl.tile.load %x[0, %i] sizes [16, 16] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x16xf16, mat>
      %first = arith.cmpi eq, %i, %c0 : index
      %l = pl.tile.move %a : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, left>
      %rt = pl.tile.move %b : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, right>
      %d = scf.if %first -> (!pl.tile<16x16xf32, acc>) {
        %e = pl.tile.matmul %l, %rt : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
        scf.yield %e : !pl.tile<16x16xf32, acc>
      } else {
        %f = pl.tile.matmul_acc %c, %l, %rt : !pl.tile<16x16xf32, acc>, !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
        scf.yield %f : !pl.tile<16x16xf32, acc>
      }
      %s = pl.tile.store %d into %o[0, %i] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 64] x f32> -> !pl.tensor<[16, 64] x f32>
      scf.yield %d, %s : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 64] x f32>
    }
    return %r#1 : !pl.tensor<[16, 64] x f32>
  }

  // A branch that chooses between two products: their buffer stands in front of it. Scalars stay values. An offset that is
  // added to others as it stands is clamped by a product.
  // CHECK-LABEL: func.func @branch
  // CHECK: %[[BUF:.+]] = pto.alloc_tile addr = %c0_i64 : !pto.tile_buf<loc=acc
  // CHECK: %[[AT:.+]] = scf.if %arg4 -> (index) {
  // CHECK: pto.tmatmul {{.*}} outs(%[[BUF]] :
  // CHECK: scf.yield %c16_index : index
  // CHECK: } else {
  // CHECK: pto.tmatmul {{.*}} outs(%[[BUF]] :
  // CHECK: scf.yield %arg3 : index
  // CHECK: }
  // CHECK: %[[POSITIVE:.+]] = arith.cmpi sge, %[[AT]], %c0_index : index
  // CHECK: %[[ONE:.+]] = arith.index_castui %[[POSITIVE]] : i1 to index
  // CHECK: %[[CLAMPED:.+]] = arith.muli %[[AT]], %[[ONE]] : index
  // CHECK: pto.partition_view %out_view, offsets = [%c0_index, %[[CLAMPED]]]
  // CHECK: pto.tstore ins(%[[BUF]] :
  func.func @branch(%x: !pl.tensor<[16, 32] x f16> {pl.name = "x"}, %w: !pl.tensor<[32, 16] x f16> {pl.name = "w"}, %out: !pl.tensor<[16, 64] x f32> {pl.name = "out"}, %j: index, %which: i1) attributes {pl.kind = "incore"} {
    %c16 = arith.constant 16 : index
    %a = pl.tile.load %x[0, 0] sizes [16, 32] : !pl.tensor<[16, 32] x f16> -> !pl.tile<16x32xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [32, 16] : !pl.tensor<[32, 16] x f16> -> !pl.tile<32x16xf16, mat>
    %d:2 = scf.if %which -> (!pl.tile<16x16xf32, acc>, index) {
      %e = pl.tile.matmul %a, %b : !pl.tile<16x32xf16, mat>, !pl.tile<32x16xf16, mat> -> !pl.tile<16x16xf32, acc>
      scf.yield %e, %c16 : !pl.tile<16x16xf32, acc>, index
    } else {
      %f = pl.tile.matmul %a, %b : !pl.tile<16x32xf16, mat>, !pl.tile<32x16xf16, mat> -> !pl.tile<16x16xf32, acc>
      scf.yield %f, %j : !pl.tile<16x16xf32, acc>, index
    }
    %s = pl.tile.store %d#0 into %out[0, %d#1] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 64] x f32> -> !pl.tensor<[16, 64] x f32>
    return
  }

  // A ragged NZ load: the window counts fractals, the tile counts rows, and the product and its store are ragged too.
  // CHECK-LABEL: func.func @ragged
  // CHECK: %w_view = pto.make_tensor_view %arg0, shape = [%c1_index, %c3_index, %c13_index, %c16_index, %c32_index], strides = [%c19968_index, %c6656_index, %c512_index, %c32_index, %c1_index] {layout = #pto.layout<nz>}
  // CHECK: %[[N:.+]] = arith.floordivsi %arg3, %c16_index : index
  // CHECK: %w_t = pto.alloc_tile addr = %c0_i64 valid_row = %arg3 : !pto.tile_buf<loc=mat, dtype=i8, rows=64, cols=96, v_row=?, v_col=96,
  // CHECK: pto.partition_view %w_view, offsets = [%c0_index, %c0_index, %{{.+}}, %c0_index, %c0_index], sizes = [%c1_index, %c3_index, %[[N]], %c16_index, %c32_index] : !pto.tensor_view<?x?x?x?x?xi8> -> !pto.partition_tensor_view<1x3x?x16x32xi8>
  // CHECK: pto.alloc_tile addr = %{{.+}} valid_col = %arg3 : !pto.tile_buf<loc=mat, dtype=i8, rows=96, cols=64, v_row=96, v_col=?, blayout=row_major, slayout=col_major,
  // CHECK: pto.alloc_tile addr = %{{.+}} valid_col = %arg3 : !pto.tile_buf<loc=right, dtype=i8, rows=96, cols=64, v_row=96, v_col=?,
  // CHECK: pto.alloc_tile addr = %{{.+}} valid_col = %arg3 : !pto.tile_buf<loc=acc, dtype=i32, rows=32, cols=64, v_row=32, v_col=?,
  // CHECK: pto.partition_view %out_view, {{.*}} sizes = [%c32_index, %arg3] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<32x?xi32>
  func.func @ragged(%w: !pl.tensor<[1, 3, 13, 16, 32] x i8, nz> {pl.name = "w"}, %x: !pl.tensor<[32, 96] x i8> {pl.name = "x"}, %out: !pl.tensor<[32, 64] x i32> {pl.name = "out"}, %live: index {pl.name = "live"}, %v0: index) attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    %c16 = arith.constant 16 : index
    %row = arith.floordivsi %v0, %c16 : index
    %n = arith.floordivsi %live, %c16 : index
    %t = pl.tile.load %w[0, 0, %row, 0, 0] sizes [1, 3, 4, 16, 32] valid [1, 3, %n, 16, 32] {pl.result = "w_t"} : !pl.tensor<[1, 3, 13, 16, 32] x i8, nz> -> !pl.tile<64x96xi8, mat, valid = [?, 96]>
    %a = pl.tile.load %x[0, 0] sizes [32, 96] : !pl.tensor<[32, 96] x i8> -> !pl.tile<32x96xi8, mat>
    %b = pl.tile.transpose_view %t : !pl.tile<64x96xi8, mat, valid = [?, 96]> -> !pl.tile<96x64xi8, mat, valid = [96, ?], transposed>
    %c = pl.tile.matmul %a, %b : !pl.tile<32x96xi8, mat>, !pl.tile<96x64xi8, mat, valid = [96, ?], transposed> -> !pl.tile<32x64xi32, acc, valid = [32, ?]>
    %s = pl.tile.store %c into %out[0, 0] : !pl.tile<32x64xi32, acc, valid = [32, ?]>, !pl.tensor<[32, 64] x i32> -> !pl.tensor<[32, 64] x i32>
    return
  }

  // An NZ accumulator store with its phase. The dynamic batch is an argument.
  // CHECK-LABEL: func.func @nz_store
  // CHECK-SAME: (%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f16>, %arg2: !pto.ptr<f32>, %arg3: index)
  // CHECK: %out_view = pto.make_tensor_view %arg2, shape = [%arg3, %c2_index, %c4_index, %c16_index, %c8_index], strides = [%c1024_index, %c512_index, %c128_index, %c8_index, %c1_index] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xf32>
  // CHECK: pto.partition_view %out_view, offsets = [%c1_index, %c0_index, %c0_index, %c0_index, %c0_index], sizes = [%c1_index, %c2_index, %c4_index, %c16_index, %c8_index] : !pto.tensor_view<?x?x?x?x?xf32> -> !pto.partition_tensor_view<1x2x4x16x8xf32>
  // CHECK: pto.tstore ins(%{{.+}} : !pto.tile_buf<loc=acc, dtype=f32, rows=64, cols=16, v_row=64, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>) outs(%{{.+}} : !pto.partition_tensor_view<1x2x4x16x8xf32>) {stPhase = #pto<st_phase final>}
  func.func @nz_store(%x: !pl.tensor<[64, 32] x f16> {pl.name = "x"}, %w: !pl.tensor<[32, 16] x f16> {pl.name = "w"}, %out: !pl.tensor<[B, 2, 4, 16, 8] x f32, nz> {pl.name = "out"}) attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    %a = pl.tile.load %x[0, 0] sizes [64, 32] : !pl.tensor<[64, 32] x f16> -> !pl.tile<64x32xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [32, 16] : !pl.tensor<[32, 16] x f16> -> !pl.tile<32x16xf16, mat>
    %c = pl.tile.matmul %a, %b : !pl.tile<64x32xf16, mat>, !pl.tile<32x16xf16, mat> -> !pl.tile<64x16xf32, acc>
    %s = pl.tile.store %c into %out[1, 0, 0, 0, 0] sizes [1, 2, 4, 16, 8] {st_phase = "Final"} : !pl.tile<64x16xf32, acc>, !pl.tensor<[B, 2, 4, 16, 8] x f32, nz> -> !pl.tensor<[B, 2, 4, 16, 8] x f32, nz>
    return
  }

  // A column vector is contiguous both ways and is described as DN; a DN tensor swaps its last two strides.
  // CHECK-LABEL: func.func @columns
  // CHECK: %v_view = pto.make_tensor_view %arg0, shape = [%c64_index, %c1_index], strides = [%c1_index, %c64_index] {layout = #pto.layout<dn>}
  // CHECK: %t_view = pto.make_tensor_view %arg1, shape = [%c64_index, %c32_index], strides = [%c1_index, %c64_index] {layout = #pto.layout<dn>}
  // CHECK: pto.tile_buf<loc=vec, dtype=f32, rows=64, cols=1, v_row=64, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>
  func.func @columns(%v: !pl.tensor<[64, 1] x f32> {pl.name = "v"}, %t: !pl.tensor<[64, 32] x f32, dn> {pl.name = "t"}) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %v[0, 0] sizes [64, 1] : !pl.tensor<[64, 1] x f32> -> !pl.tile<64x1xf32, vec>
    %s = pl.tile.store %a into %t[0, 4] : !pl.tile<64x1xf32, vec>, !pl.tensor<[64, 32] x f32, dn> -> !pl.tensor<[64, 32] x f32, dn>
    return
  }
}
