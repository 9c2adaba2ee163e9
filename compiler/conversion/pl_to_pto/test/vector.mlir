// RUN: placid-opt %s --placid-lower --split-input-file --verify-diagnostics | FileCheck %s

module attributes {pl.arch = "a3"} {
  // CHECK-LABEL: @columns
  func.func @columns(%x: !pl.tensor<[64, 128] x f32>, %n: index, %o: !pl.tensor<[64, 128] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [64, 128] valid [%n, 128] : <[64, 128] x f32> -> <64x128xf32, vec, valid = [?, 128]>
    // CHECK: pto.instr "trowsum" ins(%{{.*}}, %{{.*}} : {{.*}}) outs(%{{.*}} : !pto.tile_buf<loc=vec, dtype=f32, rows=64, cols=1, v_row=?, v_col=1, blayout=col_major{{.*}}) scratch 1
    %s = pl.op "tile.row_sum"(tile %a) : (!pl.tile<64x128xf32, vec, valid = [?, 128]>) -> !pl.tile<64x1xf32, vec, valid = [?, 1]>
    %half = arith.constant 0.5 : f32
    // A column is a row to an instruction that goes through all elements.
    // CHECK: pto.instr "tmuls" ins(%{{.*}}, %{{.*}} : !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=64, v_row=1, v_col=?, blayout=row_major{{.*}}, f32)
    %h = pl.op "tile.muls"(lhs %s, rhs %half) : (!pl.tile<64x1xf32, vec, valid = [?, 1]>, f32) -> !pl.tile<64x1xf32, vec, valid = [?, 1]>
    // CHECK: pto.instr "trowexpandadd" ins(%{{.*}}, %{{.*}} : {{.*}}rows=64, cols=1, v_row=?, v_col=1, blayout=col_major
    %y = pl.op "tile.add"(lhs %a, rhs %h) : (!pl.tile<64x128xf32, vec, valid = [?, 128]>, !pl.tile<64x1xf32, vec, valid = [?, 1]>) -> !pl.tile<64x128xf32, vec, valid = [?, 128]>
    %st = pl.tile.store %y into %o[0, 0] : <64x128xf32, vec, valid = [?, 128]>, <[64, 128] x f32> -> <[64, 128] x f32>
    return
  }

