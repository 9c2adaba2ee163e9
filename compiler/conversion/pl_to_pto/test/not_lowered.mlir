// RUN: placid-opt %s --placid-lower --split-input-file --verify-diagnostics | FileCheck %s
// What has no PTO form is reported at its place, and only its own function is dropped.

// CHECK: module attributes {pto.target_arch = "a3"} {
// CHECK-NOT: @opaque
// CHECK: func.func @good
// CHECK-NOT: @host
module attributes {pl.arch = "a3"} {
  func.func @opaque(%x: !pl.tensor<[16, 64] x f16>, %y: !pl.tensor<[16, 64] x f16>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, vec>
    // expected-error @+1 {{`pl.add` cannot be lowered to PTO IR yet}}
    pl.op "tile.add"(lhs %t, rhs %t) : (!pl.tile<16x64xf16, vec>, !pl.tile<16x64xf16, vec>) -> ()
    // expected-error @+1 {{a load that converts FP16 to FP32 cannot be lowered}}
    %u = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf32, vec>
    return
  }
  func.func @good(%x: !pl.tensor<[16, 64] x f16>, %y: !pl.tensor<[16, 64] x f16>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, vec>
    %s = pl.tile.store %t into %y[0, 0] : !pl.tile<16x64xf16, vec>, !pl.tensor<[16, 64] x f16> -> !pl.tensor<[16, 64] x f16>
    return
  }
  func.func @host(%x: !pl.tensor<[16, 64] x f16>, %y: !pl.tensor<[16, 64] x f16>) attributes {pl.kind = "orchestration"} {
    call @good(%x, %y) : (!pl.tensor<[16, 64] x f16>, !pl.tensor<[16, 64] x f16>) -> ()
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @two_cores(%x: !pl.tensor<[16, 64] x f16>, %y: !pl.tensor<[16, 64] x f16>) attributes {pl.kind = "incore"} {
    // expected-note @+1 {{this runs on the cube core}}
    %m = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, mat>
    // expected-error @+1 {{a kernel that runs on the cube core and on the vector core cannot be lowered to PTO IR yet}}
    %t = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, vec>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @no_fractal(%x: !pl.tensor<[16, 48] x i8>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{tile `x_l1` [16, 48] INT8 is not whole fractals: in Mat its rows are multiples of 16 and its columns of 32}}
    %m = pl.tile.load %x[0, 0] sizes [16, 48] {pl.result = "x_l1"} : !pl.tensor<[16, 48] x i8> -> !pl.tile<16x48xi8, mat>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @unaligned_row(%x: !pl.tensor<[16, 24] x i8>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{in Vec its contiguous extent is a multiple of 32 bytes}}
    %m = pl.tile.load %x[0, 0] sizes [16, 24] {pl.result = "x_l1"} : !pl.tensor<[16, 24] x i8> -> !pl.tile<16x24xi8, vec>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @dtypes(%a: !pl.tensor<[16, 32] x ui8>, %b: !pl.tensor<[32, 16] x ui8>) attributes {pl.kind = "incore"} {
    %l = pl.tile.load %a[0, 0] sizes [16, 32] : !pl.tensor<[16, 32] x ui8> -> !pl.tile<16x32xui8, mat>
    %w = pl.tile.load %b[0, 0] sizes [32, 16] : !pl.tensor<[32, 16] x ui8> -> !pl.tile<32x32xui8, mat, valid = [32, 16]>
    // expected-error @+1 {{A3 has no matmul of UINT8 and UINT8 into INT32}}
    %c = pl.tile.matmul %l, %w : !pl.tile<16x32xui8, mat>, !pl.tile<32x32xui8, mat, valid = [32, 16]> -> !pl.tile<16x32xi32, acc, valid = [16, 16]>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @overwritten(%x: !pl.tensor<[16, 32] x f16>, %w: !pl.tensor<[32, 16] x f16>, %out: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 32] : !pl.tensor<[16, 32] x f16> -> !pl.tile<16x32xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [32, 16] : !pl.tensor<[32, 16] x f16> -> !pl.tile<32x16xf16, mat>
    %c = pl.tile.matmul %a, %b {pl.result = "base"} : !pl.tile<16x32xf16, mat>, !pl.tile<32x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    // expected-error @+1 {{`base`, which is used again after its buffer was overwritten in place, cannot be lowered to PTO IR yet}}
    %d = pl.tile.matmul_acc %c, %a, %b : !pl.tile<16x16xf32, acc>, !pl.tile<16x32xf16, mat>, !pl.tile<32x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    %1 = pl.tile.store %d into %0[0, 0] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func private @callee(!pl.tensor<[16, 64] x f16>) attributes {pl.kind = "incore"}
  func.func @calls(%x: !pl.tensor<[16, 64] x f16>, %y: !pl.tensor<[16, 64] x f16>, %which: i1) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{a call of `callee` from a core function cannot be lowered}}
    call @callee(%x) : (!pl.tensor<[16, 64] x f16>) -> ()
    // expected-error @+1 {{a tensor that is one argument or another cannot be lowered}}
    %z = scf.if %which -> (!pl.tensor<[16, 64] x f16>) {
      scf.yield %x : !pl.tensor<[16, 64] x f16>
    } else {
      scf.yield %y : !pl.tensor<[16, 64] x f16>
    }
    // expected-error @+1 {{an element of this tensor cannot be lowered}}
    %e = pl.read %z[0, 0] : !pl.tensor<[16, 64] x f16> -> f16
    // What depends on an unknown tensor says nothing more.
    %t = pl.tile.load %z[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, vec>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @wide_rows(%x: !pl.tensor<[32, 65552] x f16>) attributes {pl.kind = "incore"} {
    %m = pl.tile.create : <32x16xf16, mat>
    // expected-error @+1 {{`pl.gather_row` of several rows that are more than 65535 elements apart cannot be lowered}}
    %n = pl.op "tile.gather_row"(dst %m, src %x) {dst_offset = array<i64: 0, 0>, src_offset = array<i64: 0, 0>, shapes = array<i64: 2, 16>} : (!pl.tile<32x16xf16, mat>, !pl.tensor<[32, 65552] x f16>) -> !pl.tile<32x16xf16, mat>
    return
  }
}

// -----

module attributes {pl.arch = "a3"} {
  func.func @wide(%w: !pl.tensor<[1, 2, 2, 16, 4] x i64, nz>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{an NZ tensor of INT64 cannot be lowered to PTO IR yet}}
    %t = pl.tile.load %w[0, 0, 0, 0, 0] sizes [1, 2, 2, 16, 4] : !pl.tensor<[1, 2, 2, 16, 4] x i64, nz> -> !pl.tile<32x8xi64, mat>
    return
  }
}

// -----

// A kernel of both cores that cannot be split is reported once, where it is in the way.
module attributes {pl.arch = "a3"} {
  func.func @halved(%l: !pl.tensor<[16, 16] x f16>, %r: !pl.tensor<[16, 16] x f16>, %o: !pl.tensor<[1, 16] x f32>) attributes {pl.kind = "incore", pl.split = 0 : i64} {
    %a = pl.tile.load %l[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %b = pl.tile.load %r[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %p = pl.tile.matmul %a, %b : !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    // expected-error @+1 {{a reduction over the rows, of which each vector lane has its half, cannot be lowered}}
    %w = pl.op "tile.col_sum"(tile %p) : (!pl.tile<16x16xf32, acc>) -> !pl.tile<1x16xf32, vec>
    %s = pl.tile.store %w into %o[0, 0] : !pl.tile<1x16xf32, vec>, !pl.tensor<[1, 16] x f32> -> !pl.tensor<[1, 16] x f32>
    return
  }
}

// -----

// Halves without an axis.
module attributes {pl.arch = "a3"} {
  func.func @no_axis(%l: !pl.tensor<[16, 16] x f16>, %r: !pl.tensor<[16, 16] x f16>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.split} {
    // expected-error @+1 {{a kernel for both cores whose vector lanes have halves along an axis that is not known cannot be lowered}}
    %a = pl.tile.load %l[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %b = pl.tile.load %r[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %p = pl.tile.matmul %a, %b : !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    %w = pl.op "tile.add"(lhs %p, rhs %p) : (!pl.tile<16x16xf32, acc>, !pl.tile<16x16xf32, acc>) -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %w into %o[0, 0] : !pl.tile<16x16xf32, vec>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    return
  }
}

// -----

// A signal of a kernel for both cores: which of them gives it is not said.
module attributes {pl.arch = "a3"} {
  func.func @signal(%l: !pl.tensor<[16, 16] x f16>, %r: !pl.tensor<[16, 16] x f16>, %o: !pl.tensor<[16, 16] x f32>, %sig: !pl.tensor<[4, 1] x i32, distributed>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %l[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %b = pl.tile.load %r[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %p = pl.tile.matmul %a, %b : !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    %w = pl.op "tile.add"(lhs %p, rhs %p) : (!pl.tile<16x16xf32, acc>, !pl.tile<16x16xf32, acc>) -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %w into %o[0, 0] : !pl.tile<16x16xf32, vec>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    // expected-error @+1 {{an operation between devices in a kernel for both cores cannot be lowered}}
    pl.op "pld.system.notify"(target %sig) {offsets = array<i64: 0, 0>, op = "Set", peer = 1 : i64, value = 1 : i64} : (!pl.tensor<[4, 1] x i32, distributed>) -> ()
    return
  }
}

// -----

// Nothing orders the vector core's signal and the cube core's store.
module attributes {pl.arch = "a3"} {
  func.func @signal_for_the_other(%l: !pl.tensor<[16, 16] x f16>, %r: !pl.tensor<[16, 16] x f16>, %o: !pl.tensor<[16, 16] x f32>, %w: !pl.tensor<[16, 16] x f32, distributed>, %sig: !pl.tensor<[4, 1] x i32, distributed>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %l[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %b = pl.tile.load %r[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %p = pl.tile.matmul %a, %b : !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    %d = pl.tile.store %p into %w[0, 0] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32, distributed> -> !pl.tensor<[16, 16] x f32, distributed>
    %lane = pl.subblock_idx {pl.lane_mode = "NONE"}
    %v = pl.tile.move %p : !pl.tile<16x16xf32, acc> -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %v into %o[0, 0] : !pl.tile<16x16xf32, vec>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    // expected-error @+1 {{a signal of the vector core for windows that the cube core writes cannot be lowered}}
    pl.op "pld.system.notify"(target %sig) {offsets = array<i64: 0, 0>, op = "Set", peer = 1 : i64, value = 1 : i64} : (!pl.tensor<[4, 1] x i32, distributed>) -> ()
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }
}

// -----

// Only a distributed tensor has parts elsewhere.
module attributes {pl.arch = "a3"} {
  func.func @own(%sig: !pl.tensor<[4, 1] x i32>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{a signal or window that is not a distributed parameter cannot be lowered}}
    pl.op "pld.system.wait"(signal %sig) {cmp = "Ge", expected = 1 : i64, offsets = array<i64: 0, 0>} : (!pl.tensor<[4, 1] x i32>) -> ()
    return
  }
}

// -----

// Which of two live extents holds depends on the branch: storing by one of them would be wrong in the other.
module attributes {pl.arch = "a3"} {
  func.func @by_branch(%x: !pl.tensor<[64, 64] x f32>, %y: !pl.tensor<[64, 64] x f32>, %n: index, %m: index, %c: i1) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{a tile whose valid extent is not known where its buffer begins cannot be lowered}}
    %t = scf.if %c -> (!pl.tile<64x64xf32, vec, valid = [?, 64]>) {
      %a = pl.tile.load %x[0, 0] sizes [64, 64] valid [%n : index, 64] : !pl.tensor<[64, 64] x f32> -> !pl.tile<64x64xf32, vec, valid = [?, 64]>
      scf.yield %a : !pl.tile<64x64xf32, vec, valid = [?, 64]>
    } else {
      %b = pl.tile.load %x[0, 0] sizes [64, 64] valid [%m : index, 64] : !pl.tensor<[64, 64] x f32> -> !pl.tile<64x64xf32, vec, valid = [?, 64]>
      scf.yield %b : !pl.tile<64x64xf32, vec, valid = [?, 64]>
    }
    %s = pl.tile.store %t into %y[0, 0] : !pl.tile<64x64xf32, vec, valid = [?, 64]>, !pl.tensor<[64, 64] x f32> -> !pl.tensor<[64, 64] x f32>
    return
  }
  // One extent, computed in each branch: no matter which holds.
  func.func @computed_twice(%x: !pl.tensor<[64, 64] x f32>, %y: !pl.tensor<[64, 64] x f32>, %n: index, %c: i1) attributes {pl.kind = "incore"} {
    %c64 = arith.constant 64 : index
    %t = scf.if %c -> (!pl.tile<64x64xf32, vec, valid = [?, 64]>) {
      %l = arith.minsi %n, %c64 : index
      %a = pl.tile.load %x[0, 0] sizes [64, 64] valid [%l : index, 64] : !pl.tensor<[64, 64] x f32> -> !pl.tile<64x64xf32, vec, valid = [?, 64]>
      scf.yield %a : !pl.tile<64x64xf32, vec, valid = [?, 64]>
    } else {
      %r = arith.minsi %n, %c64 : index
      %b = pl.tile.load %x[0, 0] sizes [64, 64] valid [%r : index, 64] : !pl.tensor<[64, 64] x f32> -> !pl.tile<64x64xf32, vec, valid = [?, 64]>
      scf.yield %b : !pl.tile<64x64xf32, vec, valid = [?, 64]>
    }
    %s = pl.tile.store %t into %y[0, 0] : !pl.tile<64x64xf32, vec, valid = [?, 64]>, !pl.tensor<[64, 64] x f32> -> !pl.tensor<[64, 64] x f32>
    return
  }
}

// -----

// What is counted is an integer of 32 bits.
module attributes {pl.arch = "a3"} {
  func.func @fractions(%sig: !pl.tensor<[4, 1] x f32, distributed>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{a signal of FP32, which is no integer of 32 bits, cannot be lowered}}
    pl.op "pld.system.wait"(signal %sig) {cmp = "Ge", expected = 1 : i64, offsets = array<i64: 0, 0>} : (!pl.tensor<[4, 1] x f32, distributed>) -> ()
    // expected-error @+1 {{a signal of FP32, which is no integer of 32 bits, cannot be lowered}}
    pl.op "pld.system.notify"(target %sig) {offsets = array<i64: 0, 0>, op = "Set", peer = 1 : i64, value = 1 : i64} : (!pl.tensor<[4, 1] x f32, distributed>) -> ()
    return
  }
}

// -----

// A window past the end, of a producer that checks nothing.
module attributes {pl.arch = "a3"} {
  func.func @past(%x: !pl.tensor<[16, 64] x f32>, %o: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    // expected-error @+1 {{a window that ends at 24 along an axis of 16 cannot be lowered}}
    %a = pl.tile.load %x[8, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f32> -> !pl.tile<16x64xf32, vec>
    %s = pl.tile.store %a into %o[0, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[16, 64] x f32> -> !pl.tensor<[16, 64] x f32>
    return
  }
}
