// RUN: placid-opt %s --pl-check-window-bounds --split-input-file --verify-diagnostics

!x = !pl.tensor<[N, 128] x f16>
!t = !pl.tile<16x128xf16, vec>

// One block of rows too many, whatever the extent is.
// expected-note @+1 {{`tensor` is declared here}}
func.func @one_block_too_many(%x: !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %x, 0 : !x
  %blocks = arith.floordivsi %n, %c16 : index
  %more = arith.addi %blocks, %c1 : index
  // expected-note @+1 {{this loop reaches it}}
  scf.for %i = %c0 to %more step %c1 {
    %r = arith.muli %i, %c16 : index
    // expected-error @+1 {{the window ends at least 1 past the end of axis 0 of `tensor` in the last round: its extent is `N`}}
    %a = pl.tile.load %x [%r, 0] sizes [16, 128] : !x -> !t
  }
  return
}

// -----

!x = !pl.tensor<[N, 128] x f16>
!t = !pl.tile<16x128xf16, vec>

// expected-note @+1 {{`tensor` is declared here}}
func.func @begins_before(%x: !x) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = pl.dim %x, 0 : !x
  // expected-note @+1 {{this loop reaches it}}
  scf.for %i = %c0 to %n step %c16 {
    %r = arith.subi %i, %c16 : index
    // expected-error @+1 {{the window begins 16 before axis 0 of `tensor` in the first round: an offset is not negative}}
    %a = pl.tile.load %x [%r, 0] sizes [16, 128] : !x -> !t
  }
  return
}

// -----

!x = !pl.tensor<[N, 128] x f16>
!y = !pl.tensor<[M, 128] x f16>
!t = !pl.tile<16x128xf16, vec>
!v = !pl.tile<16x128xf16, vec, valid = [?, 128]>

// What is proven, and what depends on the extents: nothing is said.
func.func @fine(%x: !x, %y: !y, %same: !x, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %n = pl.dim %x, 0 : !x
  // Whole blocks, and as many as hold all rows.
  %whole = arith.floordivsi %n, %c16 : index
  scf.for %i = %c0 to %whole step %c1 {
    %r = arith.muli %i, %c16 : index
    %a = pl.tile.load %same [%r, 0] sizes [16, 128] : !x -> !t
  }
  %raised = arith.addi %n, %c15 : index
  %all = arith.floordivsi %raised, %c16 : index
  scf.for %i = %c0 to %all step %c1 {
    %r = arith.muli %i, %c16 : index
    %a = pl.tile.load %x [%r, 0] sizes [16, 128] : !x -> !t
    %b = pl.tile.load %y [%r, 0] sizes [16, 128] : !y -> !t
  }
  // The live part ends where the tensor does.
  scf.for %i = %c0 to %n step %c16 {
    %left = arith.subi %n, %i : index
    %live = arith.minsi %left, %c16 : index
    %a = pl.tile.load %x [%i, 0] sizes [16, 128] valid [%live, 128] : !x -> !v
    // Under a condition that keeps it inside, or that is not known.
    %end = arith.addi %i, %c32 : index
    %inside = arith.cmpi sle, %end, %n : index
    scf.if %inside {
      %b = pl.tile.load %x [%i, 0] sizes [32, 128] : !x -> !pl.tile<32x128xf16, vec>
    }
    %some = arith.cmpi ne, %i, %k : index
    scf.if %some {
      %s = arith.subi %i, %c16 : index
      %b = pl.tile.load %x [%s, 0] sizes [16, 128] : !x -> !t
    }
  }
  return
}
