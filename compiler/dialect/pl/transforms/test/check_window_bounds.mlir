// RUN: placid-opt %s --pl-check-window-bounds --split-input-file --verify-diagnostics

!x = !pl.tensor<[480, 512] x f16>
!t = !pl.tile<64x64xf16, vec>

// A loop that runs one window past the end; the first axis is fine.
// expected-note @+1 {{`tensor` is declared here}}
func.func @past_the_end(%x: !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  // expected-note @+1 {{this loop reaches it}}
  scf.for %i = %c0 to %c8 step %c1 {
    %r = arith.muli %i, %c64 : index
    // expected-error @+1 {{the window covers 448..512 at `round = 7` on axis 0 of `tensor`, which has extent 480}}
    %a = pl.tile.load %x [%r, %r] sizes [64, 64] : !x -> !t
  }
  return
}

// -----

!x = !pl.tensor<[480, 512] x f16>
!t = !pl.tile<64x64xf16, vec>

// All that is fine, or that cannot be told: nothing is said.
func.func @fine(%x: !x, %n: index, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c64 = arith.constant 64 : index
  %c416 = arith.constant 416 : index
  scf.for %i = %c0 to %c7 step %c1 {
    %r = arith.muli %i, %c64 : index
    %a = pl.tile.load %x [%r, %r] sizes [64, 64] : !x -> !t
  }
  // Only rounds below 7.
  scf.for %i = %c0 to %c9 step %c1 {
    %r = arith.muli %i, %c64 : index
    %inside = arith.cmpi slt, %i, %c7 : index
    scf.if %inside {
      %a = pl.tile.load %x [%r, 0] sizes [64, 64] : !x -> !t
    } else {
      // Clamped.
      %s = arith.minsi %r, %c416 : index
      %a = pl.tile.load %x [%s, 0] sizes [64, 64] : !x -> !t
    }
  }
  // A window whose live part gets shorter.
  %c480 = arith.constant 480 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %r = arith.muli %i, %c64 : index
    %left = arith.subi %c480, %r : index
    %live = arith.minsi %left, %c64 : index
    %a = pl.tile.load %x [%r, 0] sizes [64, 64] valid [%live, 64] : !x -> !pl.tile<64x64xf16, vec, valid = [?, 64]>
  }
  // Runtime counts and offsets, and a condition that is not known but depends on the round.
  scf.for %i = %c0 to %n step %c1 {
    %r = arith.muli %i, %c64 : index
    %a = pl.tile.load %x [%r, %n] sizes [64, 64] : !x -> !t
  }
  scf.for %i = %c0 to %c9 step %c1 {
    %r = arith.muli %i, %c64 : index
    %some = arith.cmpi slt, %i, %n : index
    scf.if %some {
      %a = pl.tile.load %x [%r, 0] sizes [64, 64] : !x -> !t
    }
  }
  // A loop without rounds.
  scf.for %i = %c9 to %c9 step %c1 {
    %r = arith.muli %i, %c64 : index
    %a = pl.tile.load %x [%r, 0] sizes [64, 64] : !x -> !t
  }
  // What the front end leaves to the hardware to cut.
  scf.for %i = %c0 to %c9 step %c1 {
    %r = arith.muli %i, %c64 : index
    %a = pl.tile.load %x [%r, 0] sizes [64, 64] {pl.trimmed} : !x -> !t
  }
  // Quotient and remainder of one variable: the interval alone could not tell.
  scf.for %i = %c0 to %c7 step %c1 {
    %q = arith.floordivsi %i, %c2 : index
    %m = pl.floormod %i, %c2 : index
    %q2 = arith.muli %q, %c2 : index
    %back = arith.addi %q2, %m : index
    %r = arith.muli %back, %c64 : index
    %a = pl.tile.load %x [%r, 0] sizes [64, 64] : !x -> !t
  }
  return
}

// -----

!x = !pl.tensor<[480, 512] x f16>

// Nested loops, a condition that leaves the fault in, a store, an element, a slice of moving extent.
// expected-note @+1 {{`tensor` is declared here}}
func.func @more(%x: !x, %t: !pl.tile<64x64xf16, vec>, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  // expected-note @+1 {{this loop reaches it}}
  scf.for %i = %c0 to %c2 step %c1 {
    %base = arith.muli %i, %c256 : index
    // expected-note @+1 {{this loop reaches it}}
    scf.for %j = %c0 to %c4 step %c1 {
      %in = arith.muli %j, %c64 : index
      %r = arith.addi %base, %in : index
      scf.if %flag {
        // expected-error @+1 {{the window covers 448..512 at `round = 1`, `round = 3` on axis 0 of `tensor`}}
        %s = pl.tile.store %t into %x [%r, 0] : !pl.tile<64x64xf16, vec>, !x -> !x
      }
    }
  }
  // expected-note @+1 {{this loop reaches it}}
  scf.for %i = %c0 to %c9 step %c1 {
    %r = arith.muli %i, %c64 : index
    %late = arith.cmpi sgt, %i, %c4 : index
    scf.if %late {
      // expected-error @+1 {{the index on axis 1 of `tensor` is 512 at `round = 8`, where it has extent 512}}
      %e = pl.read %x [0, %r] : !x -> f16
    }
  }
  // expected-note @+1 {{this loop reaches it}}
  scf.for %i = %c0 to %c9 step %c1 {
    %r = arith.muli %i, %c64 : index
    %back = arith.subi %c64, %r : index
    // expected-error @+1 {{the window begins at -448 at `round = 8` on axis 1 of `tensor`: an offset is not negative}}
    %b = pl.tensor.slice %x [0, %back] sizes [64, 64] : !x -> !pl.tensor<[64, 64] x f16>
  }
  return
}

// -----

!x = !pl.tensor<[480, 512] x f16>

// A value that every round adds to, blocks of an SPMD scope, and an extent that moves.
// expected-note @+1 {{`tensor` is declared here}}
func.func @carried(%x: !x) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c64 = arith.constant 64 : index
  // expected-note @+1 {{this loop reaches it}}
  %end = scf.for %i = %c0 to %c9 step %c1 iter_args(%at = %c0) -> (index) {
    // expected-error @+1 {{the window covers 512..576 at `round = 8` on axis 0 of `tensor`}}
    %b = pl.tensor.slice %x [%at, 0] sizes [64, 64] : !x -> !pl.tensor<[64, 64] x f16>
    %next = arith.addi %at, %c64 : index
    scf.yield %next : index
  }
  // expected-note @+1 {{these blocks reach it}}
  pl.incore blocks(%c9 : index) {
    %block = pl.block_idx
    %n = arith.muli %block, %c64 : index
    // expected-error @+1 {{the window covers 512..576 at `block index = 8` on axis 1 of `tensor`}}
    %b = pl.tensor.slice %x [0, %n] sizes [64, 64] : !x -> !pl.tensor<[64, 64] x f16>
    pl.yield
  }
  // expected-note @+1 {{this loop reaches it}}
  scf.for %i = %c0 to %c9 step %c1 {
    %n = arith.muli %i, %c64 : index
    // expected-error @+1 {{the window covers 64..576 at `round = 8` on axis 1 of `tensor`}}
    %b = pl.tensor.slice %x [0, 64] sizes [64, %n] : !x -> !pl.tensor<[64, "n"] x f16>
  }
  return
}
