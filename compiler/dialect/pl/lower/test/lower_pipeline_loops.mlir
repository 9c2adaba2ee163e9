// RUN: placid-opt %s --pl-lower-pipeline-loops | FileCheck %s

// CHECK-LABEL: func.func @core
// CHECK: } {pl.loop = "range"}
// CHECK: } {pl.loop = "parallel"}
func.func @core(%lo: index, %hi: index, %st: index) attributes {pl.kind = "incore"} {
  scf.for %i = %lo to %hi step %st {
  } {pl.loop = "pipeline", pl.stages = 3 : i64}
  scf.for %i = %lo to %hi step %st {
  } {pl.loop = "parallel"}
  return
}

// CHECK-LABEL: func.func @host
// CHECK: } {pl.loop = "pipeline", pl.stages = 3 : i64}
func.func @host(%lo: index, %hi: index, %st: index) attributes {pl.kind = "orchestration"} {
  scf.for %i = %lo to %hi step %st {
  } {pl.loop = "pipeline", pl.stages = 3 : i64}
  return
}
