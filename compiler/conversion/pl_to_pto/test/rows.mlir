// RUN: placid-opt %s --placid-lower --split-input-file --verify-diagnostics | FileCheck %s
// Loads into windows of tiles in Mat, whose rows are lines of 32 bytes.

module attributes {pl.arch = "a3"} {
  // Rows that are further apart than the instruction can say come one by one.
  // CHECK-LABEL: func.func @far
  // CHECK: %[[TILE:.*]] = pto.alloc_tile
  // CHECK: %[[FIRST:.*]] = arith.maxsi %arg1, %c0
  // CHECK-NEXT: scf.for %[[ROW:.*]] = %c0 to %c32 step %c1 {
  // CHECK-NEXT: %[[INTO:.*]] = pto.subview %[[TILE]][%[[ROW]], %c0] sizes [16, 32] valid[%c1, %c32]
  // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[FIRST]], %[[ROW]]
  // CHECK-NEXT: %[[LINE:.*]] = pto.partition_view %{{.*}}, offsets = [%[[AT]], %c65536], sizes = [%c1, %c32]
  // CHECK-NEXT: pto.tload ins(%[[LINE]] : !pto.partition_tensor_view<1x32xf16>) outs(%[[INTO]]
  func.func @far(%w: !pl.tensor<[64, 65600] x f16>, %n: index) attributes {pl.kind = "incore"} {
    %b = pl.tile.load %w[%n : index, 65536] sizes [32, 32] : <[64, 65600] x f16> -> <32x32xf16, mat>
    return
  }

  // One row never skips any.
  // CHECK-LABEL: func.func @near
  // CHECK-NOT: scf.for
  // CHECK: return
  func.func @near(%w: !pl.tensor<[64, 65520] x f16>) attributes {pl.kind = "incore"} {
    %b = pl.tile.load %w[0, 0] sizes [32, 32] : <[64, 65520] x f16> -> <32x32xf16, mat>
    return
  }

  // CHECK-LABEL: func.func @gather
  // CHECK: %[[TILE:.*]] = pto.alloc_tile
  // CHECK-NEXT: %[[ROW:.*]] = pto.subview %[[TILE]][%arg1, %c0] sizes [16, 64] valid[%c1, %c64]
  // CHECK: pto.tload {{.*}} outs(%[[ROW]]
  // CHECK-NEXT: %[[PART:.*]] = pto.subview %[[TILE]][%c16, %c32] sizes [16, 16] valid[%arg1, %c16]
  // CHECK-NEXT: pto.partition_view {{.*}} offsets = [%c3, %c16], sizes = [%arg1, %c16]
  // CHECK-NEXT: pto.tload {{.*}} outs(%[[PART]]
  func.func @gather(%src: !pl.tensor<[48, 64] x bf16>, %n: index, %m: index) attributes {pl.kind = "incore"} {
    %t = pl.tile.create : <32x64xbf16, mat>
    %u = pl.op "tile.gather_row"(dst %t, src %src, dst_offset %n, src_offset %m) {dst_offset = array<i64: -9223372036854775808, 0>, src_offset = array<i64: -9223372036854775808, 0>, shapes = array<i64: 1, 64>} : (!pl.tile<32x64xbf16, mat>, !pl.tensor<[48, 64] x bf16>, index, index) -> !pl.tile<32x64xbf16, mat>
    %v = pl.op "tile.gather_row"(dst %u, src %src, valid_shape %n) {dst_offset = array<i64: 16, 32>, src_offset = array<i64: 3, 16>, shapes = array<i64: 8, 16>, valid_shape = array<i64: -9223372036854775808, 16>} : (!pl.tile<32x64xbf16, mat>, !pl.tensor<[48, 64] x bf16>, index) -> !pl.tile<32x64xbf16, mat>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @between(%src: !pl.tensor<[48, 64] x bf16>, %n: index) attributes {pl.kind = "incore"} {
    %t = pl.tile.create : <32x64xbf16, mat>
    // expected-error @+1 {{a window of a Mat tile that begins at the constant row 5, which is not a multiple of 16,}}
    %u = pl.op "tile.gather_row"(dst %t, src %src) {dst_offset = array<i64: 5, 0>, src_offset = array<i64: 0, 0>, shapes = array<i64: 1, 64>} : (!pl.tile<32x64xbf16, mat>, !pl.tensor<[48, 64] x bf16>) -> !pl.tile<32x64xbf16, mat>
    // expected-error @+1 {{a window of a tile that does not provably begin at a multiple of 16 columns (32 bytes)}}
    %v = pl.op "tile.gather_row"(dst %u, src %src, dst_offset %n) {dst_offset = array<i64: 0, -9223372036854775808>, src_offset = array<i64: 0, 0>, shapes = array<i64: 1, 16>} : (!pl.tile<32x64xbf16, mat>, !pl.tensor<[48, 64] x bf16>, index) -> !pl.tile<32x64xbf16, mat>
    // expected-error @+1 {{a window that leaves the tile}}
    %w = pl.op "tile.gather_row"(dst %v, src %src) {dst_offset = array<i64: 16, 0>, src_offset = array<i64: 0, 0>, shapes = array<i64: 17, 64>} : (!pl.tile<32x64xbf16, mat>, !pl.tensor<[48, 64] x bf16>) -> !pl.tile<32x64xbf16, mat>
    // expected-error @+1 {{a window of a tile of 8 columns, which are not whole 32-byte blocks,}}
    %x = pl.op "tile.gather_row"(dst %w, src %src) {dst_offset = array<i64: 0, 0>, src_offset = array<i64: 0, 0>, shapes = array<i64: 1, 8>} : (!pl.tile<32x64xbf16, mat>, !pl.tensor<[48, 64] x bf16>) -> !pl.tile<32x64xbf16, mat>
    return
  }
}
