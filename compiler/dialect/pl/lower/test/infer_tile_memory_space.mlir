// RUN: placid-opt %s --pl-infer-tile-memory-space | FileCheck %s

module attributes {pl.arch = "a3"} {
  // A load without a memory goes to Mat when a matmul reads it, also through a view, and operands move to L0.
  // CHECK-LABEL: func.func @loads
  // CHECK: %[[A:.+]] = pl.tile.load {{.*}} -> <16x64xf16, mat>
  // CHECK: %[[W:.+]] = pl.tile.load {{.*}} -> <48x64xf16, mat>
  // CHECK: %[[B:.+]] = pl.tile.transpose_view %[[W]] : <48x64xf16, mat> -> <64x48xf16, mat, transposed>
  // CHECK: %[[L:.+]] = pl.tile.move %[[A]] : <16x64xf16, mat> -> <16x64xf16, left>
  // CHECK: %[[R:.+]] = pl.tile.move %[[B]] : <64x48xf16, mat, transposed> -> <64x48xf16, right>
  // CHECK: pl.tile.matmul %[[L]], %[[R]] : {{.*}} -> <16x48xf32, acc>
  func.func @loads(%x: !pl.tensor<[16, 64] x f16>, %w: !pl.tensor<[48, 64] x f16>, %out: !pl.tensor<[16, 48] x f32>) -> !pl.tensor<[16, 48] x f32> attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, unset>
    %b = pl.tile.load %w[0, 0] sizes [48, 64] : !pl.tensor<[48, 64] x f16> -> !pl.tile<48x64xf16, unset>
    %t = pl.tile.transpose_view %b : !pl.tile<48x64xf16, unset> -> !pl.tile<64x48xf16, unset, transposed>
    %c = pl.tile.matmul %a, %t : !pl.tile<16x64xf16, unset>, !pl.tile<64x48xf16, unset, transposed> -> !pl.tile<16x48xf32, unset>
    %r = pl.tile.store %c into %out[0, 0] : !pl.tile<16x48xf32, unset>, !pl.tensor<[16, 48] x f32> -> !pl.tensor<[16, 48] x f32>
    return %r : !pl.tensor<[16, 48] x f32>
  }

  // What nothing constrains is a vector tile.
  // CHECK-LABEL: func.func @copy
  // CHECK: pl.tile.load {{.*}} -> <16x64xf16, vec>
  func.func @copy(%x: !pl.tensor<[16, 64] x f16>, %out: !pl.tensor<[16, 64] x f16>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, unset>
    %r = pl.tile.store %a into %out[0, 0] : !pl.tile<16x64xf16, unset>, !pl.tensor<[16, 64] x f16> -> !pl.tensor<[16, 64] x f16>
    return
  }

  // The accumulator that a loop carries is in Acc from its creation to its result, and in both branches.
  // CHECK-LABEL: func.func @carried
  // CHECK: %[[INIT:.+]] = pl.tile.create : <16x16xf32, acc>
  // CHECK: scf.for {{.*}} iter_args(%{{.+}} = %[[INIT]]) -> (!pl.tile<16x16xf32, acc>)
  // CHECK: scf.if {{.*}} -> (!pl.tile<16x16xf32, acc>)
  func.func @carried(%a: !pl.tile<16x16xf16, left>, %b: !pl.tile<16x16xf16, right>, %first: i1, %lo: index, %hi: index, %st: index) attributes {pl.kind = "incore"} {
    %init = pl.tile.create : !pl.tile<16x16xf32, unset>
    %r = scf.for %i = %lo to %hi step %st iter_args(%c = %init) -> (!pl.tile<16x16xf32, unset>) {
      %d = scf.if %first -> (!pl.tile<16x16xf32, unset>) {
        %e = pl.tile.matmul %a, %b : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, unset>
        scf.yield %e : !pl.tile<16x16xf32, unset>
      } else {
        %f = pl.tile.matmul_acc %c, %a, %b : !pl.tile<16x16xf32, unset>, !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, unset>
        scf.yield %f : !pl.tile<16x16xf32, unset>
      }
      scf.yield %d : !pl.tile<16x16xf32, unset>
    }
    return
  }

  // One move for each operand and block; a created tile that starts two accumulations is two tiles, each made where it
  // is used.
  // CHECK-LABEL: func.func @shared
  // CHECK: %[[C0:.+]] = pl.tile.create : <16x16xf32, acc>
  // CHECK: %[[L:.+]] = pl.tile.move {{.*}} left>
  // CHECK: %[[R:.+]] = pl.tile.move {{.*}} right>
  // CHECK: pl.tile.matmul_acc %[[C0]], %[[L]], %[[R]]
  // CHECK-NEXT: %[[C1:.+]] = pl.tile.create : <16x16xf32, acc>
  // CHECK-NEXT: pl.tile.matmul_acc %[[C1]], %[[L]], %[[R]]
  func.func @shared(%a: !pl.tile<16x16xf16, mat>, %b: !pl.tile<16x16xf16, mat>) attributes {pl.kind = "incore"} {
    %z = pl.tile.create : !pl.tile<16x16xf32, unset>
    %c = pl.tile.matmul_acc %z, %a, %b : !pl.tile<16x16xf32, unset>, !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, unset>
    %d = pl.tile.matmul_acc %z, %a, %b : !pl.tile<16x16xf32, unset>, !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, unset>
    return
  }

  // A created tile that is written element by element is one tile for all its readers.
  // CHECK-LABEL: func.func @filled
  // CHECK-COUNT-1: pl.tile.create
  // CHECK-NOT: pl.tile.create
  // CHECK: return
  func.func @filled(%v: i32, %u: !pl.tile<16x32xi32, vec>) attributes {pl.kind = "incore"} {
    %t = pl.tile.create : !pl.tile<16x32xi32, vec>
    %w = pl.op "tile.write"(tile %t, value %v) {indices = array<i64: 0, 0>} : (!pl.tile<16x32xi32, vec>, i32) -> !pl.tile<16x32xi32, vec>
    %s = pl.op "tile.add"(lhs %t, rhs %u) : (!pl.tile<16x32xi32, vec>, !pl.tile<16x32xi32, vec>) -> !pl.tile<16x32xi32, vec>
    return
  }

  // Whole rows that are only stored stay where they are; what the unit reads, or parts of rows, are copied.
  // CHECK-LABEL: func.func @rows
  // CHECK: %[[A:.+]] = pl.tile.extract %{{.+}} [0, 0] {pl.window}
  // CHECK: pl.tile.store %[[A]]
  // CHECK: pl.tile.extract %{{.+}} [16, 0] : <32x64xf32, vec>
  // CHECK: pl.tile.extract %{{.+}} [0, 0] : <32x64xf32, vec>
  func.func @rows(%t: !pl.tile<32x64xf32, vec>, %out: !pl.tensor<[32, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.extract %t[0, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<16x64xf32, vec>
    %0 = pl.tile.store %a into %out[0, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    %b = pl.tile.extract %t[16, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<16x64xf32, vec>
    %c = pl.op "tile.neg"(tile %b) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %1 = pl.tile.store %c into %0[16, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    %d = pl.tile.extract %t[0, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<32x32xf32, vec>
    %2 = pl.tile.store %d into %1[0, 0] : !pl.tile<32x32xf32, vec>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    return
  }

  // A load that both units read is loaded for each.
  // CHECK-LABEL: func.func @both
  // CHECK: %[[M:.+]] = pl.tile.load {{.*}} mat>
  // CHECK: %[[V:.+]] = pl.tile.load {{.*}} vec>
  // CHECK: pl.op "tile.neg"(tile %[[V]])
  // CHECK: pl.tile.move %[[M]] {{.*}} left>
  func.func @both(%x: !pl.tensor<[16, 16] x f16>, %w: !pl.tile<16x16xf16, mat>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %n = pl.op "tile.neg"(tile %a) : (!pl.tile<16x16xf16, mat>) -> !pl.tile<16x16xf16, unset>
    %c = pl.tile.matmul %a, %w : !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, unset>
    return
  }

  // Rows that change between the window and its store are copied; what changes before or after does not matter.
  // CHECK-LABEL: func.func @changed
  // CHECK: pl.tile.extract %{{.+}} [0, 0] : <32x64xf32, vec>
  // CHECK: "tile.write"
  // CHECK: pl.tile.extract %{{.+}} [16, 0] {pl.window}
  // CHECK: "tile.write"
  func.func @changed(%t: !pl.tile<32x64xf32, vec>, %v: f32, %out: !pl.tensor<[32, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.extract %t[0, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<16x64xf32, vec>
    %r = pl.tile.reshape %t : !pl.tile<32x64xf32, vec> -> !pl.tile<64x32xf32, vec>
    %w = pl.op "tile.write"(tile %r, value %v) {indices = array<i64: 0, 0>} : (!pl.tile<64x32xf32, vec>, f32) -> !pl.tile<64x32xf32, vec>
    %0 = pl.tile.store %a into %out[0, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    %b = pl.tile.extract %t[16, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<16x64xf32, vec>
    %1 = pl.tile.store %b into %0[16, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    %x = pl.op "tile.write"(tile %t, value %v) {indices = array<i64: 16, 0>} : (!pl.tile<32x64xf32, vec>, f32) -> !pl.tile<32x64xf32, vec>
    return
  }

  // The same for a tile that is assembled over.
  // CHECK-LABEL: func.func @assembled
  // CHECK: pl.tile.extract %{{.+}} [0, 0] : <32x64xf32, vec>
  // CHECK: "tile.assemble"
  func.func @assembled(%t: !pl.tile<32x64xf32, vec>, %u: !pl.tile<16x64xf32, vec>, %out: !pl.tensor<[32, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.extract %t[0, 0] : !pl.tile<32x64xf32, vec> -> !pl.tile<16x64xf32, vec>
    %n = pl.op "tile.assemble"(target %t, source %u) {offset = array<i64: 0, 0>} : (!pl.tile<32x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<32x64xf32, vec>
    %0 = pl.tile.store %n into %out[0, 0] : !pl.tile<32x64xf32, vec>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    %1 = pl.tile.store %a into %0[0, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[32, 64] x f32> -> !pl.tensor<[32, 64] x f32>
    return
  }

  // A load that is changed in one element stays one load, under whatever name.
  // CHECK-LABEL: func.func @written
  // CHECK-COUNT-1: pl.tile.load
  // CHECK-NOT: pl.tile.load
  // CHECK: return
  func.func @written(%x: !pl.tensor<[16, 16] x f16>, %v: f16, %w: !pl.tile<16x16xf16, mat>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, unset>
    %r = pl.tile.reshape %a : !pl.tile<16x16xf16, unset> -> !pl.tile<16x16xf16, unset>
    %o = pl.op "tile.write"(tile %r, value %v) {indices = array<i64: 0, 0>} : (!pl.tile<16x16xf16, unset>, f16) -> !pl.tile<16x16xf16, unset>
    %n = pl.op "tile.neg"(tile %a) : (!pl.tile<16x16xf16, unset>) -> !pl.tile<16x16xf16, unset>
    %c = pl.tile.matmul %a, %w : !pl.tile<16x16xf16, unset>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, unset>
    return
  }

  // A loop of unknown length that carries a tile is named, and its function is lowered no further.
  // CHECK-LABEL: func.func @open
  // CHECK-SAME: pl.left
  // CHECK: scf.while
  // CHECK: pl.not_lowered = "a loop of unknown length that carries a tile"
  func.func @open(%t: !pl.tile<16x64xf32, unset>, %c: i1) attributes {pl.kind = "incore"} {
    %r = scf.while (%a = %t) : (!pl.tile<16x64xf32, unset>) -> !pl.tile<16x64xf32, unset> {
      scf.condition(%c) %a : !pl.tile<16x64xf32, unset>
    } do {
    ^bb0(%b: !pl.tile<16x64xf32, unset>):
      %n = pl.op "tile.neg"(tile %b) : (!pl.tile<16x64xf32, unset>) -> !pl.tile<16x64xf32, unset>
      scf.yield %n : !pl.tile<16x64xf32, unset>
    }
    return
  }
}
