// RUN: placid-emit %s --locations=false | FileCheck %s
// RUN: sed s/a3/a5/ %s | placid-emit - --locations=false | FileCheck %s --check-prefix=A5

// The cube core overwrites what the vector core has loaded: nothing but the barrier holds the token behind the load. A pop
// stops an A3 core as a whole; on A5 only what computes, so a second barrier follows it.
// CHECK: func.func @turns_aic
// CHECK: pto.tstore
// CHECK: pto.barrier <PIPE_ALL>
// CHECK-NEXT: pto.tpush_to_aiv
// CHECK: func.func @turns_aiv
// CHECK: %[[T:.+]] = pto.tpop_from_aic {split = 0}
// CHECK-NOT: pto.barrier
// CHECK: pto.tload
// A5: func.func @turns_aiv
// A5: pto.tpop_from_aic {split = 0}
// A5-NEXT: pto.barrier <PIPE_ALL>
// A5: pto.tload
module attributes {pl.arch = "a3"} {
  func.func @turns(%l: !pl.tensor<[16, 16] x f16>, %r: !pl.tensor<[16, 16] x f16>, %m: !pl.tensor<[16, 16] x f32>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %a = pl.tile.load %l[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %b = pl.tile.load %r[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %p = pl.tile.matmul %a, %b : !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    %s = pl.tile.store %p into %m[0, 0] : !pl.tile<16x16xf32, acc>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    %t = pl.tile.load %s[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f32> -> !pl.tile<16x16xf32, vec>
    %w = pl.op "tile.add"(lhs %t, rhs %t) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %z = pl.tile.store %w into %o[0, 0] : !pl.tile<16x16xf32, vec>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    return
  }
}
