// RUN: placid-opt %s --pl-convert-tensor-to-tile-ops | FileCheck %s
// Operations whose tile form has other operands or results than the tensor form.

module attributes {pl.arch = "a3"} {
  // A tensor in L1 is a Mat tile, and what rows are gathered from stays in memory.
  // CHECK-LABEL: @gathered
  // CHECK: %[[L1:.*]] = pl.tile.create : <32x64xbf16, mat>
  // CHECK: %[[FILLED:.*]] = scf.for %[[R:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %[[L1]])
  // CHECK: pl.op "tile.gather_row"(dst %[[ACC]], src %arg1, dst_offset %[[R]], src_offset %[[R]])
  // CHECK: pl.tile.transpose_view %[[FILLED]]
  func.func @gathered(%q: !pl.tensor<[16, 64] x bf16>, %c: !pl.tensor<[48, 64] x bf16>, %o: !pl.tensor<[16, 32] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = pl.op "tensor.create_l1"() {dtype = "BF16", shape = array<i64: 32, 64>} : () -> !pl.tensor<[32, 64] x bf16>
    %f = scf.for %r = %c0 to %c32 step %c1 iter_args(%a = %t) -> (!pl.tensor<[32, 64] x bf16>) {
      %g = pl.op "tensor.gather_row"(acc %a, src %c, dst_offset %r, src_offset %r) {dst_offset = array<i64: -9223372036854775808, 0>, src_offset = array<i64: -9223372036854775808, 0>, shapes = array<i64: 1, 64>} : (!pl.tensor<[32, 64] x bf16>, !pl.tensor<[48, 64] x bf16>, index, index) -> !pl.tensor<[32, 64] x bf16>
      scf.yield %g : !pl.tensor<[32, 64] x bf16>
    }
    %p = pl.tensor.matmul %q, %f {b_trans} : <[16, 64] x bf16>, <[32, 64] x bf16> -> <[16, 32] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 32] x f32>, <[16, 32] x f32> -> <[16, 32] x f32>
    return
  }

  // Bits choose between one and zero.
  // CHECK-LABEL: @compared
  // CHECK: %[[X:.*]] = pl.tile.load %arg0
  // CHECK: %[[MASK:.*]] = pl.op "tile.cmps"(lhs %[[X]], rhs %{{.*}}) {cmp_type = "ge"} : {{.*}} -> !pl.tile<16x32xui8, vec, valid = [16, 8]>
  // CHECK: %[[ONE:.*]] = pl.op "tile.full"() {value = 1 : i64}
  // CHECK: %[[ZERO:.*]] = pl.op "tile.full"() {value = 0 : i64}
  // CHECK: pl.op "tile.sel"(mask %[[MASK]], lhs %[[ONE]], rhs %[[ZERO]])
  func.func @compared(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %limit = arith.constant 1.5 : f32
    %p = pl.op "tensor.cmp"(lhs %x, rhs %limit) {cmp_type = "ge"} : (!pl.tensor<[16, 64] x f32>, f32) -> !pl.tensor<[16, 64] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 64] x f32>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // Operands of two types are compared as what the result is of.
  // CHECK-LABEL: @of_two_types
  // CHECK: pl.op "tile.cast"(tile %{{.*}}) : (!pl.tile<16x64xf16
  // CHECK: pl.op "tile.cmp"(lhs %{{.*}}, rhs %{{.*}}) {cmp_type = "lt"}
  func.func @of_two_types(%x: !pl.tensor<[16, 64] x f16>, %y: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.op "tensor.cmp"(lhs %x, rhs %y) {cmp_type = "lt"} : (!pl.tensor<[16, 64] x f16>, !pl.tensor<[16, 64] x f32>) -> !pl.tensor<[16, 64] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 64] x f32>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }
}
