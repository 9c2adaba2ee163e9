// RUN: placid-opt %s --split-input-file --verify-diagnostics

func.func @nz_rank(%x: !pto.ptr<i8>, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{layout = nz needs a rank-5 view, got rank 4}}
  %0 = pto.make_tensor_view %x, shape = [%n, %n, %n, %n], strides = [%n, %n, %n, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?xi8>
  return
}

// -----

func.func @nz_rows(%x: !pto.ptr<i8>, %n: index) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  // expected-error @+1 {{layout = nz needs shape[3] = 16, got 8}}
  %0 = pto.make_tensor_view %x, shape = [%n, %n, %n, %c8, %c32], strides = [%n, %n, %c512, %c32, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xi8>
  return
}

// -----

func.func @nz_c0(%x: !pto.ptr<f32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{layout = nz needs shape[4] = 8, got 16}}
  %0 = pto.make_tensor_view %x, shape = [%n, %n, %n, %c16, %c16], strides = [%n, %n, %c128, %c16, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xf32>
  return
}

// -----

func.func @nz_fractal_stride(%x: !pto.ptr<i8>, %n: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  // expected-error @+1 {{layout = nz needs strides[2] = 512}}
  %0 = pto.make_tensor_view %x, shape = [%n, %n, %n, %c16, %c32], strides = [%n, %n, %n, %c32, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xi8>
  return
}

// -----

func.func @nz_overlap(%x: !pto.ptr<i8>, %n: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  // expected-error @+1 {{strides[1] = 512 overlaps the 2048 elements inside it}}
  %0 = pto.make_tensor_view %x, shape = [%c1, %c4, %c4, %c16, %c32], strides = [%n, %c512, %c512, %c32, %c1] {layout = #pto.layout<nz>} : !pto.tensor_view<?x?x?x?x?xi8>
  return
}

// -----

!view = !pto.tensor_view<?x?x?x?x?xi8>
func.func @inside_a_fractal(%x: !pto.ptr<i8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %c2048 = arith.constant 2048 : index
  %c8192 = arith.constant 8192 : index
  %0 = pto.make_tensor_view %x, shape = [%c1, %c4, %c4, %c16, %c32], strides = [%c8192, %c2048, %c512, %c32, %c1] {layout = #pto.layout<nz>} : !view
  // expected-error @+1 {{cuts axis 3 of an NZ view: a fractal is not divided}}
  %1 = pto.partition_view %0, offsets = [%c0, %c0, %c0, %c8, %c0], sizes = [%c1, %c4, %c4, %c8, %c32] : !view -> !pto.partition_tensor_view<1x4x4x8x32xi8>
  return
}

// -----

func.func @out_of_bounds(%x: !pto.ptr<f16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %0 = pto.make_tensor_view %x, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf16>
  // expected-error @+1 {{axis 0 ends at 48 of 32}}
  %1 = pto.partition_view %0, offsets = [%c16, %c0], sizes = [%c32, %c32] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x32xf16>
  return
}

// -----

func.func @size_and_type(%x: !pto.tensor_view<?x?xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  // expected-error @+1 {{sizes[1] does not match the result type}}
  %1 = pto.partition_view %x, offsets = [%n, %c0], sizes = [%c32, %c32] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x16xf16>
  return
}

// -----

func.func @address(%n: index) {
  %a = arith.constant 32 : i64
  %0 = pto.alloc_tile addr = %a : !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
  // expected-error @+1 {{expects an address in Left to be a multiple of 512, got 32}}
  %1 = pto.alloc_tile addr = %a : !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
  return
}

// -----

// The same tile fits A5, whose L0C is twice as large.
module attributes {pto.target_arch = "a5"} {
  func.func @fits() {
    %a = arith.constant 131072 : i64
    %0 = pto.alloc_tile addr = %a : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
    return
  }
}

// -----

func.func @beyond() {
  %a = arith.constant 131072 : i64
  // expected-error @+1 {{ends at byte 132096 of Acc, which has 131072}}
  %0 = pto.alloc_tile addr = %a : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
  return
}

// -----

// expected-error @+1 {{expects whole 16 x 32 boxes, got 16 x 16}}
func.func private @box(!pto.tile_buf<loc=mat, dtype=i8, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>)

// -----

// expected-error @+1 {{unknown loc `l1`}}
func.func private @loc(!pto.tile_buf<loc=l1, dtype=i8, rows=16, cols=32, v_row=16, v_col=32, blayout=col_major, slayout=row_major, fractal=512, pad=0>)

// -----

func.func @valid_operand() {
  // expected-error @+1 {{expects valid_row and valid_col exactly where the type says `?`}}
  %0 = pto.alloc_tile : !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=?, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
func.func @load_extent(%p: !pto.partition_tensor_view<32x32xf16>, %t: !mat) {
  // expected-error @+1 {{window of 32 x 32 does not match the tile's valid extents 32 x 64}}
  pto.tload ins(%p : !pto.partition_tensor_view<32x32xf16>) outs(%t : !mat)
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=32, v_row=64, v_col=32, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!view = !pto.tensor_view<?x?x?x?x?xf16>
!part = !pto.partition_tensor_view<1x4x2x16x16xf16>
func.func @nz_load_extent(%x: !pto.ptr<f16>, %n: index, %t: !mat) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %v = pto.make_tensor_view %x, shape = [%n, %n, %n, %c16, %c16], strides = [%n, %n, %c256, %c16, %c1] {layout = #pto.layout<nz>} : !view
  %p = pto.partition_view %v, offsets = [%c0, %c0, %c0, %c0, %c0], sizes = [%c1, %c4, %c2, %c16, %c16] : !view -> !part
  // As an ND window this would be 128 x 16; blocked it is 32 x 64.
  // expected-error @+1 {{window of 32 x 64 does not match the tile's valid extents 64 x 32}}
  pto.tload ins(%p : !part) outs(%t : !mat)
  return
}

// -----

!acc = !pto.tile_buf<loc=acc, dtype=i32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
!view = !pto.tensor_view<?x?xf32>
!part = !pto.partition_tensor_view<16x16xf32>
func.func @integers_stored_as_floats(%x: !pto.ptr<f32>, %t: !acc) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %v = pto.make_tensor_view %x, shape = [%c16, %c16], strides = [%c16, %c1] : !view
  %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !view -> !part
  // expected-error @+1 {{an accumulator of integers is stored as i32, one of floats as floats}}
  pto.tstore ins(%t : !acc) outs(%p : !part)
  return
}

// -----

!acc = !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
!view = !pto.tensor_view<?x?x?x?x?xf32>
!part = !pto.partition_tensor_view<1x2x1x16x8xf32>
func.func @nz_store_rows(%x: !pto.ptr<f32>, %t: !acc) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %v = pto.make_tensor_view %x, shape = [%c1, %c2, %c2, %c16, %c8], strides = [%c512, %c256, %c128, %c8, %c1] {layout = #pto.layout<nz>} : !view
  %p = pto.partition_view %v, offsets = [%c0, %c0, %c1, %c0, %c0], sizes = [%c1, %c2, %c1, %c16, %c8] : !view -> !part
  // expected-error @+1 {{an NZ store covers the whole row axis of one panel}}
  pto.tstore ins(%t : !acc) outs(%p : !part)
  return
}

// -----

!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!right = !pto.tile_buf<loc=right, dtype=f16, rows=32, cols=16, v_row=32, v_col=16, blayout=row_major, slayout=col_major, fractal=512, pad=0>
!acc = !pto.tile_buf<loc=acc, dtype=i32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
func.func @triple(%a: !left, %b: !right, %c: !acc) {
  // expected-error @+1 {{no matmul of f16 and f16 into i32 on A3}}
  pto.tmatmul ins(%a, %b : !left, !right) outs(%c : !acc)
  return
}

// -----

!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!right = !pto.tile_buf<loc=right, dtype=f16, rows=32, cols=16, v_row=32, v_col=16, blayout=row_major, slayout=col_major, fractal=512, pad=0>
!acc = !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
func.func @shapes(%a: !left, %b: !right, %c: !acc) {
  // expected-error @+1 {{shapes 16 x 16 and 32 x 16 do not multiply into 16 x 16}}
  pto.tmatmul ins(%a, %b : !left, !right) outs(%c : !acc)
  return
}

// -----

!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!right = !pto.tile_buf<loc=right, dtype=f16, rows=32, cols=16, v_row=32, v_col=16, blayout=row_major, slayout=col_major, fractal=512, pad=0>
!acc = !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
func.func @two_accumulators(%a: !left, %b: !right, %c: !acc, %d: !acc) {
  // expected-error @+1 {{expects acc_in and dst to be the same buffer}}
  pto.tmatmul.acc ins(%c, %a, %b : !acc, !left, !right) outs(%d : !acc)
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=i8, rows=32, cols=64, v_row=32, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=i8, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=row_major, fractal=512, pad=0>
func.func @extract_inside_a_line(%a: !mat, %b: !left) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-error @+1 {{expects indices to be multiples of 16 x 32}}
  pto.textract ins(%a, %c0, %c16 : !mat, index, index) outs(%b : !left)
  return
}

// -----

// The order inside fractals changes on the way to Right: bytes are read in squares of 32.
!mat = !pto.tile_buf<loc=mat, dtype=i8, rows=64, cols=64, v_row=64, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!right = !pto.tile_buf<loc=right, dtype=i8, rows=32, cols=32, v_row=32, v_col=32, blayout=row_major, slayout=col_major, fractal=512, pad=0>
func.func @extract_inside_a_square(%a: !mat, %b: !right) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // expected-error @+1 {{expects indices to be multiples of 32 x 32}}
  pto.textract ins(%a, %c16, %c0 : !mat, index, index) outs(%b : !right)
  return
}

// -----

// … and FP32 in squares of 16, although its fractals have 8 columns.
!mat = !pto.tile_buf<loc=mat, dtype=f32, rows=32, cols=32, v_row=32, v_col=32, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!right = !pto.tile_buf<loc=right, dtype=f32, rows=32, cols=16, v_row=32, v_col=16, blayout=row_major, slayout=col_major, fractal=512, pad=0>
func.func @extract_inside_a_square_of_floats(%a: !mat, %b: !right) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{expects indices to be multiples of 16 x 16}}
  pto.textract ins(%a, %c0, %c8 : !mat, index, index) outs(%b : !right)
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=i8, rows=48, cols=64, v_row=48, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!right = !pto.tile_buf<loc=right, dtype=i8, rows=32, cols=64, v_row=32, v_col=64, blayout=row_major, slayout=col_major, fractal=512, pad=0>
func.func @extract_of_uneven(%a: !mat, %b: !right) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{expects tiles made of blocks of 32 x 32}}
  pto.textract ins(%a, %c0, %c0 : !mat, index, index) outs(%b : !right)
  return
}

