// RUN: placid-opt %s --pl-convert-tensor-to-tile-ops --split-input-file --verify-diagnostics | FileCheck %s
// Copies from other devices, and waiting for them.

module attributes {pl.arch = "a3"} {
  // What lies on another device comes as a tile.
  // CHECK-LABEL: @fetched
  // CHECK: %[[TILE:.*]] = pl.op "pld.tile.remote_load"(target %arg1, peer %arg2) {offsets = array<i64: 0, 0>, shape = array<i64: 16, 64>} : {{.*}} -> !pl.tile<16x64xf32, vec>
  // CHECK: pl.tile.store %[[TILE]] into %arg0 [0, 0]
  func.func @fetched(%dst: !pl.tensor<[16, 64] x f32>, %src: !pl.tensor<[16, 64] x f32, distributed>, %peer: index) attributes {pl.kind = "incore"} {
    pl.op "pld.tensor.get"(dst %dst, peer %peer, src %src) : (!pl.tensor<[16, 64] x f32>, index, !pl.tensor<[16, 64] x f32, distributed>) -> ()
    return
  }

  // In pieces of rows, the last of them shorter.
  // CHECK-LABEL: @in_pieces
  // CHECK: scf.for %[[ROW:.*]] =
  // CHECK: %[[LIVE:.*]] = arith.minsi
  // CHECK: pl.op "pld.tile.remote_load"(target %arg1, offsets %{{.*}}, valid_shape %[[LIVE]]) {{.*}} -> !pl.tile<4x64xf32, vec, valid = [?, 64]>
  // CHECK: pl.tile.store %{{.*}} into %arg0 [%[[ROW]], 0]
  func.func @in_pieces(%dst: !pl.tensor<[10, 64] x f32>, %src: !pl.tensor<[16, 64] x f32, distributed>) attributes {pl.kind = "incore"} {
    pl.op "pld.tensor.get"(dst %dst, src %src) {peer = 1 : i64, chunk_rows = 4 : i64, src_offsets = array<i64: 2, 0>, dst_offsets = array<i64: 0, 0>, shape = array<i64: 10, 64>} : (!pl.tensor<[10, 64] x f32>, !pl.tensor<[16, 64] x f32, distributed>) -> ()
    return
  }

  // One more on every other device, one from every other device, and all taken back.
  // CHECK-LABEL: @barrier
  // CHECK: %[[OWN:.*]] = pl.cast %{{.*}} : i32 -> index
  // CHECK: scf.for %[[PEER:.*]] = {{.*}} {
  // CHECK: arith.cmpi ne, %[[PEER]], %[[OWN]]
  // CHECK: pl.op "pld.system.notify"(target %arg0, peer %[[PEER]], offsets %[[OWN]]) {offsets = array<i64: -9223372036854775808, 0>, op = "AtomicAdd", value = 1 : i64}
  // CHECK: scf.for %[[FROM:.*]] = {{.*}} {
  // CHECK: pl.op "pld.system.wait"(signal %arg0, offsets %[[FROM]]) {cmp = "Ge", expected = 1 : i64, offsets = array<i64: -9223372036854775808, 0>}
  // CHECK: scf.for %[[BACK:.*]] = {{.*}} {
  // CHECK: pl.op "pld.system.notify"(target %arg0, peer %[[OWN]], offsets %[[BACK]]) {{.*}}value = -1 : i64}
  // CHECK: return %arg0
  func.func @barrier(%signal: !pl.tensor<[4, 1] x i32, distributed>) -> !pl.tensor<[4, 1] x i32, distributed> attributes {pl.kind = "incore"} {
    %r = pl.op "pld.tensor.barrier"(signal %signal) : (!pl.tensor<[4, 1] x i32, distributed>) -> !pl.tensor<[4, 1] x i32, distributed>
    return %r : !pl.tensor<[4, 1] x i32, distributed>
  }

  func.func @ring(%signal: !pl.tensor<[4, 4] x i32, distributed>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{a barrier whose signal is not one column, of a word for each device,}}
    %r = pl.op "pld.tensor.barrier"(signal %signal) : (!pl.tensor<[4, 4] x i32, distributed>) -> !pl.tensor<[4, 4] x i32, distributed>
    return
  }
}
