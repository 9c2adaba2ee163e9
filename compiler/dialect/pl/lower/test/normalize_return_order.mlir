// RUN: placid-opt %s --pl-normalize-return-order | FileCheck %s

module attributes {pl.arch = "a3"} {
  // Results in the order of the parameters; of one tensor under two names there is one, and of an input none.
  // CHECK-LABEL: func.func @swapped
  // CHECK-SAME: -> (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>)
  // CHECK: %[[A:.*]] = pl.tile.store %{{.*}} into %arg1
  // CHECK: %[[B:.*]] = pl.tile.store %{{.*}} into %arg2
  // CHECK: return %[[A]], %[[B]]
  func.func @swapped(%x: !pl.tensor<[16, 64] x f32> {pl.dir = "in"}, %a: !pl.tensor<[16, 64] x f32> {pl.dir = "out"}, %b: !pl.tensor<[16, 64] x f16> {pl.dir = "out"})
      -> (!pl.tensor<[16, 64] x f16>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %u = pl.op "tile.cast"(tile %t) {mode = "rint"} : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf16, vec>
    %0 = pl.tile.store %t into %a[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    %1 = pl.tile.store %u into %b[0, 0] : <16x64xf16, vec>, <[16, 64] x f16> -> <[16, 64] x f16>
    return %1, %x, %0, %1 : !pl.tensor<[16, 64] x f16>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>
  }

  // Callers count by parameters too; what was only read is what they gave.
  // CHECK-LABEL: func.func @caller
  // CHECK: %[[R:.*]]:2 = call @swapped(%arg0, %arg1, %arg2)
  // CHECK-SAME: -> (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>)
  // CHECK: return %[[R]]#1, %arg0, %[[R]]#0, %[[R]]#1
  func.func @caller(%x: !pl.tensor<[16, 64] x f32>, %a: !pl.tensor<[16, 64] x f32>, %b: !pl.tensor<[16, 64] x f16>)
      -> (!pl.tensor<[16, 64] x f16>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>) attributes {pl.kind = "orchestration"} {
    %r:4 = call @swapped(%x, %a, %b) : (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>)
        -> (!pl.tensor<[16, 64] x f16>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>)
    return %r#0, %r#1, %r#2, %r#3 : !pl.tensor<[16, 64] x f16>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f16>
  }

  // In order as they are.
  // CHECK-LABEL: func.func @ordered
  // CHECK: return %{{.*}} : !pl.tensor<[16, 64] x f32>
  func.func @ordered(%x: !pl.tensor<[16, 64] x f32> {pl.dir = "in"}, %a: !pl.tensor<[16, 64] x f32> {pl.dir = "out"}) -> !pl.tensor<[16, 64] x f32> attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : <[16, 64] x f32> -> <16x64xf32, vec>
    %0 = pl.tile.store %t into %a[0, 0] : <16x64xf32, vec>, <[16, 64] x f32> -> <[16, 64] x f32>
    return %0 : !pl.tensor<[16, 64] x f32>
  }

  // Something that is no parameter stays for the conversion to refuse.
  // CHECK-LABEL: func.func @number
  // CHECK: return %{{.*}}, %{{.*}} : !pl.tensor<[16, 64] x f32>, index
  func.func @number(%a: !pl.tensor<[16, 64] x f32> {pl.dir = "out"}, %n: index) -> (!pl.tensor<[16, 64] x f32>, index) attributes {pl.kind = "incore"} {
    return %a, %n : !pl.tensor<[16, 64] x f32>, index
  }
}
