// RUN: placid-opt %s --pl-outline-incore-scopes | FileCheck %s
// RUN: placid-opt %s --pl-outline-incore-scopes --verify-roundtrip -o /dev/null

!x = !pl.tensor<[32, 64] x f16>
!w = !pl.tensor<[4, 64, 64] x f16, nz>
!o = !pl.tensor<[32, 64] x f32>
!r = !pl.tensor<[64, 32] x f32>

// The hint names the function; arguments come in first-read order; a constant is copied in, a scalar is passed.
// CHECK-LABEL: func.func @hinted
// CHECK-SAME: (%[[X:.+]]: !pl.tensor<[32, 64] x f16> {{.*}}, %[[W:.+]]: !pl.tensor<[4, 64, 64] x f16, nz> {{.*}}, %[[O:.+]]: !pl.tensor<[32, 64] x f32> {{.*}}, %[[N:.+]]: index
// CHECK: %[[R:.+]] = call @gemm(%[[W]], %[[N]], %[[X]], %[[O]]) {pl.blocks = 4 : i64}
// CHECK: return %[[R]]
// CHECK-LABEL: func.func @gemm
// CHECK-SAME: (%[[W:.+]]: !pl.tensor<[4, 64, 64] x f16, nz> {pl.annotation = loc("k.py":5:9 to :40), pl.binding = loc("k.py":2:1 to :4), pl.dir = "in", pl.name = "w"}
// CHECK-SAME: %[[N:.+]]: index {pl.dir = "in", pl.name = "n"}
// CHECK-SAME: %[[X:.+]]: !pl.tensor<[32, 64] x f16> {pl.dir = "in", pl.name = "x"}
// CHECK-SAME: %[[O:.+]]: !pl.tensor<[32, 64] x f32> {pl.dir = "out", pl.name = "out"})
// CHECK-SAME: attributes {pl.entry = "K.hinted", pl.kind = "incore", pl.outlined = "hinted"}
// CHECK: %[[C:.+]] = arith.constant 16 : index
// CHECK: pl.block_idx
// CHECK: arith.muli %{{.+}}, %[[C]]
// CHECK: pl.tensor.slice %[[W]] [%[[N]], 0, 0]
// CHECK: pl.tensor.matmul %[[X]]
// CHECK: %[[D:.+]] = pl.tensor.assemble %{{.+}} into %[[O]]
// CHECK: return %[[D]]
func.func @hinted(%x: !x {pl.name = "x"}, %w: !w {pl.name = "w", pl.annotation = loc("k.py":5:9 to :40), pl.binding = loc("k.py":2:1 to :4)}, %o: !o {pl.name = "out"}, %n: index {pl.name = "n"}) -> !o attributes {pl.kind = "orchestration", pl.entry = "K.hinted"} {
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %r = pl.incore "gemm" blocks(%c4 : index) -> !o {
    %i = pl.block_idx
    %j = arith.muli %i, %c16 : index
    %e = pl.tensor.slice %w [%n, 0, 0] sizes [1, 64, 64] drop [0] : !w -> !pl.tensor<[64, 64] x f16, nz>
    %m = pl.tensor.matmul %x, %e : !x, !pl.tensor<[64, 64] x f16, nz> -> !o
    %d = pl.tensor.assemble %m into %o [%j, 0] : !o, !o -> !o
    pl.yield %d : !o
  }
  return %r : !o
}

// Without a hint the name counts the scopes of the function, hinted ones too; a taken name gets a number or a prefix.
// CHECK-LABEL: func.func @counted
// CHECK: call @counted_incore_0(
// CHECK: call @counted_gemm(
// CHECK: call @dup(
// CHECK: call @dup_1(
// CHECK: call @counted_incore_4(%{{.+}}) {pl.blocks = "n"}
// CHECK: func.func @counted_incore_0(
// CHECK: func.func @counted_gemm(
// CHECK: func.func @dup(
// CHECK: func.func @dup_1(
// CHECK: func.func @counted_incore_4(
func.func @counted(%x: !x {pl.name = "x"}, %n: index {pl.name = "n"}) attributes {pl.kind = "orchestration"} {
  pl.incore {
    pl.op "tensor.exp"(input %x) : (!x) -> ()
    pl.yield
  }
  pl.incore "gemm" {
    pl.op "tensor.exp"(input %x) : (!x) -> ()
    pl.yield
  }
  pl.incore "dup" {
    pl.op "tensor.exp"(input %x) : (!x) -> ()
    pl.yield
  }
  pl.incore "dup" {
    pl.op "tensor.exp"(input %x) : (!x) -> ()
    pl.yield
  }
  pl.incore blocks(%n : index) {
    pl.op "tensor.exp"(input %x) : (!x) -> ()
    pl.yield
  }
  return
}

