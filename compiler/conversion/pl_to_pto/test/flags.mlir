// RUN: placid-emit %s --locations=false | FileCheck %s

// A kernel that was written for both cores. What it shares begins at 0 of UB and of L1; its other tiles come behind. All
// pipes are done before a flag is raised, and none begins behind a wait; flags in a row need that once.
// CHECK: func.func @kern_aic(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>}
// CHECK-NOT: initialize_pipe
// CHECK: pto.wait_intra_block <PIPE_MTE1>, 2
// CHECK-NEXT: pto.wait_intra_block <PIPE_MTE1>, 18
// CHECK-NEXT: pto.barrier <PIPE_ALL>
// CHECK: %[[L1:.+]] = pto.alloc_tile addr = %c0_i64 : !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=32,
// CHECK: pto.tmov ins(%[[L1]] :
// CHECK: pto.alloc_tile addr = %c2048_i64 : !pto.tile_buf<loc=mat
// CHECK: %[[UB:.+]] = pto.alloc_tile addr = %c512_i64 : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=32, v_row=16, v_col=32, blayout=row_major, slayout=none_box,
// CHECK: pto.tmov ins(%{{.+}} : !pto.tile_buf<loc=acc{{.+}}>) outs(%[[UB]] : !pto.tile_buf<loc=vec{{.+}}>) {accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>, reluPreMode = #pto<relu_pre_mode normal_relu>}
// CHECK-NEXT: pto.barrier <PIPE_ALL>
// CHECK-NEXT: pto.set_intra_block <PIPE_FIX>, 1
// CHECK-NEXT: pto.set_intra_block <PIPE_FIX>, 17
// CHECK-NOT: pto.barrier
// CHECK: func.func @kern_aiv(%arg0: !pto.ptr<f16>, %arg1: !pto.ptr<f32>, %arg2: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>}
// CHECK-DAG: %[[AT:.+]] = arith.muli
// CHECK: %[[NZ:.+]] = pto.alloc_tile addr = %{{.+}} : !pto.tile_buf<loc=vec, dtype=f16, rows=16, cols=32, v_row=16, v_col=32, blayout=col_major, slayout=row_major, fractal=512
// CHECK-NEXT: pto.tmov ins(%{{.+}} : !pto.tile_buf<loc=vec{{.+}}slayout=none_box{{.+}}>) outs(%[[NZ]] :
// CHECK-NEXT: pto.tinsert ins(%[[NZ]], %[[AT]], %c0_index : {{.+}}, index, index) outs(%{{.+}} : !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=32,
// CHECK-NEXT: pto.barrier <PIPE_ALL>
// CHECK-NEXT: pto.set_intra_block <PIPE_MTE3>, 2
// CHECK-NEXT: pto.wait_intra_block <PIPE_V>, %{{.+}}
// CHECK-NEXT: pto.barrier <PIPE_ALL>
// CHECK: pto.tadd ins(%[[T:.+]], %[[T]] :
module attributes {pl.arch = "a5"} {
  func.func @kern_aic(%x: !pl.tensor<[32, 32] x f16>, %o: !pl.tensor<[32, 32] x f32>) attributes {pl.kind = "incore", pl.pipe = {core = "cube", kernel = "kern", peer = "kern_aiv", shared_mat = 2048 : i64, shared_vec = 2560 : i64, slot_bytes = 0 : i64, slots = 0 : i64, to_cube = false, to_vector = false}} {
    %2 = arith.constant 2 : index
    %18 = arith.constant 18 : index
    %1 = arith.constant 1 : index
    %17 = arith.constant 17 : index
    %l1 = pl.shared.tile 0 : !pl.tile<32x32xf16, mat>
    %ub = pl.shared.tile 512 : !pl.tile<16x32xf32, vec>
    pl.core.wait "MTE1", %2
    pl.core.wait "MTE1", %18
    %left = pl.tile.move %l1 : !pl.tile<32x32xf16, mat> -> !pl.tile<32x32xf16, left>
    %b = pl.tile.load %x[0, 0] sizes [32, 32] : !pl.tensor<[32, 32] x f16> -> !pl.tile<32x32xf16, mat>
    %right = pl.tile.move %b : !pl.tile<32x32xf16, mat> -> !pl.tile<32x32xf16, right>
    %c = pl.tile.matmul %left, %right : !pl.tile<32x32xf16, left>, !pl.tile<32x32xf16, right> -> !pl.tile<32x32xf32, acc>
    pl.shared.put "split_m" %c into %ub {relu} : !pl.tile<32x32xf32, acc>, !pl.tile<16x32xf32, vec>
    pl.core.set "FIX", %1
    pl.core.set "FIX", %17
    return
  }
  func.func @kern_aiv(%x: !pl.tensor<[32, 32] x f16>, %o: !pl.tensor<[32, 32] x f32>) attributes {pl.kind = "incore", pl.pipe = {core = "vector", kernel = "kern", peer = "kern_aic", shared_mat = 2048 : i64, shared_vec = 2560 : i64, slot_bytes = 0 : i64, slots = 0 : i64, to_cube = false, to_vector = false}} {
    %16 = arith.constant 16 : index
    %0 = arith.constant 0 : index
    %2 = arith.constant 2 : index
    %lane = pl.subblock_idx
    %at = arith.muli %lane, %16 : index
    %l1 = pl.shared.tile 0 : !pl.tile<32x32xf16, mat>
    %ub = pl.shared.tile 512 : !pl.tile<16x32xf32, vec>
    %a = pl.tile.load %x[%at, 0] sizes [16, 32] : !pl.tensor<[32, 32] x f16> -> !pl.tile<16x32xf16, vec>
    %nz = pl.tile.create : !pl.tile<16x32xf16, vec>
    pl.shared.put "insert" %a into %l1[%at, %0] scratch %nz : !pl.tile<16x32xf16, vec> : !pl.tile<16x32xf16, vec>, !pl.tile<32x32xf16, mat>
    pl.core.set "MTE3", %2
    pl.core.wait "V", %lane
    %s = pl.op "tile.add"(lhs %ub, rhs %ub) : (!pl.tile<16x32xf32, vec>, !pl.tile<16x32xf32, vec>) -> !pl.tile<16x32xf32, vec>
    %r = pl.tile.store %s into %o[%at, 0] : !pl.tile<16x32xf32, vec>, !pl.tensor<[32, 32] x f32> -> !pl.tensor<[32, 32] x f32>
    return
  }
}
