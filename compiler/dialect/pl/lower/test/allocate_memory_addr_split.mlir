// RUN: placid-opt %s --pl-allocate-memory-addr | FileCheck %s

// Tiles that fit once each lane has its half are no fault of the program: the function says what is missing.
module attributes {pl.arch = "a3"} {
  // CHECK-LABEL: func.func @halves
  // CHECK-NOT: pl.failed
  // CHECK: pl.tile.create {{.*}}pl.not_lowered = "a kernel whose tiles need 262144 bytes of Vec (UB) before `pl.split` halves them"
  func.func @halves(%x: !pl.tensor<[256, 256] x f32>) attributes {pl.kind = "incore", pl.split} {
    %t = pl.tile.create {pl.result = "t"} : !pl.tile<256x256xf32, vec>
    return
  }
}