// A tensor that is written and read is inout; one handed to a callee has the callee's direction.
func.func private @callee(!o {pl.dir = "out"}, !x {pl.dir = "in"})
// CHECK-LABEL: func.func @directions
// CHECK-LABEL: func.func @dirs
// CHECK-SAME: {pl.dir = "inout", pl.name = "a"}
// CHECK-SAME: {pl.dir = "out", pl.name = "b"}
// CHECK-SAME: {pl.dir = "in", pl.name = "x"}
func.func @directions(%a: !o {pl.name = "a"}, %b: !o {pl.name = "b"}, %x: !x {pl.name = "x"}) attributes {pl.kind = "orchestration"} {
  %r = pl.incore "dirs" -> !o {
    %t = pl.tensor.slice %a [0, 0] sizes [32, 64] : !o -> !o
    %d = pl.tensor.assemble %t into %a [0, 0] : !o, !o -> !o
    func.call @callee(%b, %x) : (!o, !x) -> ()
    pl.yield %d : !o
  }
  return
}

// An element that is written, and what is written through another shape or a slice, are the tensor's own.
// CHECK-LABEL: func.func @written
// CHECK-SAME: {pl.dir = "out", pl.name = "a"}
// CHECK-SAME: {pl.dir = "out", pl.name = "b"}
// CHECK-SAME: {pl.dir = "inout", pl.name = "c"}
func.func @elements(%a: !o {pl.name = "a"}, %b: !o {pl.name = "b"}, %c: !o {pl.name = "c"}, %i: index, %v: f32) attributes {pl.kind = "orchestration"} {
  pl.incore "written" {
    pl.op "tensor.write"(tensor %a, indices %i, indices %i, value %v) {indices = array<i64: -9223372036854775808, -9223372036854775808>} : (!o, index, index, f32) -> ()
    %r = pl.tensor.reshape %b : !o -> !r
    %t = pl.tensor.slice %c [0, 0] sizes [32, 64] : !o -> !o
    %u = pl.tensor.reshape %t : !o -> !r
    %d = pl.tensor.assemble %u into %r [0, 0] : !r, !r -> !r
    pl.op "tensor.write"(tensor %t, indices %i, indices %i, value %v) {indices = array<i64: -9223372036854775808, -9223372036854775808>} : (!o, index, index, f32) -> ()
    pl.yield
  }
  return
}

// A scope in a loop gets the loop's variable as a scalar: of its range all that is known inside is the sign.
// CHECK-LABEL: func.func @looped
// CHECK: scf.for %[[I:.+]] =
// CHECK: func.call @body(%{{.+}}, %[[I]])
// CHECK-LABEL: func.func @body
// CHECK-SAME: index {pl.dir = "in", pl.non_negative}
func.func @looped(%x: !x) attributes {pl.kind = "opaque"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    pl.incore "body" {
      pl.op "tensor.muls"(lhs %x, rhs %i) : (!x, index) -> ()
      pl.yield
    }
  }
  return
}

// What a kernel hands back is the tensor that it was given to write, and has its name in the next one; after a loop as well.
// A kernel that gets a tensor twice, from before and after a kernel wrote it, has two arguments; the name is the first one's.
// CHECK-LABEL: func.func @handed_on
// CHECK: func.func @handed_on_incore_1(%{{.+}}: !pl.tensor<[32, 64] x f32> {pl.dir = "out", pl.name = "y"}, %{{.+}}: !pl.tensor<[32, 64] x f32> {pl.dir = "in", pl.name = "m"})
// CHECK: func.func @handed_on_incore_2(%{{.+}}: !pl.tensor<[32, 64] x f32> {pl.dir = "in", pl.name = "m"}, %{{.+}}: !pl.tensor<[32, 64] x f32> {pl.dir = "in"}, %{{.+}}: !pl.tensor<[32, 64] x f32> {pl.dir = "out", pl.name = "y"})
func.func @handed_on(%o: !o {pl.name = "o"}, %m: !o {pl.name = "m"}, %y: !o {pl.name = "y"}) attributes {pl.kind = "orchestration"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = scf.for %i = %c0 to %c4 step %c1 iter_args(%each = %m) -> (!o) {
    %next = pl.incore -> !o {
      %t = pl.tensor.assemble %o into %each [0, 0] : !o, !o -> !o
      pl.yield %t : !o
    }
    scf.yield %next : !o
  }
  %second = pl.incore -> !o {
    %t = pl.tensor.assemble %first into %y [0, 0] : !o, !o -> !o
    pl.yield %t : !o
  }
  pl.incore -> !o {
    %s = pl.op "tensor.add"(lhs %first, rhs %second) : (!o, !o) -> !o
    %t = pl.tensor.assemble %s into %y [0, 0] : !o, !o -> !o
    pl.yield %t : !o
  }
  return
}