  // CHECK-LABEL: @rows
  func.func @rows(%x: !pl.tensor<[16, 64] x f32>, %i: index, %o: !pl.tensor<[4, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    // CHECK: %[[W:.*]] = pto.subview %{{.*}}[%{{.*}}, %{{.*}}] sizes [4, 64]
    // CHECK-NOT: pto.tmov
    // CHECK: pto.tstore ins(%[[W]] : {{.*}}) outs(%{{.*}} : {{.*}})
    %w = pl.op "tile.slice"(tile %a, offset %i) {offset = array<i64: -9223372036854775808, 0>, shape = array<i64: 4, 64>} : (!pl.tile<16x64xf32, vec>, index) -> !pl.tile<4x64xf32, vec>
    %s = pl.tile.store %w into %o[0, 0] : <4x64xf32, vec>, <[4, 64] x f32> -> <[4, 64] x f32>
    return
  }

  // CHECK-LABEL: @windows
  func.func @windows(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    scf.for %i = %c0 to %c2 step %c1 {
      %c32 = arith.constant 32 : index
      %at = arith.muli %i, %c32 : index
      // CHECK: pto.instr "textract" ins(%{{.*}}, %{{.*}}, %{{.*}} : {{.*}}) outs(%[[PART:.*]] : {{.*}})
      %w = pl.op "tile.slice"(tile %a, offset %at) {offset = array<i64: 0, -9223372036854775808>, shape = array<i64: 16, 32>} : (!pl.tile<16x64xf32, vec>, index) -> !pl.tile<16x32xf32, vec>
      // CHECK: pto.tgetval ins(%[[PART]], %{{.*}} : {{.*}}, index) outs : f32
      %e = pl.read %w[1, 2] : !pl.tile<16x32xf32, vec> -> f32
      // CHECK: pto.instr "tadds"
      %y = pl.op "tile.adds"(lhs %w, rhs %e) : (!pl.tile<16x32xf32, vec>, f32) -> !pl.tile<16x32xf32, vec>
      %st = pl.tile.store %y into %o[0, 0] : <16x32xf32, vec>, <[16, 32] x f32> -> <[16, 32] x f32>
    }
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @refused(%x: !pl.tensor<[16, 64] x bf16>, %o: !pl.tensor<[16, 64] x bf16>, %i: index) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x bf16> -> <16x64xbf16, vec>
    // expected-error @+2 {{A3 has no `pl.mul` of BF16 tiles}}
    // expected-note @+1 {{cast to one of INT16, INT32, FP16, FP32}}
    %m = pl.op "tile.mul"(lhs %a, rhs %a) : (!pl.tile<16x64xbf16, vec>, !pl.tile<16x64xbf16, vec>) -> !pl.tile<16x64xbf16, vec>
    // expected-error @+1 {{the window begins at element 8 of a row of BF16}}
    %w = pl.op "tile.slice"(tile %a) {offset = array<i64: 0, 8>, shape = array<i64: 16, 32>} : (!pl.tile<16x64xbf16, vec>) -> !pl.tile<16x32xbf16, vec>
    // expected-error @+1 {{not provably a multiple of 16}}
    %v = pl.op "tile.slice"(tile %a, offset %i) {offset = array<i64: 0, -9223372036854775808>, shape = array<i64: 16, 32>} : (!pl.tile<16x64xbf16, vec>, index) -> !pl.tile<16x32xbf16, vec>
    %s1 = pl.tile.store %m into %o[0, 0] : <16x64xbf16, vec>, <[16, 64] x bf16> -> <[16, 64] x bf16>
    %s2 = pl.tile.store %w into %o[0, 0] : <16x32xbf16, vec>, <[16, 64] x bf16> -> <[16, 64] x bf16>
    %s3 = pl.tile.store %v into %o[0, 0] : <16x32xbf16, vec>, <[16, 64] x bf16> -> <[16, 64] x bf16>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  // A2 and A3 compare integers for equality alone.
  func.func @orders(%x: !pl.tensor<[16, 64] x i32>, %o: !pl.tensor<[16, 32] x ui8>, %n: i32) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x i32> -> <16x64xi32, vec>
    // expected-error @+2 {{A3 has no `pl.cmps` of INT32 tiles but for equality}}
    // expected-note @+1 {{cast to one of FP16, FP32}}
    %m = pl.op "tile.cmps"(lhs %a, rhs %n) {cmp_type = "lt"} : (!pl.tile<16x64xi32, vec>, i32) -> !pl.tile<16x32xui8, vec, valid = [16, 8]>
    // expected-error @+2 {{A3 has no `pl.cmp` of INT32 tiles but for equality}}
    // expected-note @+1 {{cast to one of FP16, FP32}}
    %w = pl.op "tile.cmp"(lhs %a, rhs %a) {cmp_type = "ge"} : (!pl.tile<16x64xi32, vec>, !pl.tile<16x64xi32, vec>) -> !pl.tile<16x32xui8, vec, valid = [16, 8]>
    %e = pl.op "tile.cmp"(lhs %a, rhs %a) {cmp_type = "ne"} : (!pl.tile<16x64xi32, vec>, !pl.tile<16x64xi32, vec>) -> !pl.tile<16x32xui8, vec, valid = [16, 8]>
    %s1 = pl.tile.store %m into %o[0, 0] : <16x32xui8, vec, valid = [16, 8]>, <[16, 32] x ui8> -> <[16, 32] x ui8>
    %s2 = pl.tile.store %w into %o[0, 0] : <16x32xui8, vec, valid = [16, 8]>, <[16, 32] x ui8> -> <[16, 32] x ui8>
    %s3 = pl.tile.store %e into %o[0, 0] : <16x32xui8, vec, valid = [16, 8]>, <[16, 32] x ui8> -> <[16, 32] x ui8>
    return
  }
}
