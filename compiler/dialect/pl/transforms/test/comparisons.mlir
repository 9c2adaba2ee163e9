// RUN: placid-opt %s --pl-convert-tensor-to-tile-ops --split-input-file --verify-diagnostics | FileCheck %s
// Comparisons of tensors whose extents, layout or chip ask for more than the instruction itself.

module attributes {pl.arch = "a3"} {
  // Columns are compared as rows, so that the bits of the mask are those of many elements.
  // CHECK-LABEL: @columns
  // CHECK: %[[A:.*]] = pl.tile.reshape %{{.*}} : <16x1xf32, vec> -> <1x16xf32, vec>
  // CHECK: %[[B:.*]] = pl.tile.reshape %{{.*}} : <16x1xf32, vec> -> <1x16xf32, vec>
  // CHECK: %[[MASK:.*]] = pl.op "tile.cmp"(lhs %[[A]], rhs %[[B]]) {{.*}} -> !pl.tile<1x32xui8, vec, valid = [1, 2]>
  // CHECK: %[[ROW:.*]] = pl.op "tile.sel"(mask %[[MASK]], {{.*}} -> !pl.tile<1x16xf32, vec>
  // CHECK: pl.tile.reshape %[[ROW]] : <1x16xf32, vec> -> <16x1xf32, vec>
  func.func @columns(%x: !pl.tensor<[16, 1] x f32>, %y: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 1] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.op "tensor.cmp"(lhs %x, rhs %y) {cmp_type = "lt"} : (!pl.tensor<[16, 1] x f32>, !pl.tensor<[16, 1] x f32>) -> !pl.tensor<[16, 1] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 1] x f32>, <[16, 1] x f32> -> <[16, 1] x f32>
    return
  }

  // A column beside a matrix is repeated.
  // CHECK-LABEL: @beside_a_matrix
  // CHECK: %[[WIDE:.*]] = pl.op "tile.row_expand"(target %{{.*}}, row_vec %{{.*}}) : {{.*}} -> !pl.tile<16x64xf32, vec>
  // CHECK: pl.op "tile.cmp"(lhs %{{.*}}, rhs %[[WIDE]])
  func.func @beside_a_matrix(%x: !pl.tensor<[16, 64] x f32>, %y: !pl.tensor<[16, 1] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.op "tensor.cmp"(lhs %x, rhs %y) {cmp_type = "lt"} : (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 1] x f32>) -> !pl.tensor<[16, 64] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 64] x f32>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // What is compared is live in both.
  // CHECK-LABEL: @of_parts
  // CHECK: %[[PART:.*]] = pl.op "tile.set_validshape"(tile %{{.*}}) {valid_cols = 20 : i64, valid_rows = 16 : i64}
  // CHECK: pl.op "tile.cmp"(lhs %{{.*}}, rhs %[[PART]]) {{.*}} -> !pl.tile<16x32xui8, vec, valid = [16, 3]>
  func.func @of_parts(%x: !pl.tensor<[16, 64] x f32>, %y: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tensor.slice %x[0, 0] sizes [16, 64] valid [16, 20] : <[16, 64] x f32> -> <[16, 64] x f32>
    %p = pl.op "tensor.cmp"(lhs %a, rhs %y) {cmp_type = "lt"} : (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>) -> !pl.tensor<[16, 64] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 64] x f32>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  func.func @open_columns(%x: !pl.tensor<[16, 64] x f32>, %y: !pl.tensor<[16, 64] x f32>, %n: index, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tensor.slice %x[0, 0] sizes [16, 64] valid [16, %n] : <[16, 64] x f32> -> <[16, 64] x f32>
    // expected-error @+1 {{a comparison of tiles whose live columns are known at run time only}}
    %p = pl.op "tensor.cmp"(lhs %a, rhs %y) {cmp_type = "lt"} : (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>) -> !pl.tensor<[16, 64] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 64] x f32>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }
}

// -----

module attributes {pl.arch = "a5"} {
  // This chip wants a mask of the operands' extents.
  // CHECK-LABEL: @a5
  // CHECK: pl.op "tile.cmp"({{.*}} -> !pl.tile<16x64xui8, vec>
  func.func @a5(%x: !pl.tensor<[16, 64] x f32>, %y: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.op "tensor.cmp"(lhs %x, rhs %y) {cmp_type = "lt"} : (!pl.tensor<[16, 64] x f32>, !pl.tensor<[16, 64] x f32>) -> !pl.tensor<[16, 64] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 64] x f32>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  func.func @a5_narrow(%x: !pl.tensor<[16, 16] x f32>, %y: !pl.tensor<[16, 16] x f32>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{on this chip, a comparison of tensors whose rows are not a multiple of 32 elements}}
    %p = pl.op "tensor.cmp"(lhs %x, rhs %y) {cmp_type = "lt"} : (!pl.tensor<[16, 16] x f32>, !pl.tensor<[16, 16] x f32>) -> !pl.tensor<[16, 16] x f32>
    %s = pl.tensor.assemble %p into %o[0, 0] : <[16, 16] x f32>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }
}
