// RUN: placid-opt %s --pl-allocate-memory-addr | FileCheck %s

module attributes {pl.arch = "a3"} {
  // A view shows its source's bytes; a tile whose last use is over gives its bytes to the next; L0 addresses are 512-aligned.
  // CHECK-LABEL: func.func @straight
  // CHECK: pl.tile.load {{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.tile.load {{.*}} {pl.addr = 2048 : i64}
  // CHECK: pl.tile.transpose_view {{.*}} {pl.addr = 2048 : i64}
  // CHECK: pl.tile.move {{.*}} {pl.addr = 0 : i64} {{.*}} left>
  // CHECK: pl.tile.move {{.*}} {pl.addr = 0 : i64} {{.*}} right>
  // CHECK: pl.tile.load {{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.tile.move {{.*}} {pl.addr = 2048 : i64} {{.*}} left>
  // CHECK: pl.tile.matmul {{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.tile.matmul_acc {{.*}} {pl.addr = 0 : i64}
  func.func @straight(%x: !pl.tensor<[16, 64] x f16>, %w: !pl.tensor<[48, 64] x f16>, %out: !pl.tensor<[16, 48] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, mat>
    %b = pl.tile.load %w[0, 0] sizes [48, 64] : !pl.tensor<[48, 64] x f16> -> !pl.tile<48x64xf16, mat>
    %t = pl.tile.transpose_view %b : !pl.tile<48x64xf16, mat> -> !pl.tile<64x48xf16, mat, transposed>
    %l = pl.tile.move %a : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    %r = pl.tile.move %t : !pl.tile<64x48xf16, mat, transposed> -> !pl.tile<64x48xf16, right>
    %a2 = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x64xf16, mat>
    %l2 = pl.tile.move %a2 : !pl.tile<16x64xf16, mat> -> !pl.tile<16x64xf16, left>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x64xf16, left>, !pl.tile<64x48xf16, right> -> !pl.tile<16x48xf32, acc>
    %d = pl.tile.matmul_acc %c, %l2, %r : !pl.tile<16x48xf32, acc>, !pl.tile<16x64xf16, left>, !pl.tile<64x48xf16, right> -> !pl.tile<16x48xf32, acc>
    %0 = pl.tile.store %d into %out[0, 0] : !pl.tile<16x48xf32, acc>, !pl.tensor<[16, 48] x f32> -> !pl.tensor<[16, 48] x f32>
    return
  }

  // The accumulator of a loop is one buffer from its creation to its last use; a tile from outside the loop that the loop
  // reads is alive through all iterations, so the loop's own tile goes behind it.
  // CHECK-LABEL: func.func @loop
  // CHECK: pl.tile.load {{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.tile.create {pl.addr = 0 : i64} : <16x16xf32, acc>
  // CHECK: pl.tile.load {{.*}} {pl.addr = 512 : i64}
  // CHECK: pl.tile.move {{.*}} {pl.addr = 0 : i64} {{.*}} left>
  // CHECK: pl.tile.move {{.*}} {pl.addr = 0 : i64} {{.*}} right>
  // CHECK: pl.tile.matmul {{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.tile.matmul_acc {{.*}} {pl.addr = 0 : i64}
  // CHECK-NOT: pl.not_lowered
  // CHECK: return
  func.func @loop(%x: !pl.tensor<[16, 64] x f16>, %w: !pl.tensor<[16, 16] x f16>, %out: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %b = pl.tile.load %w[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %init = pl.tile.create : !pl.tile<16x16xf32, acc>
    %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%c = %init) -> (!pl.tile<16x16xf32, acc>) {
      %a = pl.tile.load %x[0, %i] sizes [16, 16] : !pl.tensor<[16, 64] x f16> -> !pl.tile<16x16xf16, mat>
      %l = pl.tile.move %a : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, left>
      %rt = pl.tile.move %b : !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf16, right>
      %first = arith.cmpi eq, %i, %c0 : index
      %d = scf.if %first -> (!pl.tile<16x16xf32, acc>) {
        %e = pl.tile.matmul %l, %rt : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
        scf.yield %e : !pl.tile<16x16xf32, acc>
      } else {
        %f = pl.tile.matmul_acc %c, %l, %rt : !pl.tile<16x16xf32, acc>, !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
        scf.yield %f : !pl.tile<16x16xf32, acc>
      }
      scf.yield %d : !pl.tile<16x16xf32, acc>
    }
    %0 = pl.tile.store %r into %out[0, 0] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    return
  }