// -----

!vec = !pto.tile_buf<loc=vec, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=row_major, slayout=row_major, fractal=512, pad=0>
func.func @no_path(%a: !vec, %b: !left) {
  // expected-error @+1 {{no path from vec to left}}
  pto.tmov ins(%a : !vec) outs(%b : !left)
  return
}

// -----

// expected-error @+1 {{`pto.target_arch` is one of a2, a3 or a5, on a module}}
module attributes {pto.target_arch = "a2a3"} {
}

// -----

!acc = !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
func.func @push_without_pipe(%t: !acc) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  // expected-error @+1 {{needs a pipe that the function opens}}
  pto.tpush_to_aiv(%t : !acc) {split = 0 : i64}
  return
}

// -----

!acc = !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>
func.func @small_slot(%t: !acc, %ring: !pto.ptr<f32>, %z: i32) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  pto.aic_initialize_pipe {dir_mask = 1 : i64, slot_size = 512 : i64, slot_num = 2 : i64} (gm_slot_buffer = %ring : !pto.ptr<f32>, c2v_consumer_buf = %z, v2c_consumer_buf = %z)
  // expected-error @+1 {{a tile of 1024 bytes does not fit a slot of 512}}
  pto.tpush_to_aiv(%t : !acc) {split = 0 : i64}
  return
}

