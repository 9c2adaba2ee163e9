// RUN: placid-emit %S/seed.mlir > %t.pto && python3 %S/assemble.py %t.pto | FileCheck %s
// The real assembler, where one is installed.
// CHECK: {{^assembled with|^skipped: no ptoas}}
