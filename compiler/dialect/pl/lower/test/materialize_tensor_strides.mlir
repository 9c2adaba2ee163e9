// RUN: placid-opt %s --pl-materialize-tensor-strides --split-input-file --verify-diagnostics | FileCheck %s

// Row-major for ND, the trailing pair exchanged for DN, row-major over the blocked form for NZ; a batch that is known at
// run time has no part in a stride. A stride of the user's stays, and one that would be a product of symbols is left
// to the conversion.
// CHECK-LABEL: func.func @all
// CHECK-SAME: !pl.tensor<[4, 32, 64] x f16, strides = [2048, 64, 1]>
// CHECK-SAME: !pl.tensor<[32, 64] x f16, dn, strides = [1, 32]>
// CHECK-SAME: !pl.tensor<[B, 4, 2, 16, 16] x f16, nz, strides = [2048, 512, 256, 16, 1]>
// CHECK-SAME: !pl.tensor<[8, N] x f32, strides = [N, 1]>
// CHECK-SAME: !pl.tensor<[8, 8] x f32, strides = [100, 1]>
// CHECK-SAME: !pl.tensor<[2, M, N] x f32>)
// CHECK-SAME: -> !pl.tensor<[4, 32, 64] x f16, strides = [2048, 64, 1]>
func.func @all(%a: !pl.tensor<[4, 32, 64] x f16>, %b: !pl.tensor<[32, 64] x f16, dn>, %c: !pl.tensor<[B, 4, 2, 16, 16] x f16, nz>, %d: !pl.tensor<[8, N] x f32>, %e: !pl.tensor<[8, 8] x f32, strides = [100, 1]>, %f: !pl.tensor<[2, M, N] x f32>) -> !pl.tensor<[4, 32, 64] x f16> attributes {pl.kind = "incore", nz_tensor_views_blocked} {
  return %a : !pl.tensor<[4, 32, 64] x f16>
}

// -----

// The user cannot bring this about.
// expected-error @+1 {{NZ tensor `w` reaches the strides without its blocked form}}
func.func @unblocked(%w: !pl.tensor<[32, 64] x f16, nz> {pl.name = "w"}) attributes {pl.kind = "incore"} {
  return
}
