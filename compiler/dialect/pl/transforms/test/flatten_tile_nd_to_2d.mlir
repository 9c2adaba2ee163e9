// RUN: placid-opt %s --pl-flatten-tile-nd-to-2d | FileCheck %s
// RUN: placid-opt %s --pl-flatten-tile-nd-to-2d --verify-roundtrip -o /dev/null

!w = !pl.tensor<[4, 32, 64] x f16, nz>
!x = !pl.tensor<[4, 16, 64] x f16>
!o = !pl.tensor<[4, 16, 32] x f32>

// The tile is 2-D, an NZ window keeps its rank, the reshape that said so is gone and its name stays.
// CHECK-LABEL: func.func @nz_source
// CHECK: %[[W:.+]] = pl.tile.load %arg0 [1, 0, 0] sizes [1, 32, 64] {{.*}}{pl.result = "w_l1"} : <[4, 32, 64] x f16, nz> -> <32x64xf16, mat>
// CHECK-NOT: reshape
// CHECK: pl.tile.move %[[W]]
func.func @nz_source(%w: !w) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %w [1, 0, 0] sizes [1, 32, 64] : !w -> !pl.tile<1x32x64xf16, mat>
  %b = pl.tile.reshape %a {pl.result = "w_l1"} : !pl.tile<1x32x64xf16, mat> -> !pl.tile<32x64xf16, mat>
  %c = pl.tile.move %b : !pl.tile<32x64xf16, mat> -> !pl.tile<32x64xf16, left>
  return
}

// An ND source of rank 3 is read to Mat through a 2-D view; to Vec as it is.
// CHECK-LABEL: func.func @nd_source
// CHECK: %[[V:.+]] = pl.tensor.reshape %arg0 : <[4, 16, 64] x f16> -> <[64, 64] x f16>
// CHECK: pl.tile.load %[[V]] [16, 0] sizes [16, 64] {{.*}} -> <16x64xf16, mat>
// CHECK: %[[M:.+]] = arith.muli %arg1, %{{.+}} : index
// CHECK: %[[R:.+]] = arith.addi %[[M]], %arg2 : index
// CHECK: pl.tile.load %{{.+}} [%[[R]], 0] sizes [8, 64] valid [4, 64]
// CHECK: pl.tile.load %{{.+}} [0, 16] sizes [32, 16] {{.*}} -> <32x16xf16, mat>
// CHECK: pl.tile.load %arg0 [1, 0, 0] sizes [1, 16, 64] {{.*}} -> <16x64xf16, vec>
func.func @nd_source(%x: !x, %e: index, %r: index) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [1, 0, 0] sizes [1, 16, 64] : !x -> !pl.tile<1x16x64xf16, mat>
  %b = pl.tile.load %x [%e, %r, 0] sizes [1, 8, 64] valid [1, 4, 64] : !x -> !pl.tile<1x8x64xf16, mat, valid = [1, 4, 64]>
  %c = pl.tile.load %x [0, 0, 16] sizes [2, 16, 16] : !x -> !pl.tile<2x16x16xf16, mat>
  %d = pl.tile.load %x [1, 0, 0] sizes [1, 16, 64] : !x -> !pl.tile<1x16x64xf16, vec>
  return
}

// What is valid of a window of several planes must be its first rows: the planes after the first that is not 1 are whole.
// CHECK-LABEL: func.func @valid_rows
// CHECK: pl.tile.load %{{.+}} [0, 0] sizes [32, 64] valid [16, 64] {{.*}} -> <32x64xf16, mat, valid = [16, 64]>
// CHECK: pl.tile.load %{{.+}} [0, 0] sizes [32, 64] valid [32, 32]
// CHECK: %[[ROWS:.+]] = arith.muli %arg1, %{{.+}} : index
// CHECK: pl.tile.load %{{.+}} [0, 0] sizes [32, 64] valid [%[[ROWS]], 64]
func.func @valid_rows(%x: !x, %n: index) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] valid [1, 16, 64] : !x -> !pl.tile<2x16x64xf16, mat, valid = [1, 16, 64]>
  %b = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] valid [2, 16, 32] : !x -> !pl.tile<2x16x64xf16, mat, valid = [2, 16, 32]>
  %c = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] valid [%n, 16, 64] : !x -> !pl.tile<2x16x64xf16, mat, valid = [?, 16, 64]>
  return
}

// Rank 1 becomes one row. A store of rank above 2 gets its partition.
// CHECK-LABEL: func.func @ranks
// CHECK: %[[T:.+]] = pl.tile.load %arg0 [0] sizes [512] {{.*}} -> <1x512xf16, vec>
// CHECK: pl.tile.store %[[T]] into %arg0 [512] sizes [512]
// CHECK: pl.tile.store %{{.+}} into %arg1 [2, 0, 0] sizes [1, 16, 32]
// CHECK: pl.tile.store %{{.+}} into %arg1 [0, 0, 0] sizes [2, 16, 32] : <32x32xf32, vec>
func.func @ranks(%x: !pl.tensor<[1024] x f16>, %o: !o) attributes {pl.kind = "incore"} {
  %t = pl.tile.load %x [0] sizes [512] : !pl.tensor<[1024] x f16> -> !pl.tile<512xf16, vec>
  %s = pl.tile.store %t into %x [512] : !pl.tile<512xf16, vec>, !pl.tensor<[1024] x f16> -> !pl.tensor<[1024] x f16>
  %a = pl.tile.create : !pl.tile<16x32xf32, vec>
  %b = pl.tile.store %a into %o [2, 0, 0] : !pl.tile<16x32xf32, vec>, !o -> !o
  %c = pl.tile.create : !pl.tile<2x16x32xf32, vec>
  %d = pl.tile.store %c into %o [0, 0, 0] : !pl.tile<2x16x32xf32, vec>, !o -> !o
  return
}

