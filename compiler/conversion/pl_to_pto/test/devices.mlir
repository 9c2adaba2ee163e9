// RUN: placid-opt %s --convert-pl-to-pto | FileCheck %s

module attributes {pl.arch = "a3"} {
  // A distributed tensor brings the record of all devices' windows along, behind the scalars. A peer's part is as far from
  // here as its window is; a signal goes out when everything before it is done.
  // CHECK-LABEL: func.func @push
  // CHECK-SAME: %[[X:[a-z0-9]+]]: !pto.ptr<f32>
  // CHECK-SAME: %[[W:[a-z0-9]+]]: !pto.ptr<f32>
  // CHECK-SAME: %[[S:[a-z0-9]+]]: !pto.ptr<i32>
  // CHECK-SAME: %[[TO:[a-z0-9]+]]: index
  // CHECK-SAME: %[[WC:[a-z0-9]+]]: !pto.ptr<i64>
  // CHECK-SAME: pl.argument = "context", pl.name = "w_ctx"
  // CHECK-SAME: %[[SC:[a-z0-9]+]]: !pto.ptr<i64>
  // CHECK: pto.tload
  // CHECK: %[[PAIR:.*]] = pto.load_scalar %[[WC]][%{{.*}}]
  // CHECK: %[[RANK:.*]] = arith.trunci %[[PAIR]] : i64 to i32
  // CHECK: %[[OWN:.*]] = arith.index_cast %[[RANK]]
  // CHECK: %[[HERE:.*]] = arith.addi %{{.*}}, %[[OWN]]
  // CHECK: %[[MINE:.*]] = pto.load_scalar %[[WC]][%[[HERE]]]
  // CHECK: %[[THERE:.*]] = arith.addi %{{.*}}, %[[TO]]
  // CHECK: %[[THEIRS:.*]] = pto.load_scalar %[[WC]][%[[THERE]]]
  // CHECK: %[[APART:.*]] = arith.subi %[[THEIRS]], %[[MINE]]
  // CHECK: %[[ELEMENTS:.*]] = arith.divsi %[[APART]], %{{.*}}
  // CHECK: %[[FAR:.*]] = pto.addptr %[[W]], %{{.*}}
  // CHECK: %[[VIEW:.*]] = pto.make_tensor_view %[[FAR]]
  // CHECK: %[[WINDOW:.*]] = pto.partition_view %[[VIEW]]
  // CHECK: pto.tstore {{.*}}%[[WINDOW]]
  // CHECK-NEXT: pto.cmo.cacheinvalid %[[WINDOW]]
  // CHECK-NEXT: pto.fence.barrier_all
  // CHECK: pto.load_scalar %[[SC]]
  // CHECK: pto.barrier
  // CHECK-NEXT: pto.comm.tnotify(%{{.*}}, %{{.*}} : !pto.partition_tensor_view<1x1xi32>) "atomic_add"
  // CHECK: pto.comm.twait(%{{.*}}, %{{.*}} : !pto.partition_tensor_view<1x1xi32>) "eq"
  // CHECK-NEXT: pto.cmo.cacheinvalid
  func.func @push(%x: !pl.tensor<[16, 64] x f32> {pl.name = "x"}, %w: !pl.tensor<[64, 64] x f32, distributed> {pl.name = "w"}, %s: !pl.tensor<[4, 1] x i32, distributed> {pl.name = "s"}, %to: index {pl.name = "to"}) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] {pl.addr = 0 : i64} : <[16, 64] x f32> -> <16x64xf32, vec>
    pl.op "pld.tile.remote_store"(src_tile %t, target %w, peer %to) {offsets = array<i64: 16, 0>} : (!pl.tile<16x64xf32, vec>, !pl.tensor<[64, 64] x f32, distributed>, index) -> ()
    pl.op "pld.system.notify"(target %s, peer %to) {offsets = array<i64: 0, 0>, op = "AtomicAdd", value = 1 : i64} : (!pl.tensor<[4, 1] x i32, distributed>, index) -> ()
    pl.op "pld.system.wait"(signal %s) {cmp = "Eq", expected = 3 : i64, offsets = array<i64: 1, 0>} : (!pl.tensor<[4, 1] x i32, distributed>) -> ()
    return
  }

  // What others read is written back before any signal.
  // CHECK-LABEL: func.func @own_window
  // CHECK: pto.tstore {{.*}}%[[PART:.*]] :
  // CHECK: pto.cmo.cacheinvalid
  // CHECK-NEXT: pto.fence.barrier_all
  func.func @own_window(%x: !pl.tensor<[16, 64] x f32>, %w: !pl.tensor<[64, 64] x f32, distributed>) attributes {pl.kind = "incore"} {
    %t = pl.tile.load %x[0, 0] sizes [16, 64] {pl.addr = 0 : i64} : <[16, 64] x f32> -> <16x64xf32, vec>
    %d = pl.tile.store %t into %w[16, 0] : <16x64xf32, vec>, <[64, 64] x f32, distributed> -> <[64, 64] x f32, distributed>
    return
  }

  // A window of a peer's tensor comes as one of this device's would.
  // CHECK-LABEL: func.func @fetch
  // CHECK: %[[FAR:.*]] = pto.addptr
  // CHECK: %[[VIEW:.*]] = pto.make_tensor_view %[[FAR]]
  // CHECK: %[[WINDOW:.*]] = pto.partition_view %[[VIEW]], offsets = [%c16, %c0], sizes = [%c5, %c64]
  // CHECK: pto.tload ins(%[[WINDOW]] :
  func.func @fetch(%w: !pl.tensor<[64, 64] x f32, distributed> {pl.name = "w"}, %o: !pl.tensor<[16, 64] x f32>, %from: index) attributes {pl.kind = "incore"} {
    %t = pl.op "pld.tile.remote_load"(target %w, peer %from) {offsets = array<i64: 16, 0>, shape = array<i64: 16, 64>, valid_shape = array<i64: 5, 64>, pl.addr = 0 : i64} : (!pl.tensor<[64, 64] x f32, distributed>, index) -> !pl.tile<16x64xf32, vec, valid = [5, 64]>
    %d = pl.tile.store %t into %o[0, 0] : <16x64xf32, vec, valid = [5, 64]>, <[16, 64] x f32> -> <[16, 64] x f32>
    return
  }

  // CHECK-LABEL: func.func @counts
  // CHECK: %[[ARRAY:.*]] = pto.declare_local_array -> !pto.local_array<4, i32>
  // CHECK: scf.for %[[I:.*]] =
  // CHECK: pto.local_array_set %[[ARRAY]][%[[I]]], %{{.*}} : !pto.local_array<4, i32>, i32
  // CHECK: %[[E:.*]] = pto.local_array_get %[[ARRAY]][%{{.*}}] : !pto.local_array<4, i32> -> i32
  // CHECK: pto.store_scalar %[[E]]
  func.func @counts(%o: !pl.tensor<[1, 8] x i32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %seven = arith.constant 7 : i32
    %a = pl.op "array.create"() {dtype = "i32", extent = 4 : i64} : () -> !pl.array<4 x i32>
    scf.for %i = %c0 to %c4 step %c1 {
      %b = pl.op "array.update_element"(array %a, index %i, value %seven) : (!pl.array<4 x i32>, index, i32) -> !pl.array<4 x i32>
    }
    %e = pl.op "array.get_element"(array %a) {index = 2 : i64} : (!pl.array<4 x i32>) -> i32
    pl.op "tensor.write"(tensor %o, value %e) {indices = array<i64: 0, 1>} : (!pl.tensor<[1, 8] x i32>, i32) -> ()
    return
  }

  // CHECK-LABEL: func.func @who
  // CHECK: %[[A:.*]] = pto.load_scalar
  // CHECK: arith.trunci %[[A]] : i64 to i32
  // CHECK: %[[B:.*]] = pto.load_scalar
  // CHECK: %[[HIGH:.*]] = arith.shrui %[[B]]
  // CHECK: arith.trunci %[[HIGH]] : i64 to i32
  func.func @who(%s: !pl.tensor<[4, 1] x i32, distributed>, %o: !pl.tensor<[1, 8] x i32>) attributes {pl.kind = "incore"} {
    %c = pl.op "pld.system.get_comm_ctx"(dist_tensor %s) : (!pl.tensor<[4, 1] x i32, distributed>) -> !pl.handle<commctx>
    %me = pl.op "pld.system.rank"(ctx %c) : (!pl.handle<commctx>) -> i32
    %all = pl.op "pld.system.nranks"(ctx %c) : (!pl.handle<commctx>) -> i32
    pl.op "tensor.write"(tensor %o, value %me) {indices = array<i64: 0, 1>} : (!pl.tensor<[1, 8] x i32>, i32) -> ()
    pl.op "tensor.write"(tensor %o, value %all) {indices = array<i64: 0, 2>} : (!pl.tensor<[1, 8] x i32>, i32) -> ()
    return
  }
}
