// RUN: placid-emit %s --locations=false | FileCheck %s

module attributes {pl.arch = "a3"} {
  // Arguments: tensors, scalars, the dynamic extent, then the block identities because one of them is read.
  // CHECK: module attributes {pto.target_arch = "a3"}
  // CHECK: func.func @order(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f16>, %arg2: i32, %arg3: index, %arg4: i32, %arg5: i32)
  // CHECK-SAME: attributes {pto.kernel_kind = #pto.kernel_kind<vector>}
  // The batch extent is the argument, and so are the strides it multiplies into; constants stand above the views.
  // CHECK: %c64_index = arith.constant 64 : index
  // CHECK: %x_view = pto.make_tensor_view %arg0, shape = [%arg3, %c16_index, %c64_index], strides = [%c1024_index, %c64_index, %c1_index] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?x?xf16>
  // CHECK: %[[STRIDE:.+]] = arith.muli %arg3, %c64_index : index
  // CHECK-NEXT: %y_view = pto.make_tensor_view %arg1, shape = [%c16_index, %arg3, %c64_index], strides = [%[[STRIDE]], %c64_index, %c1_index]
  // CHECK: %lane = arith.index_cast %arg4 : i32 to index
  // A 32-bit offset is cast, then clamped.
  // CHECK: %[[B:.+]] = arith.maxsi %lane, %c0_index : index
  // CHECK: %[[OFF:.+]] = arith.index_cast %arg2 : i32 to index
  // CHECK: %[[R:.+]] = arith.maxsi %[[OFF]], %c0_index : index
  // CHECK: pto.partition_view %x_view, offsets = [%[[B]], %[[R]], %c0_index], sizes = [%c1_index, %c16_index, %c64_index] : !pto.tensor_view<?x?x?xf16> -> !pto.partition_tensor_view<1x16x64xf16>
  func.func @order(%s: i32 {pl.name = "s"}, %x: !pl.tensor<[N, 16, 64] x f16> {pl.name = "x"}, %y: !pl.tensor<[16, N, 64] x f16> {pl.name = "y"}) attributes {pl.kind = "incore"} {
    %lane = pl.block_idx {pl.result = "lane"}
    %t = pl.tile.load %x[%lane, %s : i32, 0] sizes [1, 16, 64] : !pl.tensor<[N, 16, 64] x f16> -> !pl.tile<16x64xf16, vec>
    %r = pl.tile.store %t into %y[0, 0, 0] sizes [16, 1, 64] : !pl.tile<16x64xf16, vec>, !pl.tensor<[16, N, 64] x f16> -> !pl.tensor<[16, N, 64] x f16>
    return
  }

  // What nothing uses is not written: neither a scalar, nor what only it used, nor the view of an unread tensor.
  // CHECK-LABEL: func.func @unused(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f16>, %arg2: !pto.ptr<f16>, %arg3: index)
  // CHECK-NOT: arith.muli
  // CHECK-NOT: c77
  // CHECK-NOT: %arg2
  // CHECK: return
  func.func @unused(%x: !pl.tensor<[16, 64] x f16> {pl.name = "x"}, %y: !pl.tensor<[16, 64] x f16> {pl.name = "y"}, %z: !pl.tensor<[16, 64] x f16> {pl.name = "z"}, %n: index) attributes {pl.kind = "incore"} {
    %c77 = arith.constant 77 : index
    %a = arith.addi %n, %c77 : index
    %b = arith.muli %a, %n : index
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, vec>
    %r = pl.tile.store %t into %y[0, 0] : !pl.tile<16x64xf16, vec>, !pl.tensor<[16, 64] x f16> -> !pl.tensor<[16, 64] x f16>
    return
  }
}