// One batch is a plain matmul.
// CHECK-LABEL: func.func @one_batch
// CHECK: pl.tile.matmul %{{.+}}, %{{.+}} : <16x64xf16, mat>, <64x32xf16, mat, transposed> -> <16x32xf32, acc>
// CHECK-NOT: batch_matmul
// CHECK: return
func.func @one_batch(%x: !pl.tensor<[16, 64] x f16>, %w: !w, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, mat>
  %b = pl.tile.load %w [3, 0, 0] sizes [1, 32, 64] : !w -> !pl.tile<1x32x64xf16, mat>
  %t = pl.tile.transpose_view %b : !pl.tile<1x32x64xf16, mat> -> !pl.tile<1x64x32xf16, mat, transposed>
  %m = pl.tile.batch_matmul %a, %t : !pl.tile<16x64xf16, mat>, !pl.tile<1x64x32xf16, mat, transposed> -> !pl.tile<1x16x32xf32, acc>
  %r = pl.tile.reshape %m : !pl.tile<1x16x32xf32, acc> -> !pl.tile<16x32xf32, acc>
  %s = pl.tile.store %r into %o [0, 0] : !pl.tile<16x32xf32, acc>, !pl.tensor<[16, 32] x f32> -> !pl.tensor<[16, 32] x f32>
  return
}

// More batches are unrolled: a load a page, a store a page; the operand without batches is loaded once.
// CHECK-LABEL: func.func @two_batches
// CHECK: %[[A:.+]] = pl.tile.load %arg0 [0, 0] sizes [16, 64]
// CHECK: %[[B0:.+]] = pl.tile.load %arg1 [%arg3, 0, 0] sizes [1, 32, 64] {{.*}} -> <32x64xf16, mat>
// CHECK: %[[T0:.+]] = pl.tile.transpose_view %[[B0]] : <32x64xf16, mat> -> <64x32xf16, mat, transposed>
// CHECK: %[[M0:.+]] = pl.tile.matmul %[[A]], %[[T0]] : {{.*}} -> <16x32xf32, acc>
// CHECK: %[[I1:.+]] = arith.addi %arg3, %{{.+}} : index
// CHECK: pl.tile.load %arg1 [%[[I1]], 0, 0] sizes [1, 32, 64]
// CHECK: %[[M1:.+]] = pl.tile.matmul
// CHECK: %[[S0:.+]] = pl.tile.store %[[M0]] into %arg2 [0, 0, 0] sizes [1, 16, 32]
// CHECK: %[[S1:.+]] = pl.tile.store %[[M1]] into %[[S0]] [1, 0, 0] sizes [1, 16, 32]
// CHECK: return %[[S1]]
func.func @two_batches(%x: !pl.tensor<[16, 64] x f16>, %w: !w, %o: !o, %e: index) -> !o attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, mat>
  %b = pl.tile.load %w [%e, 0, 0] sizes [2, 32, 64] : !w -> !pl.tile<2x32x64xf16, mat>
  %t = pl.tile.transpose_view %b : !pl.tile<2x32x64xf16, mat> -> !pl.tile<2x64x32xf16, mat, transposed>
  %m = pl.tile.batch_matmul %a, %t : !pl.tile<16x64xf16, mat>, !pl.tile<2x64x32xf16, mat, transposed> -> !pl.tile<2x16x32xf32, acc>
  %s = pl.tile.store %m into %o [0, 0, 0] : !pl.tile<2x16x32xf32, acc>, !o -> !o
  return %s : !o
}

// Batches merged into rows by a reshape are stored as row bands.
// CHECK-LABEL: func.func @row_bands
// CHECK: pl.tile.store %{{.+}} into %arg2 [0, 0] : <16x32xf32, acc>
// CHECK: pl.tile.store %{{.+}} into %{{.+}} [16, 0] : <16x32xf32, acc>
// CHECK-NOT: reshape
// CHECK: return
func.func @row_bands(%x: !x, %w: !w, %o: !pl.tensor<[32, 32] x f32>) attributes {pl.kind = "incore"} {
  %a = pl.tile.load %x [0, 0, 0] sizes [2, 16, 64] : !x -> !pl.tile<2x16x64xf16, mat>
  %b = pl.tile.load %w [0, 0, 0] sizes [2, 32, 64] : !w -> !pl.tile<2x32x64xf16, mat>
  %t = pl.tile.transpose_view %b : !pl.tile<2x32x64xf16, mat> -> !pl.tile<2x64x32xf16, mat, transposed>
  %m = pl.tile.batch_matmul %a, %t : !pl.tile<2x16x64xf16, mat>, !pl.tile<2x64x32xf16, mat, transposed> -> !pl.tile<2x16x32xf32, acc>
  %r = pl.tile.reshape %m : !pl.tile<2x16x32xf32, acc> -> !pl.tile<32x32xf32, acc>
  %s = pl.tile.store %r into %o [0, 0] : !pl.tile<32x32xf32, acc>, !pl.tensor<[32, 32] x f32> -> !pl.tensor<[32, 32] x f32>
  return
}
