// RUN: placid-opt %s --pl-legalize-vector-ops --split-input-file --verify-diagnostics | FileCheck %s

module attributes {pl.arch = "a3"} {
  // CHECK-LABEL: @broadcasts
  func.func @broadcasts(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %r = pl.tile.load %x[0, 0] sizes [1, 64] : <[16, 64] x f32> -> <1x64xf32, vec>
    // CHECK: %[[TMP:.*]] = pl.tile.create : <16x64xf32, vec>
    // CHECK: %[[C:.*]] = pl.op "tile.row_sum"(tile %{{.*}}, tmp_tile %[[TMP]])
    %c = pl.op "tile.row_sum"(tile %a) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x1xf32, vec>
    // CHECK: pl.op "tile.row_expand_mul"(tile %{{.*}}, row_vec %[[C]])
    %m = pl.op "tile.mul"(lhs %c, rhs %a) : (!pl.tile<16x1xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    // CHECK: pl.op "tile.col_expand_max"(tile %{{.*}}, col_vec %{{.*}})
    %n = pl.op "tile.maximum"(lhs %m, rhs %r) : (!pl.tile<16x64xf32, vec>, !pl.tile<1x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    // The smaller operand of a difference stands on the left, so it is spread.
    // CHECK: %[[WIDE:.*]] = pl.op "tile.row_expand"(target %{{.*}}, row_vec %[[C]])
    // CHECK: pl.op "tile.sub"(lhs %[[WIDE]], rhs %{{.*}})
    %d = pl.op "tile.sub"(lhs %c, rhs %n) : (!pl.tile<16x1xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %s = pl.tile.store %d into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // Scalars are added by a difference, the one form that the assembler takes.
  // CHECK-LABEL: @sums
  // CHECK-SAME: %[[A:[a-z0-9]+]]: f32, %[[B:[a-z0-9]+]]: f32
  // CHECK: %[[MINUS:.*]] = arith.negf %[[B]] : f32
  // CHECK: %[[SUM:.*]] = arith.subf %[[A]], %[[MINUS]] : f32
  // CHECK: pl.op "tile.muls"(lhs %{{.*}}, rhs %[[SUM]])
  func.func @sums(%a: f32, %b: f32, %x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %c = arith.addf %a, %b : f32
    %m = pl.op "tile.muls"(lhs %t, rhs %c) : (!pl.tile<16x64xf32, vec>, f32) -> !pl.tile<16x64xf32, vec>
    %s = pl.tile.store %m into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // The assembler has to know how much of a tile goes through the scratch tile: all of it does.
  // CHECK-LABEL: @open_ended
  // CHECK-SAME: %[[N:[a-z0-9]+]]: index
  // CHECK: %[[ALL:.*]] = pl.op "tile.fillpad"(tile %{{.*}}) {pad_value = "zero"} : {{.*}} -> !pl.tile<16x64xf32, vec>
  // CHECK: %[[TMP:.*]] = pl.tile.create
  // CHECK: %[[CAST:.*]] = pl.op "tile.cast"(tile %[[ALL]], pl.scratch %[[TMP]]) {mode = "rint"} : {{.*}} -> !pl.tile<16x64xi16, vec>
  // CHECK: %[[PART:.*]] = pl.op "tile.set_validshape"(tile %[[CAST]], valid_rows %[[N]]) {valid_cols = 64 : i64} : {{.*}} -> !pl.tile<16x64xi16, vec, valid = [?, 64]>
  // CHECK: pl.tile.store %[[PART]]
  func.func @open_ended(%n: index, %x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x i16>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] valid [%n, 64] : <[16, 64] x f32> -> <16x64xf32, vec, valid = [?, 64]>
    %b = pl.op "tile.cast"(tile %a) {mode = "rint", target_type = "i16"} : (!pl.tile<16x64xf32, vec, valid = [?, 64]>) -> !pl.tile<16x64xi16, vec, valid = [?, 64]>
    %s = pl.tile.store %b into %o[0, 0] : <16x64xi16, vec, valid = [?, 64]>, <[16, 64] x i16> -> <[16, 64] x i16>
    return
  }

  // Nobody says how much that is.
  // CHECK-LABEL: @open_ended_argument
  // CHECK: "tile.cast"{{.*}}pl.not_lowered
  func.func @open_ended_argument(%a: !pl.tile<16x64xf32, vec, valid = [?, 64]>, %o: !pl.tensor<[16, 64] x i16>) attributes {pl.kind = "incore"} {
    %b = pl.op "tile.cast"(tile %a) {mode = "rint", target_type = "i16"} : (!pl.tile<16x64xf32, vec, valid = [?, 64]>) -> !pl.tile<16x64xi16, vec, valid = [?, 64]>
    %s = pl.tile.store %b into %o[0, 0] : <16x64xi16, vec, valid = [?, 64]>, <[16, 64] x i16> -> <[16, 64] x i16>
    return
  }

  // CHECK-LABEL: @conversions
  func.func @conversions(%x: !pl.tensor<[16, 64] x bf16>, %o: !pl.tensor<[16, 64] x i8>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x bf16> -> <16x64xbf16, vec>
    // CHECK: %[[F32:.*]] = pl.op "tile.cast"(tile %{{.*}}) {mode = "rint"} : (!pl.tile<16x64xbf16, vec>) -> !pl.tile<16x64xf32, vec>
    // CHECK: %[[F16:.*]] = pl.op "tile.cast"(tile %[[F32]]) {mode = "rint"} : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf16, vec>
    // CHECK: %[[TMP:.*]] = pl.tile.create : <1x256xi8, vec>
    // CHECK: pl.op "tile.cast"(tile %[[F16]], pl.scratch %[[TMP]]) {{.*}} -> !pl.tile<16x64xi8, vec>
    %b = pl.op "tile.cast"(tile %a) {mode = "rint", target_type = "i8"} : (!pl.tile<16x64xbf16, vec>) -> !pl.tile<16x64xi8, vec>
    %s = pl.tile.store %b into %o[0, 0] : <16x64xi8, vec>, <[16, 64] x i8> -> <[16, 64] x i8>
    // What nobody reads goes.
    // CHECK-NOT: tile.exp
    %e = pl.op "tile.exp"(tile %a) : (!pl.tile<16x64xbf16, vec>) -> !pl.tile<16x64xbf16, vec>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @no_conversion(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f8e4m3fn>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    // expected-error @+1 {{A3 has no conversion of a tile from FP32 to FP8E4M3FN}}
    %b = pl.op "tile.cast"(tile %a) {target_type = "f8e4m3fn"} : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf8e4m3fn, vec>
    %s = pl.tile.store %b into %o[0, 0] : <16x64xf8e4m3fn, vec>, <[16, 64] x f8e4m3fn> -> <[16, 64] x f8e4m3fn>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  // An instruction takes tiles of one element type: operands are converted to the result's.
  // CHECK-LABEL: @promotes
  func.func @promotes(%x: !pl.tensor<[16, 64] x f16>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %half = arith.constant 5.000000e-01 : f32
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f16> -> <16x64xf16, vec>
    // CHECK: %[[WIDE:.*]] = pl.op "tile.cast"(tile %{{.*}}) : (!pl.tile<16x64xf16, vec>) -> !pl.tile<16x64xf32, vec>
    // CHECK: pl.op "tile.muls"(lhs %[[WIDE]], rhs %{{.*}}) : (!pl.tile<16x64xf32, vec>, f32) -> !pl.tile<16x64xf32, vec>
    %m = pl.op "tile.muls"(lhs %a, rhs %half) : (!pl.tile<16x64xf16, vec>, f32) -> !pl.tile<16x64xf32, vec>
    %s = pl.tile.store %m into %o[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }
}
