// RUN: placid-opt %s --pl-allocate-memory-addr | FileCheck %s
// The pipe between the cores has two slots where there is room for them.

module attributes {pl.arch = "a3"} {
  // Two of 128 KiB are more than the memory; one leaves room for the rest.
  // CHECK-LABEL: func.func @large_aic
  // CHECK-SAME: slots = 1 : i64
  // CHECK-LABEL: func.func @large_aiv
  // CHECK-SAME: slots = 1 : i64
  // CHECK: pl.tile.load {{.*}}pl.addr = 131072 : i64
  func.func @large_aic(%o: !pl.tensor<[256, 128] x f32>) attributes {pl.kind = "incore", pl.pipe = {core = "cube", kernel = "large", peer = "large_aiv", slot_bytes = 131072 : i64, slots = 2 : i64, to_cube = false, to_vector = true}} {
    %t = pl.tile.create : <256x128xf32, acc>
    pl.pipe.push %t : <256x128xf32, acc>
    return
  }
  func.func @large_aiv(%o: !pl.tensor<[256, 128] x f32>) attributes {pl.kind = "incore", pl.pipe = {core = "vector", kernel = "large", peer = "large_aic", slot_bytes = 131072 : i64, slots = 2 : i64, to_cube = false, to_vector = true}} {
    %p = pl.pipe.pop : <256x128xf32, vec>
    pl.pipe.free %p : <256x128xf32, vec>
    %t = pl.tile.load %o[0, 0] sizes [16, 128] : <[256, 128] x f32> -> <16x128xf32, vec>
    %s = pl.tile.store %t into %o[0, 0] : <16x128xf32, vec>, <[256, 128] x f32> -> <[256, 128] x f32>
    return
  }

  // Somebody has said how many.
  // CHECK-LABEL: func.func @said_aiv
  // CHECK-SAME: slots = 2 : i64
  // CHECK: pl.pipe.pop {pl.not_lowered = "a kernel whose tiles need
  func.func @said_aic(%o: !pl.tensor<[256, 128] x f32>) attributes {pl.kind = "incore", pl.slots = 2 : i64, pl.pipe = {core = "cube", kernel = "said", peer = "said_aiv", slot_bytes = 131072 : i64, slots = 2 : i64, to_cube = false, to_vector = true}} {
    %t = pl.tile.create : <256x128xf32, acc>
    pl.pipe.push %t : <256x128xf32, acc>
    return
  }
  func.func @said_aiv(%o: !pl.tensor<[256, 128] x f32>) attributes {pl.kind = "incore", pl.slots = 2 : i64, pl.pipe = {core = "vector", kernel = "said", peer = "said_aic", slot_bytes = 131072 : i64, slots = 2 : i64, to_cube = false, to_vector = true}} {
    %p = pl.pipe.pop : <256x128xf32, vec>
    pl.pipe.free %p : <256x128xf32, vec>
    %t = pl.tile.load %o[0, 0] sizes [16, 128] : <[256, 128] x f32> -> <16x128xf32, vec>
    %s = pl.tile.store %t into %o[0, 0] : <16x128xf32, vec>, <[256, 128] x f32> -> <[256, 128] x f32>
    return
  }

  // Two tiles are held at a time.
  // CHECK-LABEL: func.func @two_aiv
  // CHECK-SAME: slots = 2 : i64
  // CHECK: pl.pipe.pop {pl.not_lowered = "a kernel whose tiles need
  func.func @two_aic(%o: !pl.tensor<[256, 128] x f32>) attributes {pl.kind = "incore", pl.pipe = {core = "cube", kernel = "two", peer = "two_aiv", slot_bytes = 131072 : i64, slots = 2 : i64, to_cube = false, to_vector = true}} {
    %t = pl.tile.create : <256x128xf32, acc>
    pl.pipe.push %t : <256x128xf32, acc>
    pl.pipe.push %t : <256x128xf32, acc>
    return
  }
  func.func @two_aiv(%o: !pl.tensor<[256, 128] x f32>) attributes {pl.kind = "incore", pl.pipe = {core = "vector", kernel = "two", peer = "two_aic", slot_bytes = 131072 : i64, slots = 2 : i64, to_cube = false, to_vector = true}} {
    %p = pl.pipe.pop : <256x128xf32, vec>
    %q = pl.pipe.pop : <256x128xf32, vec>
    pl.pipe.free %p : <256x128xf32, vec>
    pl.pipe.free %q : <256x128xf32, vec>
    return
  }
}
