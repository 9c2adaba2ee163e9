// RUN: placid-opt %s --verify-roundtrip | FileCheck %s
// The spelling of every operation is fixed by the assembler.

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!ragged = !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=64, v_row=?, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!right = !pto.tile_buf<loc=right, dtype=f16, rows=64, cols=48, v_row=64, v_col=48, blayout=row_major, slayout=col_major, fractal=512, pad=0>
!wide = !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=96, v_row=64, v_col=96, blayout=row_major, slayout=col_major, fractal=512, pad=0>
!acc = !pto.tile_buf<loc=acc, dtype=f32, rows=32, cols=48, v_row=32, v_col=48, blayout=col_major, slayout=row_major, fractal=1024, pad=0>

// CHECK-LABEL: module attributes {pto.target_arch = "a2"}
module attributes {pto.target_arch = "a2"} {
  // CHECK: func.func @kernel(%[[X:.+]]: !pto.ptr<f16>, %[[ROWS:.+]]: index, %[[OUT:.+]]: !pto.ptr<f32>)
  // CHECK-SAME: attributes {pto.kernel_kind = #pto.kernel_kind<cube>}
  func.func @kernel(%x: !pto.ptr<f16>, %rows: index, %out: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %c1536 = arith.constant 1536 : index
    %c2048 = arith.constant 2048 : index
    %a0 = arith.constant 0 : i64
    %a4096 = arith.constant 4096 : i64
    // CHECK: pto.make_tensor_view %[[X]], shape = [%{{.+}}, %{{.+}}], strides = [%{{.+}}, %{{.+}}] : !pto.tensor_view<?x?xf16>
    %nd = pto.make_tensor_view %x, shape = [%rows, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf16>
    // CHECK: pto.make_tensor_view {{.*}} {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xf16>
    %nz = pto.make_tensor_view %x, shape = [%c1, %c4, %c2, %c16, %c16], strides = [%c2048, %c512, %c256, %c16, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xf16>
    // CHECK: pto.partition_view %{{.+}}, offsets = [%{{.+}}, %{{.+}}], sizes = [%{{.+}}, %{{.+}}] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x64xf16>
    %p = pto.partition_view %nd, offsets = [%rows, %c0], sizes = [%c32, %c64] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x64xf16>
    %q = pto.partition_view %nd, offsets = [%c0, %c0], sizes = [%rows, %c64] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<?x64xf16>
    // CHECK: pto.alloc_tile addr = %{{.+}} : !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
    %t = pto.alloc_tile addr = %a0 : !mat
    // CHECK: pto.alloc_tile addr = %{{.+}} valid_row = %{{.+}} : !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=64, v_row=?, v_col=64,
    %r = pto.alloc_tile addr = %a4096 valid_row = %rows : !ragged
    // CHECK: pto.alloc_tile : !pto.tile_buf<loc=left
    %l = pto.alloc_tile : !left
    %b = pto.alloc_tile : !right
    %w = pto.alloc_tile : !wide
    %c = pto.alloc_tile : !acc
    // CHECK: pto.tload ins(%{{.+}} : !pto.partition_tensor_view<32x64xf16>) outs(%{{.+}} : !pto.tile_buf<loc=mat
    pto.tload ins(%p : !pto.partition_tensor_view<32x64xf16>) outs(%t : !mat)
    pto.tload ins(%q : !pto.partition_tensor_view<?x64xf16>) outs(%r : !ragged)
    // CHECK: pto.tmov ins(%{{.+}} : !pto.tile_buf<loc=mat{{.+}}) outs(%{{.+}} : !pto.tile_buf<loc=left
    pto.tmov ins(%t : !mat) outs(%l : !left)
    // CHECK: pto.textract ins(%{{.+}}, %{{.+}}, %{{.+}} : !pto.tile_buf<loc=mat{{.+}}>, index, index) outs(%{{.+}} : !pto.tile_buf<loc=right
    pto.textract ins(%w, %c0, %c16 : !wide, index, index) outs(%b : !right)
    // CHECK: pto.tmatmul ins(%{{.+}}, %{{.+}} : !pto.tile_buf<loc=left{{.+}}>, !pto.tile_buf<loc=right{{.+}}>) outs(%{{.+}} : !pto.tile_buf<loc=acc
    pto.tmatmul ins(%l, %b : !left, !right) outs(%c : !acc)
    // CHECK: pto.tmatmul.acc ins(%[[C:.+]], %{{.+}}, %{{.+}} : !pto.tile_buf<loc=acc{{.+}}>, !pto.tile_buf<loc=left{{.+}}>, !pto.tile_buf<loc=right{{.+}}>) outs(%[[C]] : !pto.tile_buf<loc=acc
    pto.tmatmul.acc ins(%c, %l, %b : !acc, !left, !right) outs(%c : !acc)
    %onz = pto.make_tensor_view %out, shape = [%c1, %c6, %c2, %c16, %c8], strides = [%c1536, %c256, %c128, %c8, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xf32>
    %op = pto.partition_view %onz, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = [%c1, %c6, %c2, %c16, %c8] : !pto.tensor_view<?x?x?x?x?xf32> -> !pto.partition_tensor_view<1x6x2x16x8xf32>
    // CHECK: pto.tstore ins(%{{.+}} : !pto.tile_buf<loc=acc{{.+}}>) outs(%{{.+}} : !pto.partition_tensor_view<1x6x2x16x8xf32>) {atomicType = #pto<atomic_type atomic_add>, stPhase = #pto<st_phase final>}
    pto.tstore ins(%c : !acc) outs(%op : !pto.partition_tensor_view<1x6x2x16x8xf32>) {stPhase = #pto<st_phase final>, atomicType = #pto<atomic_type atomic_add>}
    return
  }

  // A scale takes floats to bytes, and integers to floats.
  func.func @scaled(%bytes: !pto.ptr<i8>, %halves: !pto.ptr<f16>, %c: !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>,
                    %d: !pto.tile_buf<loc=acc, dtype=i32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>, %word: i64) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %v = pto.make_tensor_view %bytes, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xi8>
    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xi8> -> !pto.partition_tensor_view<16x16xi8>
    // CHECK: pto.tstore ins(%{{.+}} : !pto.tile_buf<loc=acc, dtype=f32{{.+}}>, %{{.+}} : i64) outs(%{{.+}} : !pto.partition_tensor_view<16x16xi8>)
    pto.tstore ins(%c : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>, %word : i64) outs(%p : !pto.partition_tensor_view<16x16xi8>)
    %w = pto.make_tensor_view %halves, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf16>
    %q = pto.partition_view %w, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<16x16xf16>
    // CHECK: pto.tstore ins(%{{.+}} : !pto.tile_buf<loc=acc, dtype=i32{{.+}}>, %{{.+}} : i64) outs(%{{.+}} : !pto.partition_tensor_view<16x16xf16>)
    pto.tstore ins(%d : !pto.tile_buf<loc=acc, dtype=i32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>, %word : i64) outs(%q : !pto.partition_tensor_view<16x16xf16>)
    return
  }
}
