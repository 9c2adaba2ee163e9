// RUN: placid-opt %s --split-input-file --verify-diagnostics

func.func @load(%x: !pl.tensor<[32, 64] x f16>) {
  // expected-error @+1 {{expects offsets, sizes and valid of the source's rank 2}}
  %0 = pl.tile.load %x [0] sizes [32, 64] : !pl.tensor<[32, 64] x f16> -> !pl.tile<32x64xf16, mat>
  return
}

// -----

func.func @store(%x: !pl.tensor<[32, 64] x f16>, %t: !pl.tile<32x64xf16, mat>) {
  // expected-error @+1 {{expects offsets and sizes of the destination's rank 2}}
  %0 = pl.tile.store %t into %x [0, 0] sizes [1, 32, 64] : !pl.tile<32x64xf16, mat>, !pl.tensor<[32, 64] x f16> -> !pl.tensor<[32, 64] x f16>
  return
}

// -----

func.func @slice(%x: !pl.tensor<[32, 64] x f16>) {
  // expected-error @+1 {{expects offsets, sizes and valid of the source's rank 2}}
  %0 = pl.tensor.slice %x [0, 0] sizes [32, 64] valid [32] : !pl.tensor<[32, 64] x f16> -> !pl.tensor<[32, 64] x f16>
  return
}

// -----

// expected-error @+1 {{unknown layout `zz`}}
func.func private @layout(!pl.tensor<[32, 64] x f16, zz>)

// -----

// expected-error @+1 {{unknown memory space `l3`}}
func.func private @memory(!pl.tile<32x64xf16, l3>)

// -----

func.func @no_row(%x: !pl.tensor<[32, 64] x f16>) {
  // expected-error @+1 {{has no row named}}
  pl.op "tensor.exponential"(input %x) : (!pl.tensor<[32, 64] x f16>) -> ()
  return
}

// -----

func.func @no_operand(%x: !pl.tensor<[32, 64] x f16>) {
  // expected-error @+1 {{has no parameter "x"}}
  pl.op "tensor.exp"(x %x) : (!pl.tensor<[32, 64] x f16>) -> ()
  return
}

// -----

func.func @no_attribute(%x: !pl.tensor<[32, 64] x f16>) {
  // expected-error @+1 {{has no parameter "mode"}}
  pl.op "tensor.exp"(input %x) {mode = "rint"} : (!pl.tensor<[32, 64] x f16>) -> ()
  return
}

// -----

func.func @wrong_kind(%x: index) {
  // expected-error @+1 {{takes no 'index' as "input"}}
  pl.op "tensor.exp"(input %x) : (index) -> ()
  return
}
