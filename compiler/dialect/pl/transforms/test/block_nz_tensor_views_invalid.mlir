// RUN: placid-opt %s --pl-block-nz-tensor-views --split-input-file --verify-diagnostics=only-expected

// expected-error @+2 {{shape[-2] of NZ tensor `w` is 200: the rows must be a positive multiple of 16}}
// expected-note @+1 {{`w` is declared NZ here: [200, 512] of INT8, c0 = 32}}
func.func @rows_align(%w: !pl.tensor<[200, 512] x i8, nz> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{shape[-1] of NZ tensor `w` is 400: the columns must be a positive multiple of c0 = 32, one 32-byte C0 line of INT8}}
func.func @cols_align(%w: !pl.tensor<[256, 400] x i8, nz> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{shape[-2] of NZ tensor `w` is the dynamic `R`}}
func.func @dynamic_plane(%w: !pl.tensor<[R, 64] x f16, nz> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{NZ needs rank >= 2, got 1}}
func.func @rank(%w: !pl.tensor<[512] x f32, nz> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{axis 1 of NZ tensor `w` is the dynamic `D`: rank 4 folds its leading axes into one batch}}
func.func @fold_dynamic(%w: !pl.tensor<[4, D, 32, 64] x f16, nz> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{NZ tensor `w` has dtype INT4, which is unsupported}}
func.func @sub_byte(%w: !pl.tensor<[64, 128] x i4, nz> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{NZ tensor `w` has an explicit stride: drop it}}
func.func @stride(%w: !pl.tensor<[32, 64] x f16, nz, strides = [64, 1]> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{NZ tensor `w` has a valid_shape in its type}}
func.func @valid_type(%w: !pl.tensor<[48, 64] x f16, nz, valid = [32, 64]> {pl.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{`w` is a distributed tensor declared NZ}}
func.func @distributed(%w: !pl.tensor<[64, 64] x f16, nz, distributed> {pl.name = "w"}) {
  return
}

// -----

// expected-note @+1 {{`w` is declared NZ here}}
func.func @offset_align(%w: !pl.tensor<[192, 64] x f16, nz> {pl.name = "w"}) {
  %b = pl.block_idx
  %c24 = arith.constant 24 : index
  // expected-note @+1 {{`r0` is bound here: neither factor}}
  %r0 = arith.muli %b, %c24 {pl.result = "r0"} : index
  // expected-error @+2 {{the offset `r0` on shape[-2] of NZ tensor `w` is not provably a multiple of 16, the rows of one fractal}}
  // expected-note @+1 {{provable forms: a constant multiple of 16, a product with one provable factor}}
  %t = pl.tile.load %w [%r0, 0] sizes [48, 64] : !pl.tensor<[192, 64] x f16, nz> -> !pl.tile<48x64xf16, mat>
  return
}

// -----

func.func @offset_align_constant(%w: !pl.tensor<[192, 64] x i8, nz> {pl.name = "w"}) {
  // expected-error @+2 {{the offset 16 on shape[-1] of NZ tensor `w` is not a multiple of c0 = 32}}
  // expected-note @+1 {{the multiples nearby are 0 and 32}}
  %t = pl.tile.load %w [0, 16] sizes [48, 32] : !pl.tensor<[192, 64] x i8, nz> -> !pl.tile<48x32xi8, mat>
  return
}

// -----

func.func @offset_sign(%w: !pl.tensor<[256, 64] x f16, nz> {pl.name = "w"}, %s: index {pl.name = "first"}) {
  %c16 = arith.constant 16 : index
  %r0 = arith.muli %s, %c16 : index
  // expected-error @+1 {{is not provably non-negative: nothing is known of the parameter `first`}}
  %t = pl.tile.load %w [%r0, 0] sizes [48, 64] : !pl.tensor<[256, 64] x f16, nz> -> !pl.tile<48x64xf16, mat>
  return
}

// -----

func.func @batch_sign(%w: !pl.tensor<[4, 48, 64] x f16, nz> {pl.name = "w"}, %s: index {pl.name = "e"}) {
  // expected-warning @+1 {{the batch offset `e` on axis 0 of NZ tensor `w` is not provably non-negative}}
  %t = pl.tile.load %w [%s, 0, 0] sizes [1, 48, 64] : !pl.tensor<[4, 48, 64] x f16, nz> -> !pl.tile<48x64xf16, mat>
  return
}

// -----

func.func @target_memory(%w: !pl.tensor<[48, 64] x f16, nz> {pl.name = "w"}) {
  // expected-error @+1 {{NZ tensor `w` is loaded to Vec: an NZ load targets Mat}}
  %t = pl.tile.load %w [0, 0] sizes [48, 64] : !pl.tensor<[48, 64] x f16, nz> -> !pl.tile<48x64xf16, vec>
  return
}

// -----

func.func @window_rows(%w: !pl.tensor<[48, 64] x f16, nz> {pl.name = "w"}) {
  // expected-error @+1 {{the window's shape[-2] of NZ tensor `w` is 24}}
  %t = pl.tile.load %w [0, 0] sizes [24, 64] : !pl.tensor<[48, 64] x f16, nz> -> !pl.tile<24x64xf16, mat>
  return
}

// -----

func.func @window_cols(%w: !pl.tensor<[48, 64] x f16, nz> {pl.name = "w"}) {
  // expected-error @+1 {{the window's shape[-1] of NZ tensor `w` is 40}}
  %t = pl.tile.load %w [0, 0] sizes [48, 40] : !pl.tensor<[48, 64] x f16, nz> -> !pl.tile<48x40xf16, mat>
  return
}

// -----

func.func @valid_shape(%w: !pl.tensor<[48, 64] x f16, nz> {pl.name = "w"}) {
  // expected-error @+1 {{valid_shape[-2] = 40 of NZ tensor `w` must be a positive multiple of 16}}
  %t = pl.tile.load %w [0, 0] sizes [48, 64] valid [40, 64] : !pl.tensor<[48, 64] x f16, nz> -> !pl.tile<48x64xf16, mat, valid = [40, 64]>
  return
}

// -----

func.func @slice_window(%w: !pl.tensor<[512, 512] x i8, nz> {pl.name = "w"}) {
  // expected-error @+1 {{the slice windows the rows, shape[-2], of NZ tensor `w`}}
  %v = pl.tensor.slice %w [256, 0] sizes [256, 512] : !pl.tensor<[512, 512] x i8, nz> -> !pl.tensor<[256, 512] x i8, nz>
  return
}

// -----

func.func @slice_span(%w: !pl.tensor<[3, 4, 32, 64] x i8, nz> {pl.name = "w"}) {
  // expected-error @+1 {{narrows shape[1] under shape[0], which spans 2: the batches are not contiguous; only one leading axis may be narrowed}}
  %v = pl.tensor.slice %w [1, 1, 0, 0] sizes [2, 3, 32, 64] : !pl.tensor<[3, 4, 32, 64] x i8, nz> -> !pl.tensor<[2, 3, 32, 64] x i8, nz>
  return
}

// -----

func.func @reshape(%w: !pl.tensor<[256, 512] x i8, nz> {pl.name = "w"}) {
  // expected-error @+1 {{reshaped to [128, 1024]: only the whole-tensor flatten to [131072] keeps its byte order}}
  %v = pl.tensor.reshape %w : !pl.tensor<[256, 512] x i8, nz> -> !pl.tensor<[128, 1024] x i8>
  return
}

// -----

func.func @consumer(%w: !pl.tensor<[48, 64] x f16, nz> {pl.name = "w"}) {
  // expected-error @+1 {{`pl.transpose` takes NZ tensor `w` as argument 1}}
  pl.op "tensor.transpose"(tensor %w) {axis1 = 0 : i64, axis2 = 1 : i64} : (!pl.tensor<[48, 64] x f16, nz>) -> ()
  return
}

// -----

module attributes {pl.arch = "a5"} {
func.func @store_arch(%o: !pl.tensor<[32, 32] x f32, nz> {pl.name = "o"}, %t: !pl.tile<32x32xf32, acc>) {
  // expected-error @+1 {{NZ tensor `o` is stored on A5: accumulator stores to NZ exist on A2/A3 only}}
  %s = pl.tile.store %t into %o [0, 0] : !pl.tile<32x32xf32, acc>, !pl.tensor<[32, 32] x f32, nz> -> !pl.tensor<[32, 32] x f32, nz>
  return
}
}

// -----

func.func @store_memory(%o: !pl.tensor<[32, 32] x f32, nz> {pl.name = "o"}, %t: !pl.tile<32x32xf32, vec>) {
  // expected-error @+1 {{a tile in Vec cannot be stored to NZ tensor `o`: the source must be in Acc}}
  %s = pl.tile.store %t into %o [0, 0] : !pl.tile<32x32xf32, vec>, !pl.tensor<[32, 32] x f32, nz> -> !pl.tensor<[32, 32] x f32, nz>
  return
}

// -----

func.func @store_dtype(%o: !pl.tensor<[32, 32] x f16, nz> {pl.name = "o"}, %t: !pl.tile<32x32xf32, acc>) {
  // expected-error @+1 {{a FP32 tile is stored to FP16 NZ tensor `o`}}
  %s = pl.tile.store %t into %o [0, 0] : !pl.tile<32x32xf32, acc>, !pl.tensor<[32, 32] x f16, nz> -> !pl.tensor<[32, 32] x f16, nz>
  return
}

// -----

func.func @atomic(%o: !pl.tensor<[32, 32] x f32, nz> {pl.name = "o"}, %t: !pl.tile<32x32xf32, acc>) {
  // expected-error @+1 {{the store to NZ tensor `o` uses `atomic`}}
  %s = pl.tile.store %t into %o [0, 0] {atomic = "add"} : !pl.tile<32x32xf32, acc>, !pl.tensor<[32, 32] x f32, nz> -> !pl.tensor<[32, 32] x f32, nz>
  return
}

// -----

func.func @store_shape(%o: !pl.tensor<[32, 24] x f32, nz> {pl.name = "o"}, %t: !pl.tile<32x24xf32, acc>) {
  // expected-error @+1 {{rows and columns must be positive multiples of 16, and 24 is not}}
  %s = pl.tile.store %t into %o [0, 0] : !pl.tile<32x24xf32, acc>, !pl.tensor<[32, 24] x f32, nz> -> !pl.tensor<[32, 24] x f32, nz>
  return
}

// -----

func.func @batch_panel(%o: !pl.tensor<[2, 32, 16] x f32, nz> {pl.name = "o"}, %t: !pl.tile<64x16xf32, acc>) {
  // expected-error @+1 {{the store covers 2 panels of NZ tensor `o`: exactly one panel per store}}
  %s = pl.tile.store %t into %o [0, 0, 0] sizes [2, 32, 16] : !pl.tile<64x16xf32, acc>, !pl.tensor<[2, 32, 16] x f32, nz> -> !pl.tensor<[2, 32, 16] x f32, nz>
  return
}

// -----

func.func @row_window(%o: !pl.tensor<[128, 32] x f32, nz> {pl.name = "o"}, %t: !pl.tile<64x32xf32, acc>) {
  // expected-error @+1 {{the store covers 64 of 128 rows of NZ tensor `o`}}
  %s = pl.tile.store %t into %o [0, 0] : !pl.tile<64x32xf32, acc>, !pl.tensor<[128, 32] x f32, nz> -> !pl.tensor<[128, 32] x f32, nz>
  return
}
