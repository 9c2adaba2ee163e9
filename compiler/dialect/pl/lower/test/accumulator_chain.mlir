// RUN: placid-opt %s --pl-auto-tile-matmul-l0 --split-input-file | FileCheck %s

// A K loop written by hand whose 64 x 1024 accumulator is twice L0C: the loop runs once for each half of the columns.
// Loads inside it bring the half only, an NZ source by its row fractals (the operand is transposed), an ND source by
// its columns; the left operand is loaded whole each time.
// CHECK-LABEL: func.func @nz_split_k
// CHECK-SAME: %[[X:[^,]+]]: !pl.tensor<[64, 512] x f16>, %[[W:[^,]+]]: !pl.tensor<[1, 32, 64, 16, 16] x f16, nz>, %[[OUT:[^,]+]]: !pl.tensor
// CHECK: %[[INIT:.+]] = pl.tile.create : <64x512xf32, acc>
// CHECK: %[[FIRST:.+]] = scf.for %[[K:.+]] = {{.*}} iter_args(%[[ACC:.+]] = %[[INIT]]) -> (!pl.tile<64x512xf32, acc>)
// CHECK: %[[BLOCK:.+]] = arith.floordivsi %[[K]], %{{.+}} : index
// CHECK: pl.tile.load %[[X]] [0, %[[K]]] sizes [64, 128] : {{.*}} -> <64x128xf16, mat>
// CHECK: pl.tile.load %[[W]] [0, %[[BLOCK]], 0, 0, 0] sizes [1, 8, 32, 16, 16] : {{.*}} -> <512x128xf16, mat>
// CHECK: scf.if
// CHECK: pl.tile.transpose_view %{{.+}} : <512x128xf16, mat> -> <128x512xf16, mat, transposed>
// CHECK: pl.tile.matmul %{{.+}} -> <64x512xf32, acc>
// CHECK: else
// CHECK: pl.tile.matmul_acc %{{.+}} -> <64x512xf32, acc>
// CHECK: {pl.loop = "pipeline", pl.stages = 2 : i64}
// CHECK: %[[S0:.+]] = pl.tile.store %[[FIRST]] into %[[OUT]] [0, 0, 0, 0, 0] sizes [1, 64, 4, 16, 8] {st_phase = "final"} : <64x512xf32, acc>
// CHECK: %[[SECOND:.+]] = scf.for
// CHECK: pl.tile.load %[[W]] [0, %{{.+}}, 32, 0, 0] sizes [1, 8, 32, 16, 16]
// CHECK: %[[S1:.+]] = pl.tile.store %[[SECOND]] into %[[S0]] [0, 64, 0, 0, 0] sizes [1, 64, 4, 16, 8] {st_phase = "final"} : <64x512xf32, acc>
// CHECK-NOT: scf.for
// CHECK: return %[[S1]]
module attributes {pl.arch = "a3"} {
  func.func @nz_split_k(%x: !pl.tensor<[64, 512] x f16>, %w: !pl.tensor<[1, 32, 64, 16, 16] x f16, nz>, %out: !pl.tensor<[1, 128, 4, 16, 8] x f32, nz>) -> !pl.tensor<[1, 128, 4, 16, 8] x f32, nz> attributes {pl.kind = "incore", nz_tensor_views_blocked} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %c512 = arith.constant 512 : index
    %init = pl.tile.create : !pl.tile<64x1024xf32, acc>
    %sum = scf.for %k = %c0 to %c512 step %c128 iter_args(%acc = %init) -> (!pl.tile<64x1024xf32, acc>) {
      %block = arith.floordivsi %k, %c16 : index
      %a = pl.tile.load %x[0, %k] sizes [64, 128] : !pl.tensor<[64, 512] x f16> -> !pl.tile<64x128xf16, mat>
      %b = pl.tile.load %w[0, %block, 0, 0, 0] sizes [1, 8, 64, 16, 16] : !pl.tensor<[1, 32, 64, 16, 16] x f16, nz> -> !pl.tile<1024x128xf16, mat>
      %first = arith.cmpi eq, %k, %c0 : index
      %next = scf.if %first -> (!pl.tile<64x1024xf32, acc>) {
        %bt = pl.tile.transpose_view %b : !pl.tile<1024x128xf16, mat> -> !pl.tile<128x1024xf16, mat, transposed>
        %c = pl.tile.matmul %a, %bt : !pl.tile<64x128xf16, mat>, !pl.tile<128x1024xf16, mat, transposed> -> !pl.tile<64x1024xf32, acc>
        scf.yield %c : !pl.tile<64x1024xf32, acc>
      } else {
        %bt = pl.tile.transpose_view %b : !pl.tile<1024x128xf16, mat> -> !pl.tile<128x1024xf16, mat, transposed>
        %c = pl.tile.matmul_acc %acc, %a, %bt : !pl.tile<64x1024xf32, acc>, !pl.tile<64x128xf16, mat>, !pl.tile<128x1024xf16, mat, transposed> -> !pl.tile<64x1024xf32, acc>
        scf.yield %c : !pl.tile<64x1024xf32, acc>
      }
      scf.yield %next : !pl.tile<64x1024xf32, acc>
    } {pl.loop = "pipeline", pl.stages = 2 : i64}
    %0 = pl.tile.store %sum into %out[0, 0, 0, 0, 0] sizes [1, 128, 4, 16, 8] {st_phase = "final"} : !pl.tile<64x1024xf32, acc>, !pl.tensor<[1, 128, 4, 16, 8] x f32, nz> -> !pl.tensor<[1, 128, 4, 16, 8] x f32, nz>
    return %0 : !pl.tensor<[1, 128, 4, 16, 8] x f32, nz>
  }
}

