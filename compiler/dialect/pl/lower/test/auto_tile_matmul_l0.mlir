// RUN: placid-opt %s --pl-auto-tile-matmul-l0 | FileCheck %s

module attributes {pl.arch = "a3"} {
  // Half of L0A holds 16 x 1024 halves, so nothing is cut.
  // CHECK-LABEL: func.func @fits
  // CHECK: pl.tile.matmul %{{.+}}, %{{.+}} : <16x64xf16, mat>, <64x48xf16, mat>
  // CHECK-NOT: pl.tile.extract
  // CHECK: return
  func.func @fits(%x: !pl.tensor<[16, 64] x f16>, %w: !pl.tensor<[64, 48] x f16>, %out: !pl.tensor<[16, 48] x f32>) -> !pl.tensor<[16, 48] x f32> attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [64, 48] : !pl.tensor<[64, 48] x f16> -> !pl.tile<64x48xf16, mat>
    %c = pl.tile.matmul %a, %b : !pl.tile<16x64xf16, mat>, !pl.tile<64x48xf16, mat> -> !pl.tile<16x48xf32, acc>
    %r = pl.tile.store %c into %out[0, 0] : !pl.tile<16x48xf32, acc>, !pl.tensor<[16, 48] x f32> -> !pl.tensor<[16, 48] x f32>
    return %r : !pl.tensor<[16, 48] x f32>
  }

  // K only, in four blocks of 64 and a tail of 32: the first block is peeled off, the tail follows the loop, and the uses
  // stay as they are.
  // CHECK-LABEL: func.func @k_blocks
  // CHECK-SAME: %[[A:.+]]: !pl.tile<128x288xf16, mat>, %[[B:.+]]: !pl.tile<288x256xf16, mat>
  // CHECK: %[[A0:.+]] = pl.tile.extract %[[A]] [0, 0] : <128x288xf16, mat> -> <128x64xf16, left>
  // CHECK: %[[B0:.+]] = pl.tile.extract %[[B]] [0, 0] : <288x256xf16, mat> -> <64x256xf16, right>
  // CHECK: %[[FIRST:.+]] = pl.tile.matmul %[[A0]], %[[B0]] : {{.+}} -> <128x256xf32, acc>
  // CHECK: %[[LOW:.+]] = arith.constant 64 : index
  // CHECK: %[[HIGH:.+]] = arith.constant 256 : index
  // CHECK: %[[SUM:.+]] = scf.for %[[K:.+]] = %[[LOW]] to %[[HIGH]] step %{{.+}} iter_args(%[[ACC:.+]] = %[[FIRST]])
  // CHECK: pl.tile.extract %[[A]] [0, %[[K]]] : <128x288xf16, mat> -> <128x64xf16, left>
  // CHECK: pl.tile.extract %[[B]] [%[[K]], 0] : <288x256xf16, mat> -> <64x256xf16, right>
  // CHECK: pl.tile.matmul_acc %[[ACC]]
  // CHECK: } {pl.loop = "pipeline", pl.stages = 2 : i64}
  // CHECK: pl.tile.extract %[[A]] [0, 256] : <128x288xf16, mat> -> <128x32xf16, left>
  // CHECK: %[[ALL:.+]] = pl.tile.matmul_acc %[[SUM]]
  // CHECK-NEXT: pl.tile.store %[[ALL]]
  // CHECK-NEXT: pl.tile.store %[[ALL]]
  func.func @k_blocks(%a: !pl.tile<128x288xf16, mat>, %b: !pl.tile<288x256xf16, mat>, %out: !pl.tensor<[128, 512] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<128x288xf16, mat>, !pl.tile<288x256xf16, mat> -> !pl.tile<128x256xf32, acc>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<128x256xf32, acc>, !pl.tensor<[128, 512] x f32> -> !pl.tensor<[128, 512] x f32>
    %1 = pl.tile.store %c into %0[0, 256] : !pl.tile<128x256xf32, acc>, !pl.tensor<[128, 512] x f32> -> !pl.tensor<[128, 512] x f32>
    return
  }

  // An accumulation continues its own accumulator from the first block on.
  // CHECK-LABEL: func.func @accumulate
  // CHECK: scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[INIT:.+]]) -> (!pl.tile<64x256xf32, acc>)
  // CHECK: pl.tile.matmul_acc %[[ACC]]
  func.func @accumulate(%init: !pl.tile<64x256xf32, acc>, %a: !pl.tile<64x256xf32, mat>, %b: !pl.tile<256x256xf32, mat>, %out: !pl.tensor<[64, 256] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul_acc %init, %a, %b : !pl.tile<64x256xf32, acc>, !pl.tile<64x256xf32, mat>, !pl.tile<256x256xf32, mat> -> !pl.tile<64x256xf32, acc>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<64x256xf32, acc>, !pl.tensor<[64, 256] x f32> -> !pl.tensor<[64, 256] x f32>
    return
  }

  // An ND destination may be cut both ways; the held operand is extracted once for each outer piece.
  // CHECK-LABEL: func.func @grid
  // CHECK-SAME: %[[OUT:[^,]+]]: !pl.tensor<[256, 544] x f32>
  // CHECK: %[[LEFT:.+]] = pl.tile.move %{{.+}} : <256x128xf16, mat> -> <256x128xf16, left>
  // CHECK: pl.tile.extract %{{.+}} [0, 0] : <128x544xf16, mat> -> <128x128xf16, right>
  // CHECK: pl.tile.matmul %[[LEFT]]
  // CHECK: %[[S0:.+]] = pl.tile.store %{{.+}} into %[[OUT]] [0, 0] : <256x128xf32, acc>
  // CHECK: pl.tile.matmul %[[LEFT]]
  // CHECK: %[[S1:.+]] = pl.tile.store %{{.+}} into %[[S0]] [0, 128] : <256x128xf32, acc>
  // CHECK: pl.tile.store %{{.+}} into %{{.+}} [0, 512] : <256x32xf32, acc>
  // CHECK-NOT: pl.tile.store
  // CHECK: return
  func.func @grid(%a: !pl.tile<256x128xf16, mat>, %b: !pl.tile<128x544xf16, mat>, %out: !pl.tensor<[256, 544] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<256x128xf16, mat>, !pl.tile<128x544xf16, mat> -> !pl.tile<256x544xf32, acc>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<256x544xf32, acc>, !pl.tensor<[256, 544] x f32> -> !pl.tensor<[256, 544] x f32>
    return
  }

  // Many pieces run in loops that carry the destination; a symbolic offset is added to, never taken apart.
  // CHECK-LABEL: func.func @many_pieces
  // CHECK-SAME: %[[OUT:[^,]+]]: !pl.tensor<[1024, 4096] x f32>, %[[AT:[^,]+]]: index
  // CHECK: scf.for %[[N:.+]] = {{.*}} iter_args(%[[T0:.+]] = %[[OUT]]) -> (!pl.tensor<[1024, 4096] x f32>)
  // CHECK: pl.tile.extract %{{.+}} [0, %[[N]]] : {{.*}} right>
  // CHECK: scf.for %[[M:.+]] = {{.*}} iter_args(%[[T1:.+]] = %[[T0]]) -> (!pl.tensor<[1024, 4096] x f32>)
  // CHECK: pl.tile.extract %{{.+}} [%[[M]], 0] : {{.*}} left>
  // CHECK: %[[COL:.+]] = arith.addi %[[AT]], %[[N]] : index
  // CHECK: %[[T2:.+]] = pl.tile.store %{{.+}} into %[[T1]] [%[[M]], %[[COL]]]
  // CHECK: scf.yield %[[T2]]
  func.func @many_pieces(%a: !pl.tile<1024x64xf16, mat>, %b: !pl.tile<64x2048xf16, mat>, %out: !pl.tensor<[1024, 4096] x f32>, %at: index) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<1024x64xf16, mat>, !pl.tile<64x2048xf16, mat> -> !pl.tile<1024x2048xf32, acc>
    %0 = pl.tile.store %c into %out[0, %at] : !pl.tile<1024x2048xf32, acc>, !pl.tensor<[1024, 4096] x f32> -> !pl.tensor<[1024, 4096] x f32>
    return
  }

  // NZ: columns only, all 64 rows in each piece; a piece at column 512 begins 512 / 8 blocks further, and every piece has
  // the store's attributes.
  // CHECK-LABEL: func.func @nz_columns
  // CHECK-SAME: %[[OUT:[^,]+]]: !pl.tensor<[3, 128, 4, 16, 8] x f32, nz>
  // CHECK: %[[S0:.+]] = pl.tile.store %{{.+}} into %[[OUT]] [2, 0, 0, 0, 0] sizes [1, 64, 4, 16, 8] {mark = 7 : i64, st_phase = "final"} : <64x512xf32, acc>
  // CHECK: pl.tile.store %{{.+}} into %[[S0]] [2, 64, 0, 0, 0] sizes [1, 64, 4, 16, 8] {mark = 7 : i64, st_phase = "final"} : <64x512xf32, acc>
  // CHECK-NOT: pl.tile.store
  // CHECK: return
  func.func @nz_columns(%a: !pl.tile<64x128xf16, mat>, %b: !pl.tile<128x1024xf16, mat>, %out: !pl.tensor<[3, 128, 4, 16, 8] x f32, nz>) attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    %c = pl.tile.matmul %a, %b : !pl.tile<64x128xf16, mat>, !pl.tile<128x1024xf16, mat> -> !pl.tile<64x1024xf32, acc>
    %0 = pl.tile.store %c into %out[2, 0, 0, 0, 0] sizes [1, 128, 4, 16, 8] {mark = 7 : i64, st_phase = "final"} : !pl.tile<64x1024xf32, acc>, !pl.tensor<[3, 128, 4, 16, 8] x f32, nz> -> !pl.tensor<[3, 128, 4, 16, 8] x f32, nz>
    return
  }

  // A product one fractal too wide for L0C keeps its 256 rows; the block offset is a value that is only added to.
  // CHECK-LABEL: func.func @nz_one_fractal_over
  // CHECK-SAME: %[[AT:[^,]+]]: index)
  // CHECK: pl.tile.store %{{.+}} into %{{.+}} [0, %[[AT]], 0, 0, 0] sizes [1, [[N0:[0-9]+]], 16, 16, 8] : <256x
  // CHECK: %[[NEXT:.+]] = arith.addi %[[AT]], %{{.+}} : index
  // CHECK: pl.tile.store %{{.+}} into %{{.+}} [0, %[[NEXT]], 0, 0, 0] sizes [1, {{[0-9]+}}, 16, 16, 8] : <256x
  func.func @nz_one_fractal_over(%a: !pl.tile<256x64xf16, mat>, %b: !pl.tile<64x144xf16, mat>, %out: !pl.tensor<[1, 40, 16, 16, 8] x f32, nz>, %at: index) attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    %c = pl.tile.matmul %a, %b : !pl.tile<256x64xf16, mat>, !pl.tile<64x144xf16, mat> -> !pl.tile<256x144xf32, acc>
    %0 = pl.tile.store %c into %out[0, %at, 0, 0, 0] sizes [1, 18, 16, 16, 8] : !pl.tile<256x144xf32, acc>, !pl.tensor<[1, 40, 16, 16, 8] x f32, nz> -> !pl.tensor<[1, 40, 16, 16, 8] x f32, nz>
    return
  }

  // Exactly L0C: no cut.
  // CHECK-LABEL: func.func @nz_exact
  // CHECK: pl.tile.matmul %{{.+}}, %{{.+}} : <256x64xf16, mat>, <64x128xf16, mat>
  // CHECK-NEXT: pl.tile.store
  // CHECK-NEXT: return
  func.func @nz_exact(%a: !pl.tile<256x64xf16, mat>, %b: !pl.tile<64x128xf16, mat>, %out: !pl.tensor<[1, 16, 16, 16, 8] x f32, nz>) attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    %c = pl.tile.matmul %a, %b : !pl.tile<256x64xf16, mat>, !pl.tile<64x128xf16, mat> -> !pl.tile<256x128xf32, acc>
    %0 = pl.tile.store %c into %out[0, 0, 0, 0, 0] sizes [1, 16, 16, 16, 8] : !pl.tile<256x128xf32, acc>, !pl.tensor<[1, 16, 16, 16, 8] x f32, nz> -> !pl.tensor<[1, 16, 16, 16, 8] x f32, nz>
    return
  }

  // Eight-bit operands are cut at whole C0 lines of 32 elements; the transposed view runs the other way.
  // CHECK-LABEL: func.func @int8
  // CHECK: pl.tile.extract %{{.+}} [0, 0] : <16x512xi8, mat> -> <16x128xi8, left>
  // CHECK: pl.tile.extract %{{.+}} [0, 0] : <512x256xi8, mat, transposed> -> <128x256xi8, right>
  func.func @int8(%a: !pl.tile<16x512xi8, mat>, %w: !pl.tile<256x512xi8, mat>, %out: !pl.tensor<[16, 256] x i32>) attributes {pl.kind = "incore"} {
    %b = pl.tile.transpose_view %w : !pl.tile<256x512xi8, mat> -> !pl.tile<512x256xi8, mat, transposed>
    %c = pl.tile.matmul %a, %b : !pl.tile<16x512xi8, mat>, !pl.tile<512x256xi8, mat, transposed> -> !pl.tile<16x256xi32, acc>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<16x256xi32, acc>, !pl.tensor<[16, 256] x i32> -> !pl.tensor<[16, 256] x i32>
    return
  }

  // Ragged rows stay ragged in every K block, and are never cut.
  // CHECK-LABEL: func.func @ragged
  // CHECK: pl.tile.extract %{{.+}} [0, 0] : <64x256xf32, mat, valid = [?, 256]> -> <64x{{[0-9]+}}xf32, left, valid = [?, {{[0-9]+}}]>
  // CHECK: pl.tile.matmul {{.*}} -> <64x256xf32, acc, valid = [?, 256]>
  func.func @ragged(%a: !pl.tile<64x256xf32, mat, valid = [?, 256]>, %b: !pl.tile<256x256xf32, mat>, %out: !pl.tensor<[64, 256] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<64x256xf32, mat, valid = [?, 256]>, !pl.tile<256x256xf32, mat> -> !pl.tile<64x256xf32, acc, valid = [?, 256]>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<64x256xf32, acc, valid = [?, 256]>, !pl.tensor<[64, 256] x f32> -> !pl.tensor<[64, 256] x f32>
    return
  }

  // Operands that are in L0 already, and functions that are no core functions, are left alone.
  // CHECK-LABEL: func.func @by_hand
  // CHECK-NOT: pl.tile.extract
  // CHECK: return
  func.func @by_hand(%a: !pl.tile<16x1024xf16, left>, %b: !pl.tile<1024x16xf16, right>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<16x1024xf16, left>, !pl.tile<1024x16xf16, right> -> !pl.tile<16x16xf32, acc>
    return
  }
  // CHECK-LABEL: func.func @not_a_core
  // CHECK-NOT: pl.tile.extract
  // CHECK: return
  func.func @not_a_core(%a: !pl.tile<16x4096xf16, mat>, %b: !pl.tile<4096x16xf16, mat>) attributes {pl.kind = "orchestration"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<16x4096xf16, mat>, !pl.tile<4096x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    return
  }

  // What the vector unit makes goes through Mat: only from there can a long K be cut.
  // CHECK-LABEL: func.func @from_vector
  // CHECK: %[[V:.+]] = pl.op "tile.cast"
  // CHECK-NEXT: %[[M:.+]] = pl.tile.move %[[V]] {{.*}} mat>
  // CHECK: scf.for
  // CHECK: pl.tile.extract %[[M]]
  func.func @from_vector(%x: !pl.tensor<[64, 512] x f32>, %w: !pl.tensor<[512, 128] x f16>, %o: !pl.tensor<[64, 128] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [64, 512] : !pl.tensor<[64, 512] x f32> -> !pl.tile<64x512xf32, vec>
    %h = pl.op "tile.cast"(tile %a) {mode = "rint", target_type = "f16"} : (!pl.tile<64x512xf32, vec>) -> !pl.tile<64x512xf16, unset>
    %b = pl.tile.load %w[0, 0] sizes [512, 128] : !pl.tensor<[512, 128] x f16> -> !pl.tile<512x128xf16, mat>
    %p = pl.tile.matmul %h, %b : !pl.tile<64x512xf16, unset>, !pl.tile<512x128xf16, mat> -> !pl.tile<64x128xf32, acc>
    %e = pl.op "tile.exp"(tile %p) : (!pl.tile<64x128xf32, acc>) -> !pl.tile<64x128xf32, unset>
    %s = pl.tile.store %e into %o[0, 0] : !pl.tile<64x128xf32, unset>, !pl.tensor<[64, 128] x f32> -> !pl.tensor<[64, 128] x f32>
    return
  }
}
