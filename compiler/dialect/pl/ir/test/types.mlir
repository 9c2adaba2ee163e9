// RUN: placid-opt %s --verify-roundtrip | FileCheck %s
// RUN: placid-opt %s --mlir-print-debuginfo | placid-opt --mlir-print-debuginfo | FileCheck %s
// RUN: placid-opt %s --mlir-print-debuginfo -o %t.1 && placid-opt %t.1 --mlir-print-debuginfo -o %t.2 && diff %t.1 %t.2

// CHECK-LABEL: func.func private @tensors
// CHECK-SAME: !pl.tensor<[256, 512] x i8, nz>
// CHECK-SAME: !pl.tensor<[B, 32, 64] x f16, nz>
// CHECK-SAME: !pl.tensor<["n * 3", 4, 2, 16, 16] x bf16, nz>
// CHECK-SAME: !pl.tensor<[32, 64] x f16, nz, strides = [64, 1]>
// CHECK-SAME: !pl.tensor<[48, 64] x f16, nz, valid = [32, 64]>
// CHECK-SAME: !pl.tensor<[64, 64] x f16, nz, distributed>
// CHECK-SAME: !pl.tensor<[] x f32>
// CHECK-SAME: !pl.tensor<[8, 8] x f8e4m3fn, dn>
func.func private @tensors(!pl.tensor<[256, 512] x i8, nz>, !pl.tensor<[B, 32, 64] x f16, nz>,
  !pl.tensor<["n * 3", 4, 2, 16, 16] x bf16, nz>, !pl.tensor<[32, 64] x f16, nz, strides = [64, 1]>,
  !pl.tensor<[48, 64] x f16, nz, valid = [32, 64]>, !pl.tensor<[64, 64] x f16, nz, distributed>,
  !pl.tensor<[] x f32>, !pl.tensor<[8, 8] x f8e4m3fn, dn>)

// CHECK-LABEL: func.func private @tiles
// CHECK-SAME: !pl.tile<32x64xf16, mat>
// CHECK-SAME: !pl.tile<1x32x64xi8, unset>
// CHECK-SAME: !pl.tile<64x32xi8, mat, transposed>
// CHECK-SAME: !pl.tile<64x96xf32, acc, valid = [?, 96], transposed>
// CHECK-SAME: !pl.tile<512xui8, vec>
func.func private @tiles(!pl.tile<32x64xf16, mat>, !pl.tile<1x32x64xi8, unset>, !pl.tile<64x32xi8, mat, transposed>,
  !pl.tile<64x96xf32, acc, valid = [?, 96], transposed>, !pl.tile<512xui8, vec>)
