// RUN: placid-opt %s --allow-unregistered-dialect --pl-lower-pipeline-loops --split-input-file | FileCheck %s

// Seven trips at three stages: two rounds of three copies, and one iteration behind the loop. Copies know their stage,
// and carry the accumulator from one to the next.
// CHECK-LABEL: func.func @static_bounds
// CHECK-DAG: %[[LOW:.+]] = arith.constant 32 : index
// CHECK-DAG: %[[HIGH:.+]] = arith.constant 128 : index
// CHECK-DAG: %[[STEP:.+]] = arith.constant 48 : index
// CHECK: %[[MAIN:.+]] = scf.for %[[I:.+]] = %[[LOW]] to %[[HIGH]] step %[[STEP]] iter_args(%[[A:.+]] = %arg0)
// CHECK-NEXT: %[[S0:.+]] = "test.work"(%[[I]], %[[A]]) {pl.stage = 0 : i64}
// CHECK: %[[I1:.+]] = arith.addi %[[I]], %c16
// CHECK-NEXT: %[[S1:.+]] = "test.work"(%[[I1]], %[[S0]]) {pl.stage = 1 : i64}
// CHECK: %[[I2:.+]] = arith.addi %[[I]], %c32
// CHECK-NEXT: %[[S2:.+]] = "test.work"(%[[I2]], %[[S1]]) {pl.stage = 2 : i64}
// CHECK-NEXT: scf.yield %[[S2]]
// CHECK: } {pl.loop = "pipeline", pl.stages = 1 : i64}
// CHECK: %[[LAST:.+]] = arith.constant 128 : index
// CHECK: %[[END:.+]] = "test.work"(%[[LAST]], %[[MAIN]]) :
// CHECK-NOT: test.work
// CHECK: return %[[END]]
func.func @static_bounds(%init: i32) -> i32 attributes {pl.kind = "incore"} {
  %lo = arith.constant 32 : index
  %hi = arith.constant 140 : index
  %st = arith.constant 16 : index
  %r = scf.for %i = %lo to %hi step %st iter_args(%a = %init) -> (i32) {
    %b = "test.work"(%i, %a) : (index, i32) -> i32
    scf.yield %b : i32
  } {pl.loop = "pipeline", pl.stages = 3 : i64}
  return %r : i32
}

// -----

// Fewer trips than stages: one round of as many copies as there are trips.
// CHECK-LABEL: func.func @short
// CHECK: scf.for
// CHECK-COUNT-2: test.work
// CHECK-NOT: test.work
// CHECK: {pl.loop = "pipeline", pl.stages = 1 : i64}
// CHECK-NOT: test.work
// CHECK: return
func.func @short() attributes {pl.kind = "incore"} {
  %lo = arith.constant 0 : index
  %hi = arith.constant 2 : index
  %st = arith.constant 1 : index
  scf.for %i = %lo to %hi step %st {
    "test.work"(%i) : (index) -> ()
  } {pl.loop = "pipeline", pl.stages = 4 : i64}
  return
}

// -----

// Bounds known at run time: whole rounds first, then the loop as it was for what is left, never more than stages - 1.
// CHECK-LABEL: func.func @dynamic_bounds
// CHECK-SAME: (%[[LOW:.+]]: index, %[[HIGH:.+]]: index)
// CHECK: %[[SPAN:.+]] = arith.subi %[[HIGH]], %[[LOW]]
// CHECK: %[[POSITIVE:.+]] = arith.maxsi %[[SPAN]], %{{.+}}
// CHECK: %[[PADDED:.+]] = arith.addi %[[POSITIVE]], %c15
// CHECK: %[[TRIPS:.+]] = arith.divsi %[[PADDED]], %c16
// CHECK: %[[LEFT:.+]] = arith.remsi %[[TRIPS]], %c2
// CHECK: %[[ROUNDS:.+]] = arith.subi %[[TRIPS]], %[[LEFT]]
// CHECK: %[[LENGTH:.+]] = arith.muli %[[ROUNDS]], %c16
// CHECK: %[[MIDDLE:.+]] = arith.addi %[[LOW]], %[[LENGTH]]
// CHECK: scf.for %{{.+}} = %[[LOW]] to %[[MIDDLE]] step %c32
// CHECK-COUNT-2: test.work
// CHECK: } {pl.loop = "pipeline", pl.stages = 1 : i64}
// CHECK: scf.for %{{.+}} = %[[MIDDLE]] to %[[HIGH]] step %c16
// CHECK-COUNT-1: test.work
// CHECK: } {pl.loop = "range"}
func.func @dynamic_bounds(%lo: index, %hi: index) attributes {pl.kind = "incore"} {
  %st = arith.constant 16 : index
  scf.for %i = %lo to %hi step %st {
    "test.work"(%i) : (index) -> ()
  } {pl.loop = "pipeline", pl.stages = 2 : i64}
  return
}

// -----

// A step that is not a constant, and bounds of a narrow type, leave the loop alone; so do other kinds and other functions.
// CHECK-LABEL: func.func @left_alone
// CHECK: } {pl.loop = "pipeline", pl.stages = 1 : i64}
// CHECK: } {pl.loop = "pipeline", pl.stages = 1 : i64}
// CHECK: } {pl.loop = "parallel"}
// CHECK-LABEL: func.func @host
// CHECK: } {pl.loop = "pipeline", pl.stages = 3 : i64}
func.func @left_alone(%lo: index, %hi: index, %st: index, %narrow: i32) attributes {pl.kind = "incore"} {
  %c1 = arith.constant 1 : i32
  scf.for %i = %lo to %hi step %st {
  } {pl.loop = "pipeline", pl.stages = 3 : i64}
  scf.for %i = %c1 to %narrow step %c1 : i32 {
  } {pl.loop = "pipeline", pl.stages = 2 : i64}
  scf.for %i = %lo to %hi step %st {
  } {pl.loop = "parallel"}
  return
}
func.func @host(%lo: index, %hi: index, %st: index) attributes {pl.kind = "orchestration"} {
  scf.for %i = %lo to %hi step %st {
  } {pl.loop = "pipeline", pl.stages = 3 : i64}
  return
}
