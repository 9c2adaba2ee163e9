// RUN: placid-opt %s --pl-convert-tensor-to-tile-ops --split-input-file --verify-diagnostics

func.func @dynamic_window(%x: !pl.tensor<[32, 64] x f16>, %n: index) attributes {pl.kind = "incore"} {
  // expected-error @+1 {{a window with a dynamic extent as a tile}}
  %a = pl.tensor.slice %x [0, 0] sizes [%n, 64] : !pl.tensor<[32, 64] x f16> -> !pl.tensor<[n, 64] x f16>
  pl.op "tensor.exp"(input %a) : (!pl.tensor<[n, 64] x f16>) -> ()
  return
}

// -----

func.func @dynamic_whole(%x: !pl.tensor<[M, 64] x f16>) attributes {pl.kind = "incore"} {
  // expected-error @+1 {{a whole tensor with a dynamic extent as a tile}}
  %m = pl.tensor.matmul %x, %x {b_trans} : !pl.tensor<[M, 64] x f16>, !pl.tensor<[M, 64] x f16> -> !pl.tensor<[M, M] x f32>
  return
}

// -----

func.func @mixed_branch(%x: !pl.tensor<[32, 32] x f16>, %c: i1) attributes {pl.kind = "incore"} {
  // expected-error @+1 {{two branches give different kinds of tile}}
  %t = scf.if %c -> !pl.tensor<[32, 32] x f16> {
    %a = pl.tensor.slice %x [0, 0] sizes [32, 32] : !pl.tensor<[32, 32] x f16> -> !pl.tensor<[32, 32] x f16>
    scf.yield %a : !pl.tensor<[32, 32] x f16>
  } else {
    scf.yield %x : !pl.tensor<[32, 32] x f16>
  }
  pl.op "tensor.exp"(input %t) : (!pl.tensor<[32, 32] x f16>) -> ()
  return
}

// -----

// One element of each row is no run of bytes.
func.func @index_of_the_last_axis(%x: !pl.tensor<[4, 8] x f32>, %o: !pl.tensor<[4, 8, 32] x f32>, %n: index) attributes {pl.kind = "incore"} {
  %a = pl.tensor.slice %x [0, 0] sizes [4, 8] : !pl.tensor<[4, 8] x f32> -> !pl.tensor<[4, 8] x f32>
  // expected-error @+1 {{a write whose index drops the last axis}}
  %d = pl.tensor.assemble %a into %o [0, 0, %n] {pl.covered = array<i64: 4, 8, 1>} : !pl.tensor<[4, 8] x f32>, !pl.tensor<[4, 8, 32] x f32> -> !pl.tensor<[4, 8, 32] x f32>
  return
}