// -----

func.func @no_way(%z: i32) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  // expected-error @+1 {{needs gm_slot_buffer: this chip has no direct way between the cores}}
  pto.aic_initialize_pipe {dir_mask = 1 : i64, slot_size = 512 : i64, slot_num = 2 : i64} (c2v_consumer_buf = %z, v2c_consumer_buf = %z)
  return
}

// -----

func.func @wrong_core() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
  // expected-error @+1 {{belongs to a kernel of kind vector}}
  pto.tfree_from_aic {split = 0 : i64}
  return
}

// -----

func.func @outside() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  // expected-error @+1 {{bytes 196000 to 198000 are not inside Vec}}
  %r = pto.reserve_buffer {name = "b", size = 2000 : i64, location = #pto.address_space<vec>, base = 196000 : i64} -> i32
  return
}

// -----

func.func @reshaped(%t: !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, slayout=none_box, fractal=512, pad=0>) {
  // expected-error @+1 {{expects tiles of one memory and of the same number of bytes}}
  %0 = pto.treshape %t : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, slayout=none_box, fractal=512, pad=0> -> !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>
  return
}

// -----

func.func @half_open(%t: !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, slayout=none_box, fractal=512, pad=0>) {
  // expected-error @+1 {{expects a result whose valid extents are both numbers, or both said by set_validshape}}
  %0 = pto.treshape %t : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, slayout=none_box, fractal=512, pad=0> -> !pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=64, v_row=1, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>
  return
}

// -----

func.func @other_width(%t: !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>) {
  // expected-error @+1 {{expects tiles that differ in their element type alone, of one width}}
  %0 = pto.bitcast %t : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0> -> !pto.tile_buf<loc=vec, dtype=i16, rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>
  return
}

// -----

func.func @known_extent(%t: !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, slayout=none_box, fractal=512, pad=0>, %n: index) {
  // expected-error @+1 {{expects a tile whose type leaves both valid extents open}}
  pto.set_validshape %t, %n, %n : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=8, v_row=8, v_col=8, blayout=row_major, slayout=none_box, fractal=512, pad=0>
  return
}

// -----

func.func @no_such_flag() {
  // expected-error @+1 {{expects a flag from 0 to 31}}
  pto.set_intra_block "FIX" {static_event = 32 : i64}
  return
}

// -----

func.func @no_such_pipe() {
  // expected-error @+1 {{expects a pipe FIX, MTE1, MTE2, MTE3 or V, got S}}
  pto.wait_intra_block "S" {static_event = 0 : i64}
  return
}

// -----

func.func @two_flags(%i: index) {
  // expected-error @+1 {{expects a flag as a number or as an operand}}
  pto.wait_intra_block "V", %i {static_event = 0 : i64}
  return
}

// -----

module attributes {pto.target_arch = "a5"} {
  func.func @not_half(%c: !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>,
                      %t: !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>) {
    // expected-error @+1 {{expects what each lane gets to be the whole tile, or half of it}}
    pto.acc_to_vec "dual_mode_split_m" ins(%c : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=1024, pad=0>) outs(%t : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>)
    return
  }
}
