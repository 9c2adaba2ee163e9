// RUN: placid-opt %s --pl-split-vector-lanes --pl-expand-mixed-kernel --pl-canonicalize-io-order | FileCheck %s

module attributes {pl.arch = "a3"} {
  // A kernel that is given a tensor and a window of it has one tensor, in the order of its operations and for both cores:
  // here the window is read after the tensor was stored, by the other core, at a place that cannot be compared.
  // CHECK-LABEL: func.func @given_twice
  // CHECK-SAME: %arg1: !pl.tensor<[32, 16] x f32> {pl.alias = 0 : i64}
  // CHECK: scf.for
  // CHECK: pl.tile.load {{.*}}pl.not_lowered = "`w`, which the cube core and then the vector core of one kernel use in memory in a loop
  func.func @given_twice(%w: !pl.tensor<[64, 16] x f32> {pl.name = "w"}, %v: !pl.tensor<[32, 16] x f32>, %l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c32 step %c16 {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %w[%i : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %t = pl.tile.load %v[%i : index, 0] sizes [16, 16] : <[32, 16] x f32> -> <16x16xf32, vec>
      %u = pl.tile.store %t into %o[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    return
  }

  // What a caller was given twice, it gives on twice. Windows that lie apart are two tensors, unless a third has both.
  // CHECK-LABEL: func.func @apart
  // CHECK-SAME: (%arg0: !pl.tensor<[32, 16] x f32>, %arg1: !pl.tensor<[32, 16] x f32> {pl.alias = 0 : i64}, %arg2: !pl.tensor<[64, 16] x f32> {pl.alias = 0 : i64})
  func.func @apart(%a: !pl.tensor<[32, 16] x f32>, %b: !pl.tensor<[32, 16] x f32>, %c: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    return
  }
  // CHECK-LABEL: func.func @only_apart
  // CHECK-SAME: (%arg0: !pl.tensor<[32, 16] x f32>, %arg1: !pl.tensor<[32, 16] x f32>)
  func.func @only_apart(%a: !pl.tensor<[32, 16] x f32>, %b: !pl.tensor<[32, 16] x f32>) attributes {pl.kind = "incore"} {
    return
  }
  func.func @inner(%a: !pl.tensor<[64, 16] x f32>, %w: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "orchestration"} {
    %0 = pl.tensor.slice %a[0, 0] sizes [32, 16] : <[64, 16] x f32> -> <[32, 16] x f32>
    %1 = pl.tensor.slice %a[32, 0] sizes [32, 16] : <[64, 16] x f32> -> <[32, 16] x f32>
    func.call @only_apart(%0, %1) : (!pl.tensor<[32, 16] x f32>, !pl.tensor<[32, 16] x f32>) -> ()
    func.call @apart(%0, %1, %w) : (!pl.tensor<[32, 16] x f32>, !pl.tensor<[32, 16] x f32>, !pl.tensor<[64, 16] x f32>) -> ()
    return
  }
  func.func @main(%w: !pl.tensor<[64, 16] x f32>, %l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "orchestration"} {
    %v = pl.tensor.slice %w[0, 0] sizes [32, 16] : <[64, 16] x f32> -> <[32, 16] x f32>
    func.call @given_twice(%w, %v, %l, %r, %o) : (!pl.tensor<[64, 16] x f32>, !pl.tensor<[32, 16] x f32>, !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right>, !pl.tensor<[64, 16] x f32>) -> ()
    func.call @inner(%w, %w) : (!pl.tensor<[64, 16] x f32>, !pl.tensor<[64, 16] x f32>) -> ()
    return
  }
}