// -----

// Accumulations one after the other: operands in front of the chain stay whole and are cut on the way to L0.
// CHECK-LABEL: func.func @nd_row_of_accumulations
// CHECK-SAME: %[[A:[^,]+]]: !pl.tile<256x64xf16, mat>, %[[B:[^,]+]]: !pl.tile<64x256xf16, mat>
// CHECK: %[[P0:.+]] = pl.tile.matmul %{{.+}} -> <[[M:[0-9]+]]x[[N:[0-9]+]]xf32, acc>
// CHECK: pl.tile.matmul_acc %[[P0]]
// CHECK: pl.tile.store %{{.+}} into %{{.+}} [0, 0] : <[[M]]x[[N]]xf32, acc>
// CHECK: pl.tile.extract %[[A]] [128, 0]
// CHECK: pl.tile.store %{{.+}} into %{{.+}} [128, 0]
// CHECK-NOT: 256x256xf32, acc
// CHECK: return
module attributes {pl.arch = "a3"} {
  func.func @nd_row_of_accumulations(%a: !pl.tile<256x64xf16, mat>, %b: !pl.tile<64x256xf16, mat>, %out: !pl.tensor<[256, 256] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<256x64xf16, mat>, !pl.tile<64x256xf16, mat> -> !pl.tile<256x256xf32, acc>
    %d = pl.tile.matmul_acc %c, %a, %b : !pl.tile<256x256xf32, acc>, !pl.tile<256x64xf16, mat>, !pl.tile<64x256xf16, mat> -> !pl.tile<256x256xf32, acc>
    %0 = pl.tile.store %d into %out[0, 0] : !pl.tile<256x256xf32, acc>, !pl.tensor<[256, 256] x f32> -> !pl.tensor<[256, 256] x f32>
    return
  }
}

// -----

// What is read is what is written, or the accumulator has a second reader: the chain cannot be repeated and stays.
// CHECK-LABEL: func.func @reads_its_destination
// CHECK: pl.tile.store %{{.+}} : <1024x64xf32, acc>
// CHECK-LABEL: func.func @two_readers
// CHECK: pl.tile.store %{{.+}} : <1024x64xf32, acc>
// CHECK: pl.tile.store %{{.+}} : <1024x64xf32, acc>
module attributes {pl.arch = "a3"} {
  func.func @reads_its_destination(%y: !pl.tensor<[1024, 64] x f32>, %b: !pl.tile<64x64xf32, mat>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %init = pl.tile.create : !pl.tile<1024x64xf32, acc>
    %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %init) -> (!pl.tile<1024x64xf32, acc>) {
      %a = pl.tile.load %y[0, 0] sizes [1024, 64] : !pl.tensor<[1024, 64] x f32> -> !pl.tile<1024x64xf32, mat>
      %c = pl.tile.matmul_acc %acc, %a, %b : !pl.tile<1024x64xf32, acc>, !pl.tile<1024x64xf32, mat>, !pl.tile<64x64xf32, mat> -> !pl.tile<1024x64xf32, acc>
      scf.yield %c : !pl.tile<1024x64xf32, acc>
    }
    %0 = pl.tile.store %sum into %y[0, 0] : !pl.tile<1024x64xf32, acc>, !pl.tensor<[1024, 64] x f32> -> !pl.tensor<[1024, 64] x f32>
    return
  }
  func.func @two_readers(%a: !pl.tile<1024x16xf16, mat>, %b: !pl.tile<16x64xf16, mat>, %y: !pl.tensor<[1024, 64] x f32>, %z: !pl.tensor<[1024, 64] x f32>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b : !pl.tile<1024x16xf16, mat>, !pl.tile<16x64xf16, mat> -> !pl.tile<1024x64xf32, acc>
    %d = pl.tile.matmul_acc %c, %a, %b : !pl.tile<1024x64xf32, acc>, !pl.tile<1024x16xf16, mat>, !pl.tile<16x64xf16, mat> -> !pl.tile<1024x64xf32, acc>
    %0 = pl.tile.store %d into %y[0, 0] : !pl.tile<1024x64xf32, acc>, !pl.tensor<[1024, 64] x f32> -> !pl.tensor<[1024, 64] x f32>
    %1 = pl.tile.store %d into %z[0, 0] : !pl.tile<1024x64xf32, acc>, !pl.tensor<[1024, 64] x f32> -> !pl.tensor<[1024, 64] x f32>
    return
  }
}
