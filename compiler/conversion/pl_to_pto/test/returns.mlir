// RUN: placid-emit %s --locations=false | FileCheck %s

module attributes {pl.arch = "a3"} {
  // What a core function returns are tensors that it was given, in whatever order: the signature has them in the order of
  // the parameters, each store goes to the one it was written through, and nothing is returned.
  // CHECK-LABEL: func.func @both(%arg0: !pto.ptr<f32>, %arg1: !pto.ptr<f32>, %arg2: !pto.ptr<f32>)
  // CHECK: %[[A:.+]] = pto.make_tensor_view %arg1,
  // CHECK: %[[B:.+]] = pto.make_tensor_view %arg2,
  // CHECK: %[[AP:.+]] = pto.partition_view %[[A]],
  // CHECK: pto.tstore ins(%[[X:.+]] : {{.*}}) outs(%[[AP]] :
  // CHECK: %[[BP:.+]] = pto.partition_view %[[B]],
  // CHECK: pto.tstore {{.*}} outs(%[[BP]] :
  // CHECK: return{{$}}
  func.func @both(%x: !pl.tensor<[16, 64] x f32> {pl.name = "x"}, %a: !pl.tensor<[16, 64] x f32> {pl.name = "a", pl.dir = "out"}, %b: !pl.tensor<[16, 64] x f32> {pl.name = "b", pl.dir = "out"}) -> (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %e = pl.op "tile.exp"(tile %t) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %0 = pl.tile.store %t into %a[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    %1 = pl.tile.store %e into %b[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return %1, %0 : !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>
  }
}