  // INT32 accumulators of 16 rows take 32 physical rows on A3: 32 * 64 * 4 = 8192 bytes.
  // CHECK-LABEL: func.func @int32_rows
  // CHECK: pl.tile.matmul {{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.tile.matmul {{.*}} {pl.addr = 8192 : i64}
  func.func @int32_rows(%x: !pl.tensor<[16, 32] x i8>, %w: !pl.tensor<[32, 64] x i8>, %out: !pl.tensor<[16, 64] x i32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 32] : !pl.tensor<[16, 32] x i8> -> !pl.tile<16x32xi8, mat>
    %b = pl.tile.load %w[0, 0] sizes [32, 64] : !pl.tensor<[32, 64] x i8> -> !pl.tile<32x64xi8, mat>
    %l = pl.tile.move %a : !pl.tile<16x32xi8, mat> -> !pl.tile<16x32xi8, left>
    %r = pl.tile.move %b : !pl.tile<32x64xi8, mat> -> !pl.tile<32x64xi8, right>
    %c = pl.tile.matmul %l, %r : !pl.tile<16x32xi8, left>, !pl.tile<32x64xi8, right> -> !pl.tile<16x64xi32, acc>
    %d = pl.tile.matmul %l, %r : !pl.tile<16x32xi8, left>, !pl.tile<32x64xi8, right> -> !pl.tile<16x64xi32, acc>
    %0 = pl.tile.store %c into %out[0, 0] : !pl.tile<16x64xi32, acc>, !pl.tensor<[16, 64] x i32> -> !pl.tensor<[16, 64] x i32>
    %1 = pl.tile.store %d into %0[0, 0] : !pl.tile<16x64xi32, acc>, !pl.tensor<[16, 64] x i32> -> !pl.tensor<[16, 64] x i32>
    return
  }

  // Overwritten but still needed: one buffer cannot serve both.
  // CHECK-LABEL: func.func @conflict
  // CHECK: pl.tile.matmul_acc {{.*}} pl.not_lowered = "`base`, which is used again after its buffer was overwritten in place,"
  func.func @conflict(%l: !pl.tensor<[16, 16] x f32>, %a: !pl.tile<16x16xf16, left>, %b: !pl.tile<16x16xf16, right>) attributes {pl.kind = "incore"} {
    %c = pl.tile.matmul %a, %b {pl.result = "base"} : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
    %d = pl.tile.matmul_acc %c, %a, %b : !pl.tile<16x16xf32, acc>, !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
    %0 = pl.tile.store %c into %l[0, 0] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    return
  }

  // A loop that starts from a value which is needed after it would overwrite that value.
  // CHECK-LABEL: func.func @conflict_around_a_loop
  // CHECK: pl.tile.matmul_acc {{.*}} pl.not_lowered
  func.func @conflict_around_a_loop(%l: !pl.tensor<[16, 16] x f32>, %a: !pl.tile<16x16xf16, left>, %b: !pl.tile<16x16xf16, right>, %n: index) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c = pl.tile.matmul %a, %b {pl.result = "base"} : !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c) -> (!pl.tile<16x16xf32, acc>) {
      %d = pl.tile.matmul_acc %acc, %a, %b : !pl.tile<16x16xf32, acc>, !pl.tile<16x16xf16, left>, !pl.tile<16x16xf16, right> -> !pl.tile<16x16xf32, acc>
      scf.yield %d : !pl.tile<16x16xf32, acc>
    }
    %0 = pl.tile.store %c into %l[0, 0] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    return
  }

  // A sum is written over the operand that nothing reads any more; a reciprocal is not.
  // CHECK-LABEL: func.func @handed_on
  // CHECK: pl.tile.load {{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.tile.load {{.*}} {pl.addr = 4096 : i64}
  // CHECK: pl.op "tile.add"{{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.op "tile.exp"{{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.op "tile.mul"{{.*}} {pl.addr = 4096 : i64}
  // CHECK: pl.op "tile.sub"{{.*}} {pl.addr = 0 : i64}
  // CHECK: pl.op "tile.recip"{{.*}} {pl.addr = 4096 : i64}
  func.func @handed_on(%x: !pl.tensor<[16, 64] x f32>, %y: !pl.tensor<[16, 64] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %x[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f32> -> !pl.tile<16x64xf32, vec>
    %b = pl.tile.load %y[0, 0] sizes [16, 64] : !pl.tensor<[16, 64] x f32> -> !pl.tile<16x64xf32, vec>
    %s = pl.op "tile.add"(lhs %a, rhs %b) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %e = pl.op "tile.exp"(tile %s) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %m = pl.op "tile.mul"(lhs %e, rhs %b) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %d = pl.op "tile.sub"(lhs %e, rhs %m) : (!pl.tile<16x64xf32, vec>, !pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %r = pl.op "tile.recip"(tile %d) : (!pl.tile<16x64xf32, vec>) -> !pl.tile<16x64xf32, vec>
    %0 = pl.tile.store %r into %x[0, 0] : !pl.tile<16x64xf32, vec>, !pl.tensor<[16, 64] x f32> -> !pl.tensor<[16, 64] x f32>
    return
  }
}
