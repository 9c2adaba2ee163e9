// RUN: placid-emit %s --locations=false | FileCheck %s
// RUN: sed s/a3/a5/ %s | placid-emit - --locations=false | FileCheck %s --check-prefix=A5

// One module holds both functions. The popped tile has no address of its own: it lies in the reserved bytes, above which
// the other tiles begin.
// CHECK: func.func @sum_aic(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f16>, %arg2: !pto.ptr<f32>, %arg3: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>}
// CHECK: %[[I:.+]] = pto.import_reserved_buffer {name = "sum_c2v_slot_buffer", peer_func = @sum_aiv} -> i32
// CHECK-NEXT: pto.aic_initialize_pipe {dir_mask = 1, slot_size = 1024, slot_num = 4} (gm_slot_buffer = %arg3 : !pto.ptr<f32>, c2v_consumer_buf = %[[I]] : i32, v2c_consumer_buf = %c0_i32 : i32)
// CHECK: pto.tmatmul {{.*}} outs(%[[ACC:.+]] :
// CHECK-NEXT: pto.tpush_to_aiv(%[[ACC]] : !pto.tile_buf<loc=acc{{.*}}>) {split = 0}
// CHECK: func.func @sum_aiv(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f16>, %arg2: !pto.ptr<f32>, %arg3: !pto.ptr<f32>, %arg4: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>}
// CHECK: %[[R:.+]] = pto.reserve_buffer {name = "sum_c2v_slot_buffer", size = 4096, location = #pto.address_space<vec>, auto = false, base = 0} -> i32
// CHECK-NEXT: pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 1024, slot_num = 4} (gm_slot_buffer = %arg3 : !pto.ptr<f32>, c2v_consumer_buf = %[[R]] : i32, v2c_consumer_buf = %c0_i32 : i32)
// CHECK: scf.if
// CHECK: %[[T:.+]] = pto.tpop_from_aic {split = 0} -> !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16
// CHECK: pto.alloc_tile addr = %c4096_i64 :
// CHECK-NEXT: pto.tadd ins(%[[T]], %[[T]] :
// CHECK-NEXT: pto.tfree_from_aic {split = 0}
// CHECK: } else {
// CHECK-NEXT: pto.tpop_from_aic(%{{.*}}, %{{.*}}) {split = 0} -> !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=?, v_col=?
// CHECK-NEXT: pto.tfree_from_aic {split = 0}
// CHECK-NEXT: }

// A5 has a way of its own between the cores, and needs no second lane.
// A5: func.func @sum_aic(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f16>, %arg2: !pto.ptr<f32>) attributes
// A5: pto.aic_initialize_pipe {dir_mask = 1, slot_size = 1024, slot_num = 4} (c2v_consumer_buf =
// A5: func.func @sum_aiv(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f16>, %arg2: !pto.ptr<f32>) attributes
// A5-NOT: scf.if
module attributes {pl.arch = "a3"} {
  func.func @sum(%l: !pl.tensor<[16, 16] x f16>, %r: !pl.tensor<[16, 16] x f16>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore", pl.slots = 4 : i64} {
    %a = pl.tile.load %l[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %b = pl.tile.load %r[0, 0] sizes [16, 16] : !pl.tensor<[16, 16] x f16> -> !pl.tile<16x16xf16, mat>
    %p = pl.tile.matmul %a, %b : !pl.tile<16x16xf16, mat>, !pl.tile<16x16xf16, mat> -> !pl.tile<16x16xf32, acc>
    %w = pl.op "tile.add"(lhs %p, rhs %p) : (!pl.tile<16x16xf32, acc>, !pl.tile<16x16xf32, acc>) -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %w into %o[0, 0] : !pl.tile<16x16xf32, vec>, !pl.tensor<[16, 16] x f32> -> !pl.tensor<[16, 16] x f32>
    return
  }
}
