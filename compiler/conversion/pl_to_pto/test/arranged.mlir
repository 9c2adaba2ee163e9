// RUN: placid-emit %s --locations=false | FileCheck %s

// Operations that sort, count, pick, place and scale. What their tiles hold is checked by running programs; here it is how
// each is spelled.
module attributes {pl.arch = "a5"} {
  // CHECK-LABEL: func.func @sorted
  // CHECK: pto.tsort32 ins(%{{.+}}, %{{.+}} : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=256, {{.+}}>, !pto.tile_buf<loc=vec, dtype=ui32, {{.+}}>) outs(%[[S:.+]] : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=512,
  // CHECK: pto.tmrgsort ins(%[[S]], %{{.+}} : {{.+}}, i32) outs(
  func.func @sorted(%x: !pl.tensor<[1, 256] x f32> {pl.name = "x"}, %i: !pl.tensor<[1, 256] x ui32> {pl.name = "i"}, %out: !pl.tensor<[1, 512] x f32> {pl.name = "out"}) -> !pl.tensor<[1, 512] x f32> attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [1, 256] : !pl.tensor<[1, 256] x f32> -> !pl.tile<1x256xf32, vec>
    %b = pl.tile.load %i[0, 0] sizes [1, 256] : !pl.tensor<[1, 256] x ui32> -> !pl.tile<1x256xui32, vec>
    %s = pl.op "tile.sort32"(src %a, idx %b) : (!pl.tile<1x256xf32, vec>, !pl.tile<1x256xui32, vec>) -> !pl.tile<1x512xf32, vec>
    %m = pl.op "tile.mrgsort"(src0 %s) {block_len = 64 : i64} : (!pl.tile<1x512xf32, vec>) -> !pl.tile<1x512xf32, vec>
    %r = pl.tile.store %m into %out[0, 0] : !pl.tile<1x512xf32, vec>, !pl.tensor<[1, 512] x f32> -> !pl.tensor<[1, 512] x f32>
    return %r : !pl.tensor<[1, 512] x f32>
  }

  // CHECK-LABEL: func.func @counted
  // CHECK: pto.thistogram ins(%{{.+}}, %{{.+}} : !pto.tile_buf<loc=vec, dtype=ui16, {{.+}}>, !pto.tile_buf<loc=vec, dtype=ui8, rows=32, cols=1, {{.+}}blayout=col_major, {{.+}}>) outs(%{{.+}} : !pto.tile_buf<loc=vec, dtype=ui32, rows=32, cols=256, {{.+}}>) {byte = 0 : i32}
  func.func @counted(%x: !pl.tensor<[32, 64] x ui16> {pl.name = "x"}, %i: !pl.tensor<[32, 1] x ui8> {pl.name = "i"}, %out: !pl.tensor<[32, 256] x ui32> {pl.name = "out"}) -> !pl.tensor<[32, 256] x ui32> attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [32, 64] : !pl.tensor<[32, 64] x ui16> -> !pl.tile<32x64xui16, vec>
    %b = pl.tile.load %i[0, 0] sizes [32, 1] : !pl.tensor<[32, 1] x ui8> -> !pl.tile<32x1xui8, vec>
    %s = pl.op "tile.histogram"(src %a, idx %b) {byte = 0 : i64} : (!pl.tile<32x64xui16, vec>, !pl.tile<32x1xui8, vec>) -> !pl.tile<32x256xui32, vec>
    %r = pl.tile.store %s into %out[0, 0] : !pl.tile<32x256xui32, vec>, !pl.tensor<[32, 256] x ui32> -> !pl.tensor<[32, 256] x ui32>
    return %r : !pl.tensor<[32, 256] x ui32>
  }

  // CHECK-LABEL: func.func @placed
  // CHECK: pto.tscatter ins(%{{.+}}, %[[I:.+]] : {{.+}}) outs(%[[P:.+]] :
  // CHECK: pto.tgatherb ins(%[[P]], %{{.+}} : {{.+}}) outs(
  // CHECK: pto.tcolargmax ins(%{{.+}}, %{{.+}} : {{.+}}) outs(%{{.+}} : !pto.tile_buf<loc=vec, dtype=i32, rows=1,
  func.func @placed(%x: !pl.tensor<[8, 64] x f32> {pl.name = "x"}, %i: !pl.tensor<[8, 64] x i32> {pl.name = "i"}, %o: !pl.tensor<[8, 8] x ui32> {pl.name = "o"}, %out: !pl.tensor<[1, 64] x i32> {pl.name = "out"}) -> !pl.tensor<[1, 64] x i32> attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [8, 64] : !pl.tensor<[8, 64] x f32> -> !pl.tile<8x64xf32, vec>
    %b = pl.tile.load %i[0, 0] sizes [8, 64] : !pl.tensor<[8, 64] x i32> -> !pl.tile<8x64xi32, vec>
    %c = pl.tile.load %o[0, 0] sizes [8, 8] : !pl.tensor<[8, 8] x ui32> -> !pl.tile<8x8xui32, vec>
    %s = pl.op "tile.scatter_flat"(src %a, idx %b) : (!pl.tile<8x64xf32, vec>, !pl.tile<8x64xi32, vec>) -> !pl.tile<8x64xf32, vec>
    %g = pl.op "tile.gatherb"(src %s, offset %c) : (!pl.tile<8x64xf32, vec>, !pl.tile<8x8xui32, vec>) -> !pl.tile<8x64xf32, vec>
    %m = pl.op "tile.col_argmax"(tile %g) : (!pl.tile<8x64xf32, vec>) -> !pl.tile<1x64xi32, vec>
    %r = pl.tile.store %m into %out[0, 0] : !pl.tile<1x64xi32, vec>, !pl.tensor<[1, 64] x i32> -> !pl.tensor<[1, 64] x i32>
    return %r : !pl.tensor<[1, 64] x i32>
  }

  // CHECK-LABEL: func.func @scaled
  // CHECK: pto.tquant ins(%{{.+}}, %{{.+}} : {{.+}}) outs(%[[Q:.+]] : !pto.tile_buf<loc=vec, dtype=i8, {{.+}}>) {quant_type = #pto<quant_type INT8_SYM>}
  // CHECK: pto.tdequant ins(%[[Q]], %[[F:.+]], %[[F]] : {{.+}}) outs(%[[D:.+]] :
  // CHECK: pto.taxpy ins(%{{.+}}, %{{.+}} : !pto.tile_buf<loc=vec, dtype=f32, {{.+}}>, f32) outs(%[[D]] :
  func.func @scaled(%x: !pl.tensor<[8, 32] x f32> {pl.name = "x"}, %f: !pl.tensor<[8, 1] x f32> {pl.name = "f"}, %out: !pl.tensor<[8, 32] x f32> {pl.name = "out"}) -> !pl.tensor<[8, 32] x f32> attributes {pl.kind = "incore"} {
    %two = arith.constant 2.0 : f32
    %a = pl.tile.load %x[0, 0] sizes [8, 32] : !pl.tensor<[8, 32] x f32> -> !pl.tile<8x32xf32, vec>
    %b = pl.tile.load %f[0, 0] sizes [8, 1] : !pl.tensor<[8, 1] x f32> -> !pl.tile<8x1xf32, vec>
    %q = pl.op "tile.quant"(src %a, scale %b) : (!pl.tile<8x32xf32, vec>, !pl.tile<8x1xf32, vec>) -> !pl.tile<8x32xi8, vec>
    %d = pl.op "tile.dequant"(src %q, scale %b, offset %b) : (!pl.tile<8x32xi8, vec>, !pl.tile<8x1xf32, vec>, !pl.tile<8x1xf32, vec>) -> !pl.tile<8x32xf32, vec>
    %y = pl.op "tile.axpy"(out %d, src %a, alpha %two) : (!pl.tile<8x32xf32, vec>, !pl.tile<8x32xf32, vec>, f32) -> !pl.tile<8x32xf32, vec>
    %r = pl.tile.store %y into %out[0, 0] : !pl.tile<8x32xf32, vec>, !pl.tensor<[8, 32] x f32> -> !pl.tensor<[8, 32] x f32>
    return %r : !pl.tensor<[8, 32] x f32>
  }

  // CHECK-LABEL: func.func @met
  // CHECK: pto.tpartmax ins(%{{.+}}, %{{.+}} : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=8, v_col=32, {{.+}}>, !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=5, v_col=32, {{.+}}>) outs(%{{.+}} : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=32, v_row=8, v_col=32,
  func.func @met(%x: !pl.tensor<[8, 32] x f32> {pl.name = "x"}, %out: !pl.tensor<[8, 32] x f32> {pl.name = "out"}) -> !pl.tensor<[8, 32] x f32> attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [8, 32] : !pl.tensor<[8, 32] x f32> -> !pl.tile<8x32xf32, vec>
    %b = pl.tile.load %x[0, 0] sizes [8, 32] valid [5, 32] : !pl.tensor<[8, 32] x f32> -> !pl.tile<8x32xf32, vec, valid = [5, 32]>
    %m = pl.op "tile.part_max"(src0 %a, src1 %b) : (!pl.tile<8x32xf32, vec>, !pl.tile<8x32xf32, vec, valid = [5, 32]>) -> !pl.tile<8x32xf32, vec>
    %r = pl.tile.store %m into %out[0, 0] : !pl.tile<8x32xf32, vec>, !pl.tensor<[8, 32] x f32> -> !pl.tensor<[8, 32] x f32>
    return %r : !pl.tensor<[8, 32] x f32>
  }
}
