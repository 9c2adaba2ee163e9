// RUN: placid-opt %s --pl-expand-mixed-kernel | FileCheck %s

module attributes {pl.arch = "a3"} {
  // A pure kernel stays one function.
  // CHECK-LABEL: func.func @cube_only
  // CHECK-NOT: pl.pipe
  // CHECK: pl.tile.matmul
  func.func @cube_only(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %s = pl.tile.store %p into %o[0, 0] : <16x16xf32, acc>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // The kernel's own name stays for its launches.
  // CHECK: func.func private @sum(!pl.tensor<[64, 16] x f16>, !pl.tensor<[16, 16] x f16>, !pl.tensor<[64, 16] x f32>)
  // CHECK-SAME: pl.kind = "group"

  // CHECK-LABEL: func.func @sum_aic
  // CHECK-SAME: pl.pipe = {core = "cube", kernel = "sum", peer = "sum_aiv", shared_mat = 0 : i64, shared_vec = 0 : i64, slot_bytes = 1024 : i64, slots = 2 : i64, to_cube = false, to_vector = true}
  // CHECK: scf.for
  // CHECK: %[[P:.*]] = pl.tile.matmul
  // CHECK-NEXT: pl.pipe.push %[[P]]
  // CHECK-NOT: tile.add

  // CHECK-LABEL: func.func @sum_aiv
  // CHECK-NOT: pl.tile.matmul
  // CHECK: %[[LANE:.*]] = pl.subblock_idx
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]]
  // CHECK: scf.if %[[FIRST]]
  // CHECK: scf.for
  // CHECK: %[[T:.*]] = pl.pipe.pop : <16x16xf32, vec>
  // CHECK: pl.op "tile.add"(lhs %[[T]], rhs %[[T]])
  // CHECK-NEXT: pl.pipe.free %[[T]]
  // CHECK: pl.tile.store
  // The second lane keeps in step and touches nothing.
  // CHECK: } else {
  // CHECK: scf.for
  // CHECK-NEXT: %[[E:.*]] = pl.pipe.pop : <16x16xf32, vec, valid = [0, 0]>
  // CHECK-NEXT: pl.pipe.free %[[E]]
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  func.func @sum(%a: !pl.tensor<[64, 16] x f16>, %b: !pl.tensor<[16, 16] x f16>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %bt = pl.tile.load %b[0, 0] sizes [16, 16] : <[16, 16] x f16> -> <16x16xf16, mat>
    %r = pl.tile.move %bt : <16x16xf16, mat> -> <16x16xf16, right>
    %d = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %o) -> (!pl.tensor<[64, 16] x f32>) {
      %at = pl.tile.load %a[%i : index, 0] sizes [16, 16] : <[64, 16] x f16> -> <16x16xf16, mat>
      %l = pl.tile.move %at : <16x16xf16, mat> -> <16x16xf16, left>
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
      %w = pl.op "tile.add"(lhs %v, rhs %v) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
      %s = pl.tile.store %w into %t[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
      scf.yield %s : !pl.tensor<[64, 16] x f32>
    }
    return
  }

  // A number that one core reads from its tile decides for the other: refused where it is used.
  // CHECK-LABEL: func.func @decides
  // CHECK: scf.if
  // CHECK: } {pl.not_lowered = "a branch that depends on what the other core reads from a tile"}
  func.func @decides(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %x: !pl.tensor<[16, 16] x f32>, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0.0 : f32
    %t = pl.tile.load %x[0, 0] sizes [16, 16] : <[16, 16] x f32> -> <16x16xf32, vec>
    %e = pl.read %t[0, 0] : !pl.tile<16x16xf32, vec> -> f32
    %c = arith.cmpf olt, %e, %c0 : f32
    scf.if %c {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
      %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    }
    return
  }

  // A tensor that one core stores and the other loads: a token says when it is there. It is a barrier for both.
  // CHECK: func.func private @through_memory
  // CHECK-LABEL: func.func @through_memory_aic
  // CHECK-SAME: shared_mat = 0 : i64, shared_vec = 0 : i64, slot_bytes = 1024 : i64
  // CHECK: pl.tile.store
  // CHECK-NEXT: %[[TOKEN:.*]] = pl.tile.create : <16x16xf32, acc>
  // CHECK-NEXT: pl.pipe.push %[[TOKEN]] {pl.token}
  // CHECK-LABEL: func.func @through_memory_aiv
  // CHECK: scf.if
  // CHECK: %[[POP:.*]] = pl.pipe.pop {pl.token} : <16x16xf32, vec>
  // CHECK-NEXT: pl.pipe.free %[[POP]] {pl.token}
  // CHECK-NEXT: pl.tile.load
  // CHECK: } else {
  // CHECK-NEXT: %[[EMPTY:.*]] = pl.pipe.pop {pl.token}
  // CHECK-NEXT: pl.pipe.free %[[EMPTY]] {pl.token}
  // CHECK-NEXT: }
  func.func @through_memory(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32> {pl.name = "o"}, %u: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %s = pl.tile.store %p into %o[0, 0] : <16x16xf32, acc>, <[16, 16] x f32> -> <[16, 16] x f32>
    %t = pl.tile.load %s[0, 0] sizes [16, 16] : <[16, 16] x f32> -> <16x16xf32, vec>
    %w = pl.tile.store %t into %u[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // All of a loop's stores come before the other core's loop: one token between the two.
  // CHECK-LABEL: func.func @after_the_loop_aic
  // CHECK: pl.pipe.pop {pl.token} : <16x16xf32, mat>
  // CHECK: scf.for
  // CHECK-NOT: pl.pipe.pop
  // CHECK-LABEL: func.func @after_the_loop_aiv
  // CHECK: scf.for
  // CHECK: pl.pipe.push {{.*}} {pl.token} : <16x16xf32, vec>
  func.func @after_the_loop(%x: !pl.tensor<[64, 16] x f16>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f16>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %d = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %m) -> (!pl.tensor<[64, 16] x f16>) {
      %v = pl.tile.load %x[%i : index, 0] sizes [16, 16] : <[64, 16] x f16> -> <16x16xf16, vec>
      %s = pl.tile.store %v into %t[%i : index, 0] : <16x16xf16, vec>, <[64, 16] x f16> -> <[64, 16] x f16>
      scf.yield %s : !pl.tensor<[64, 16] x f16>
    }
    %e = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %o) -> (!pl.tensor<[64, 16] x f32>) {
      %a = pl.tile.load %d[%i : index, 0] sizes [16, 16] : <[64, 16] x f16> -> <16x16xf16, mat>
      %l = pl.tile.move %a : <16x16xf16, mat> -> <16x16xf16, left>
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %t[%i : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      scf.yield %s : !pl.tensor<[64, 16] x f32>
    }
    return
  }

  // Each round has a window of its own: no round waits for the one before.
  // CHECK-LABEL: func.func @own_windows_aic
  // CHECK: scf.for
  // CHECK: pl.tile.store
  // CHECK: pl.pipe.push {{.*}} {pl.token}
  func.func @own_windows(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %at = arith.muli %i, %c16 : index
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[%at : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %t = pl.tile.load %s[%at : index, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
      %w = pl.tile.store %t into %o[%at : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    return
  }

  // One window for all rounds: the cube core would overwrite what the vector core still reads.
  // CHECK-LABEL: func.func @one_window
  // CHECK: pl.tile.load {{.*}}pl.not_lowered = "`m`, which the cube core and then the vector core of one kernel use in memory in a loop whose rounds have no windows of their own, from one place for both cores,"
  func.func @one_window(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32> {pl.name = "m"}, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[0, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %t = pl.tile.load %s[0, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
      %w = pl.tile.store %t into %o[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    return
  }

  // Rounds whose windows overlap, too.
  // CHECK-LABEL: func.func @windows_that_overlap
  // CHECK: pl.tile.load {{.*}}pl.not_lowered = {{.*}}rounds have no windows of their own
  func.func @windows_that_overlap(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c48 = arith.constant 48 : index
    scf.for %i = %c0 to %c48 step %c8 {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[%i : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %t = pl.tile.load %s[%i : index, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
      %w = pl.tile.store %t into %o[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    return
  }

  // An element goes another way than a tile.
  // CHECK-LABEL: func.func @an_element
  // CHECK: pl.read {{.*}}pl.not_lowered = "`m`, an element of which one core uses while the other uses it in memory,"
  func.func @an_element(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[16, 16] x f32> {pl.name = "m"}, %o: !pl.tensor<[16, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %s = pl.tile.store %p into %m[0, 0] : <16x16xf32, acc>, <[16, 16] x f32> -> <[16, 16] x f32>
    %e = pl.read %s[0, 0] : !pl.tensor<[16, 16] x f32> -> f32
    %t = pl.op "tile.full"(value %e) {dtype = "FP32", shape = array<i64: 16, 16>} : (f32) -> !pl.tile<16x16xf32, vec>
    %w = pl.tile.store %t into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
    return
  }

  // Both lanes run the vector part of a kernel that opens a region for them; the cube core is no lane.
  // CHECK-LABEL: func.func @shards_aic
  // CHECK-NOT: pl.subblock_idx
  // CHECK: pl.pipe.push %{{.*}} {pl.lane_axis = 0 : i64} : <32x16xf32, acc>
  // CHECK-LABEL: func.func @shards_aiv
  // CHECK: %[[LANE:.*]] = pl.subblock_idx {pl.lane_mode = "UP_DOWN"}
  // CHECK-NOT: scf.if
  // CHECK: %[[HALF:.*]] = pl.pipe.pop {pl.lane_axis = 0 : i64} : <16x16xf32, vec>
  // CHECK: arith.muli %[[LANE]]
  // CHECK: pl.tile.store
  // CHECK: pl.pipe.free %[[HALF]] {pl.lane_axis = 0 : i64}
  // CHECK-NOT: pl.subblock_idx
  // CHECK: return
  func.func @shards(%l: !pl.tile<32x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[32, 16] x f32>) attributes {pl.kind = "incore"} {
    %c16 = arith.constant 16 : index
    %p = pl.tile.matmul %l, %r : <32x16xf16, left>, <16x16xf16, right> -> <32x16xf32, acc>
    %lane = pl.subblock_idx {pl.lane_mode = "UP_DOWN"}
    %v = pl.tile.move %p {pl.lane_axis = 0 : i64} : <32x16xf32, acc> -> <16x16xf32, vec>
    %at = arith.muli %lane, %c16 : index
    %s = pl.tile.store %v into %o[%at : index, 0] : <16x16xf32, vec>, <[32, 16] x f32> -> <[32, 16] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // CHECK-LABEL: func.func @no_shard
  // CHECK: pl.subblock_idx {pl.lane_mode = "UP_DOWN", pl.not_lowered = "a region of `pl.split_aiv` in halves that names no tile of which each lane takes its own"}
  func.func @no_shard(%x: !pl.tensor<[32, 16] x f32>, %o: !pl.tensor<[32, 16] x f32>) attributes {pl.kind = "incore"} {
    %lane = pl.subblock_idx {pl.lane_mode = "UP_DOWN"}
    %v = pl.tile.load %x[0, 0] sizes [32, 16] : <[32, 16] x f32> -> <32x16xf32, vec>
    %s = pl.tile.store %v into %o[0, 0] : <32x16xf32, vec>, <[32, 16] x f32> -> <[32, 16] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // Outside of the region both lanes would add.
  // CHECK-LABEL: func.func @added_twice
  // CHECK: pl.tile.store {{.*}}pl.not_lowered = "a store of the vector core outside of every `pl.split_aiv` of its kernel, which both vector lanes would do,", pl.not_lowered_help = "put it into one
  func.func @added_twice(%x: !pl.tensor<[32, 16] x f32>, %o: !pl.tensor<[32, 16] x f32>) attributes {pl.kind = "incore"} {
    %lane = pl.subblock_idx {pl.lane_mode = "NONE"}
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    %v = pl.tile.load %x[0, 0] sizes [32, 16] : <[32, 16] x f32> -> <32x16xf32, vec>
    %s = pl.tile.store %v into %o[0, 0] {atomic = "Add"} : <32x16xf32, vec>, <[32, 16] x f32> -> <[32, 16] x f32>
    return
  }

  // The cube core cannot copy a tile out of the pipe: refused at the move, and the kernel stays as it was.
  // CHECK-LABEL: func.func @overtaken
  // CHECK: pl.tile.move {{.*}} {pl.not_lowered = "a tile from the vector core that is used after others came in a loop"} : <16x16xf16, vec> -> <16x16xf16, mat>
  func.func @overtaken(%x: !pl.tensor<[64, 16] x f16>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %v = pl.tile.load %x[0, 0] sizes [16, 16] : <[64, 16] x f16> -> <16x16xf16, vec>
    %m = pl.tile.move %v : <16x16xf16, vec> -> <16x16xf16, mat>
    scf.for %i = %c0 to %c64 step %c16 {
      %w = pl.tile.load %x[%i : index, 0] sizes [16, 16] : <[64, 16] x f16> -> <16x16xf16, vec>
      %l = pl.tile.move %w : <16x16xf16, vec> -> <16x16xf16, left>
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %o[%i : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    %l2 = pl.tile.move %m : <16x16xf16, mat> -> <16x16xf16, left>
    %p2 = pl.tile.matmul %l2, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %s2 = pl.tile.store %p2 into %o[0, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
    return
  }

  // How often a `while` runs may depend on either core.
  // CHECK-LABEL: func.func @open_loop
  // CHECK: pl.not_lowered = "a loop of unknown length in a kernel for both cores"
  func.func @open_loop(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[16, 16] x f32>, %n: index) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
      %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec>, <[16, 16] x f32> -> <[16, 16] x f32>
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    return
  }

  // A branch that only the vector core has work in: the tensor it hands on is the parameter all the same.
  // CHECK: func.func private @one_branch
  // CHECK-LABEL: func.func @one_branch_aic
  // CHECK: pl.pipe.push
  // CHECK-NOT: scf.if
  // CHECK-LABEL: func.func @one_branch_aiv
  func.func @one_branch(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %d = scf.for %i = %c0 to %c64 step %c16 iter_args(%t = %o) -> (!pl.tensor<[64, 16] x f32>) {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
      %early = arith.cmpi slt, %i, %c16 : index
      %u = scf.if %early -> (!pl.tensor<[64, 16] x f32>) {
        %s = pl.tile.store %v into %t[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
        scf.yield %s : !pl.tensor<[64, 16] x f32>
      } else {
        scf.yield %t : !pl.tensor<[64, 16] x f32>
      }
      scf.yield %u : !pl.tensor<[64, 16] x f32>
    }
    return
  }

  // A token is part of the pipe's order: its place is given back no sooner than that of the tile before it.
  // CHECK: func.func private @held_over_token
  // CHECK-LABEL: func.func @held_over_token_aic
  // CHECK-SAME: slots = 2
  // CHECK-LABEL: func.func @held_over_token_aiv
  // CHECK: %[[HELD:.*]] = pl.pipe.pop : <16x16xf32, vec>
  // CHECK-NEXT: %[[TOKEN:.*]] = pl.pipe.pop {pl.token} : <16x16xf32, vec>
  // CHECK-NEXT: pl.tile.load
  // CHECK-NEXT: tile.add
  // CHECK-NEXT: pl.pipe.free %[[HELD]]
  // CHECK-NEXT: pl.pipe.free %[[TOKEN]] {pl.token}
  func.func @held_over_token(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %q = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %s = pl.tile.store %q into %m[0, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
    %t = pl.tile.load %s[0, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
    %a = pl.op "tile.add"(lhs %v, rhs %t) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %w = pl.tile.store %a into %o[0, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    return
  }

  // The tokens of lanes that have halves are halves: one pipe carries the one or the other. Each lane's windows move on.
  // CHECK: func.func private @token_of_lanes
  // CHECK-LABEL: func.func @token_of_lanes_aic
  // CHECK: pl.pipe.push %{{.*}} {pl.lane_axis = 0 : i64, pl.token} : <16x16xf32, acc>
  // CHECK-LABEL: func.func @token_of_lanes_aiv
  // CHECK: pl.pipe.pop {pl.lane_axis = 0 : i64, pl.token} : <8x16xf32, vec>
  // CHECK: pl.pipe.free %{{.*}} {pl.lane_axis = 0 : i64, pl.token}
  func.func @token_of_lanes(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[%i : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %lane = pl.subblock_idx {pl.lane_mode = "NONE"}
      %part = arith.muli %lane, %c8 : index
      %at = arith.addi %i, %part : index
      %t = pl.tile.load %s[%at : index, 0] sizes [8, 16] : <[64, 16] x f32> -> <8x16xf32, vec>
      %w = pl.tile.store %t into %o[%at : index, 0] : <8x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
      %end = pl.subblock_idx {pl.lane_mode = "end"}
    }
    return
  }

  // The second lane would begin where the next round of the cube core does.
  // CHECK-LABEL: func.func @lanes_reach_too_far
  // CHECK: pl.tile.load {{.*}}rounds have no windows of their own
  func.func @lanes_reach_too_far(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[%i : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %lane = pl.subblock_idx {pl.lane_mode = "NONE"}
      %part = arith.muli %lane, %c16 : index
      %at = arith.addi %i, %part : index
      %t = pl.tile.load %s[%at : index, 0] sizes [8, 16] : <[64, 16] x f32> -> <8x16xf32, vec>
      %w = pl.tile.store %t into %o[%at : index, 0] : <8x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
      %end = pl.subblock_idx {pl.lane_mode = "end"}
    }
    return
  }

  // A number of 8 bits comes round again.
  // CHECK-LABEL: func.func @narrow_offset
  // CHECK: pl.tile.load {{.*}}rounds have no windows of their own
  func.func @narrow_offset(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %a = arith.muli %i, %c16 : index
      %b = pl.cast %a : index -> i8
      %j = pl.cast %b {unsigned_input} : i8 -> index
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[%j : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %t = pl.tile.load %s[%j : index, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
      %w = pl.tile.store %t into %o[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    return
  }

  // The same offset in a view of other rows is another place.
  // CHECK-LABEL: func.func @another_view
  // CHECK: pl.tile.load {{.*}}rounds have no windows of their own
  func.func @another_view(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[%i : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %v = pl.tensor.reshape %s : <[64, 16] x f32> -> <[32, 32] x f32>
      %u = pl.tile.load %v[%i : index, 0] sizes [16, 16] : <[32, 32] x f32> -> <16x16xf32, vec>
      %t = pl.tile.reshape %u : <16x16xf32, vec> -> <16x16xf32, vec>
      %w = pl.tile.store %t into %o[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    return
  }

  // Sums of sums are looked at once each; what doubles forty times is in no tensor.
  // CHECK-LABEL: func.func @doubled
  // CHECK: pl.tile.load {{.*}}rounds have no windows of their own
  func.func @doubled(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c16 {
      %x1 = arith.addi %i, %i : index
      %x2 = arith.addi %x1, %x1 : index
      %x3 = arith.addi %x2, %x2 : index
      %x4 = arith.addi %x3, %x3 : index
      %x5 = arith.addi %x4, %x4 : index
      %x6 = arith.addi %x5, %x5 : index
      %x7 = arith.addi %x6, %x6 : index
      %x8 = arith.addi %x7, %x7 : index
      %x9 = arith.addi %x8, %x8 : index
      %x10 = arith.addi %x9, %x9 : index
      %x11 = arith.addi %x10, %x10 : index
      %x12 = arith.addi %x11, %x11 : index
      %x13 = arith.addi %x12, %x12 : index
      %x14 = arith.addi %x13, %x13 : index
      %x15 = arith.addi %x14, %x14 : index
      %x16 = arith.addi %x15, %x15 : index
      %x17 = arith.addi %x16, %x16 : index
      %x18 = arith.addi %x17, %x17 : index
      %x19 = arith.addi %x18, %x18 : index
      %x20 = arith.addi %x19, %x19 : index
      %x21 = arith.addi %x20, %x20 : index
      %x22 = arith.addi %x21, %x21 : index
      %x23 = arith.addi %x22, %x22 : index
      %x24 = arith.addi %x23, %x23 : index
      %x25 = arith.addi %x24, %x24 : index
      %x26 = arith.addi %x25, %x25 : index
      %x27 = arith.addi %x26, %x26 : index
      %x28 = arith.addi %x27, %x27 : index
      %x29 = arith.addi %x28, %x28 : index
      %x30 = arith.addi %x29, %x29 : index
      %x31 = arith.addi %x30, %x30 : index
      %x32 = arith.addi %x31, %x31 : index
      %x33 = arith.addi %x32, %x32 : index
      %x34 = arith.addi %x33, %x33 : index
      %x35 = arith.addi %x34, %x34 : index
      %x36 = arith.addi %x35, %x35 : index
      %x37 = arith.addi %x36, %x36 : index
      %x38 = arith.addi %x37, %x37 : index
      %x39 = arith.addi %x38, %x38 : index
      %x40 = arith.addi %x39, %x39 : index
      %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
      %s = pl.tile.store %p into %m[%x40 : index, 0] : <16x16xf32, acc>, <[64, 16] x f32> -> <[64, 16] x f32>
      %t = pl.tile.load %s[%x40 : index, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
      %w = pl.tile.store %t into %o[%i : index, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    return
  }

  // One pipe carries whole tiles or halves.
  // CHECK-LABEL: func.func @whole_and_halves
  // CHECK: pl.tile.move %{{.*}} {pl.not_lowered = "a tile that goes whole between the cores of a kernel whose vector lanes have halves of another"}
  func.func @whole_and_halves(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c8 = arith.constant 8 : index
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %lane = pl.subblock_idx {pl.lane_mode = "UP_DOWN"}
    %h = pl.tile.move %p {pl.lane_axis = 0 : i64} : <16x16xf32, acc> -> <8x16xf32, vec>
    %at = arith.muli %lane, %c8 : index
    %w = pl.tile.store %h into %o[%at : index, 0] : <8x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    %two = pl.subblock_idx {pl.lane_mode = "NONE"}
    %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
    %s = pl.tile.store %v into %m[0, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    %end2 = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // Both lanes would do it, at any time: a copy of what the other stores since, a second addition, a read of what the other
  // writes. A load of what nobody writes does no harm.
  // CHECK-LABEL: func.func @begun_outside
  // CHECK: pl.op "tile.full"{{.*}}pl.not_lowered = "work of the vector core outside of every `pl.split_aiv` of its kernel"
  func.func @begun_outside(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %f = pl.op "tile.full"(value %zero) {dtype = "FP32", shape = array<i64: 16, 16>} : (f32) -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %f into %o[0, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %lane = pl.subblock_idx {pl.lane_mode = "UP_DOWN"}
    %h = pl.tile.move %p {pl.lane_axis = 0 : i64} : <16x16xf32, acc> -> <8x16xf32, vec>
    %at = arith.muli %lane, %c8 : index
    %w = pl.tile.store %h into %o[%at : index, 0] : <8x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // CHECK-LABEL: func.func @read_outside
  // CHECK: pl.tile.load %{{.*}}[0, 0] sizes [16, 16] : <[64, 16] x f32>
  // CHECK: pl.tile.load {{.*}}pl.not_lowered = "a read of `o`, which the other vector lane may write at any time, outside of every `pl.split_aiv` of its kernel"
  func.func @read_outside(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32> {pl.name = "o"}) attributes {pl.kind = "incore"} {
    %c8 = arith.constant 8 : index
    %k = pl.tile.load %m[0, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %lane = pl.subblock_idx {pl.lane_mode = "UP_DOWN"}
    %h = pl.tile.move %p {pl.lane_axis = 0 : i64} : <16x16xf32, acc> -> <8x16xf32, vec>
    %at = arith.muli %lane, %c8 : index
    %w = pl.tile.store %h into %o[%at : index, 0] : <8x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    %t = pl.tile.load %w[0, 0] sizes [16, 16] : <[64, 16] x f32> -> <16x16xf32, vec>
    %two = pl.subblock_idx {pl.lane_mode = "NONE"}
    %a = pl.op "tile.add"(lhs %t, rhs %k) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %a into %w[32, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    %end2 = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // What only a lane knows is not the cube core's.
  // CHECK-LABEL: func.func @branch_of_a_lane
  // CHECK: } {pl.not_lowered = "a branch of the cube core that depends on the number of the vector lane"}
  func.func @branch_of_a_lane(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %m: !pl.tensor<[64, 16] x f32>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %c0 = arith.constant 0 : index
    %p = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %lane = pl.subblock_idx {pl.lane_mode = "NONE"}
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      %v = pl.tile.move %p : <16x16xf32, acc> -> <16x16xf32, vec>
      %s = pl.tile.store %v into %o[0, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    }
    %end = pl.subblock_idx {pl.lane_mode = "end"}
    return
  }

  // The chip gives back half of the slots at a time, rounded down: five would be given back too early.
  // CHECK: func.func private @five_at_once
  // CHECK-LABEL: func.func @five_at_once_aic
  // CHECK-SAME: slots = 6
  func.func @five_at_once(%l: !pl.tile<16x16xf16, left>, %r: !pl.tile<16x16xf16, right>, %o: !pl.tensor<[64, 16] x f32>) attributes {pl.kind = "incore"} {
    %p0 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v0 = pl.tile.move %p0 : <16x16xf32, acc> -> <16x16xf32, vec>
    %p1 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v1 = pl.tile.move %p1 : <16x16xf32, acc> -> <16x16xf32, vec>
    %p2 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v2 = pl.tile.move %p2 : <16x16xf32, acc> -> <16x16xf32, vec>
    %p3 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v3 = pl.tile.move %p3 : <16x16xf32, acc> -> <16x16xf32, vec>
    %p4 = pl.tile.matmul %l, %r : <16x16xf16, left>, <16x16xf16, right> -> <16x16xf32, acc>
    %v4 = pl.tile.move %p4 : <16x16xf32, acc> -> <16x16xf32, vec>
    %a1 = pl.op "tile.add"(lhs %v4, rhs %v3) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %a2 = pl.op "tile.add"(lhs %a1, rhs %v2) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %a3 = pl.op "tile.add"(lhs %a2, rhs %v1) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %a4 = pl.op "tile.add"(lhs %a3, rhs %v0) : (!pl.tile<16x16xf32, vec>, !pl.tile<16x16xf32, vec>) -> !pl.tile<16x16xf32, vec>
    %s = pl.tile.store %a4 into %o[0, 0] : <16x16xf32, vec>, <[64, 16] x f32> -> <[64, 16] x f32>
    return
  }
}
