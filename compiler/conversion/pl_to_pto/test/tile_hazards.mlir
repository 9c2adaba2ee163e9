// RUN: placid-opt %s --check-tile-hazards --split-input-file --verify-diagnostics | FileCheck %s

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!window = !pto.partition_tensor_view<16x16xf16>

// The second load takes the first one's bytes after those were read; buffer numbers go.
// CHECK-LABEL: func.func @in_turn
// CHECK-NOT: pl.buffer
func.func @in_turn(%w: !window) {
  %c0 = arith.constant 0 : i64
  %a = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !mat
  %b = pto.alloc_tile addr = %c0 {pl.buffer = 1 : i64} : !mat
  %l = pto.alloc_tile addr = %c0 {pl.buffer = 2 : i64} : !left
  pto.tload ins(%w : !window) outs(%a : !mat)
  pto.tmov ins(%a : !mat) outs(%l : !left)
  pto.tload ins(%w : !window) outs(%b : !mat)
  pto.tmov ins(%b : !mat) outs(%l : !left)
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!window = !pto.partition_tensor_view<16x16xf16>

// Half of the first tile is gone when it is read.
func.func @overlap(%w: !window) {
  %c0 = arith.constant 0 : i64
  %c256 = arith.constant 256 : i64
  %a = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !mat
  %b = pto.alloc_tile addr = %c256 {pl.buffer = 1 : i64} : !mat
  %l = pto.alloc_tile addr = %c0 {pl.buffer = 2 : i64} : !left
  pto.tload ins(%w : !window) outs(%a : !mat)
  pto.tload ins(%w : !window) outs(%b : !mat)
  // expected-error @+1 {{is read after}}
  pto.tmov ins(%a : !mat) outs(%l : !left)
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!window = !pto.partition_tensor_view<16x16xf16>

// Right in the first iteration, and too late in the second.
func.func @next_iteration(%w: !window, %n: index) {
  %c0 = arith.constant 0 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %a = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !mat
  %b = pto.alloc_tile addr = %c0 {pl.buffer = 1 : i64} : !mat
  %l = pto.alloc_tile addr = %c0 {pl.buffer = 2 : i64} : !left
  pto.tload ins(%w : !window) outs(%a : !mat)
  scf.for %i = %i0 to %n step %i1 {
    // expected-error @+1 {{is read after}}
    pto.tmov ins(%a : !mat) outs(%l : !left)
    pto.tload ins(%w : !window) outs(%b : !mat)
  }
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!window = !pto.partition_tensor_view<16x16xf16>

// Each branch fills the buffer under a name of its own; either may be read behind them.
// CHECK-LABEL: func.func @branches
func.func @branches(%w: !window, %c: i1) {
  %c0 = arith.constant 0 : i64
  %l = pto.alloc_tile addr = %c0 {pl.buffer = 2 : i64} : !left
  %a = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !mat
  scf.if %c {
    pto.tload ins(%w : !window) outs(%a : !mat)
  } else {
    %b = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !mat
    pto.tload ins(%w : !window) outs(%b : !mat)
  }
  pto.tmov ins(%a : !mat) outs(%l : !left)
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!window = !pto.partition_tensor_view<16x16xf16>

// The other branch reads what only an earlier iteration has filled; in the first one it is not taken.
// CHECK-LABEL: func.func @filled_by_the_first_iteration
func.func @filled_by_the_first_iteration(%w: !window, %n: index) {
  %c0 = arith.constant 0 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %before = pto.alloc_tile addr = %c0 {pl.buffer = 1 : i64} : !mat
  %l = pto.alloc_tile addr = %c0 {pl.buffer = 2 : i64} : !left
  pto.tload ins(%w : !window) outs(%before : !mat)
  pto.tmov ins(%before : !mat) outs(%l : !left)
  %a = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !mat
  scf.for %i = %i0 to %n step %i1 {
    %first = arith.cmpi eq, %i, %i0 : index
    scf.if %first {
      pto.tload ins(%w : !window) outs(%a : !mat)
    } else {
      pto.tmov ins(%a : !mat) outs(%l : !left)
    }
  }
  return
}

// -----

!mat = !pto.tile_buf<loc=mat, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!left = !pto.tile_buf<loc=left, dtype=f16, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=row_major, fractal=512, pad=0>
!window = !pto.partition_tensor_view<16x16xf16>

// Forty loops in one another: what a loop makes of what it finds is worked out once, not twice for each one around it.
func.func @deep(%w: !window, %n: index) {
  %c0 = arith.constant 0 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %a = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !mat
  %b = pto.alloc_tile addr = %c0 {pl.buffer = 1 : i64} : !mat
  %l = pto.alloc_tile addr = %c0 {pl.buffer = 2 : i64} : !left
  pto.tload ins(%w : !window) outs(%a : !mat)
  scf.for %x0 = %i0 to %n step %i1 {
  scf.for %x1 = %i0 to %n step %i1 {
  scf.for %x2 = %i0 to %n step %i1 {
  scf.for %x3 = %i0 to %n step %i1 {
  scf.for %x4 = %i0 to %n step %i1 {
  scf.for %x5 = %i0 to %n step %i1 {
  scf.for %x6 = %i0 to %n step %i1 {
  scf.for %x7 = %i0 to %n step %i1 {
  scf.for %x8 = %i0 to %n step %i1 {
  scf.for %x9 = %i0 to %n step %i1 {
  scf.for %x10 = %i0 to %n step %i1 {
  scf.for %x11 = %i0 to %n step %i1 {
  scf.for %x12 = %i0 to %n step %i1 {
  scf.for %x13 = %i0 to %n step %i1 {
  scf.for %x14 = %i0 to %n step %i1 {
  scf.for %x15 = %i0 to %n step %i1 {
  scf.for %x16 = %i0 to %n step %i1 {
  scf.for %x17 = %i0 to %n step %i1 {
  scf.for %x18 = %i0 to %n step %i1 {
  scf.for %x19 = %i0 to %n step %i1 {
  scf.for %x20 = %i0 to %n step %i1 {
  scf.for %x21 = %i0 to %n step %i1 {
  scf.for %x22 = %i0 to %n step %i1 {
  scf.for %x23 = %i0 to %n step %i1 {
  scf.for %x24 = %i0 to %n step %i1 {
  scf.for %x25 = %i0 to %n step %i1 {
  scf.for %x26 = %i0 to %n step %i1 {
  scf.for %x27 = %i0 to %n step %i1 {
  scf.for %x28 = %i0 to %n step %i1 {
  scf.for %x29 = %i0 to %n step %i1 {
  scf.for %x30 = %i0 to %n step %i1 {
  scf.for %x31 = %i0 to %n step %i1 {
  scf.for %x32 = %i0 to %n step %i1 {
  scf.for %x33 = %i0 to %n step %i1 {
  scf.for %x34 = %i0 to %n step %i1 {
  scf.for %x35 = %i0 to %n step %i1 {
  scf.for %x36 = %i0 to %n step %i1 {
  scf.for %x37 = %i0 to %n step %i1 {
  scf.for %x38 = %i0 to %n step %i1 {
  scf.for %x39 = %i0 to %n step %i1 {
    pto.tload ins(%w : !window) outs(%b : !mat)
    pto.tmov ins(%b : !mat) outs(%l : !left)
    pto.tload ins(%w : !window) outs(%a : !mat)
    pto.tmov ins(%a : !mat) outs(%l : !left)
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  }
  return
}

// -----

!loaded = !pto.tile_buf<loc=mat, dtype=f16, rows=32, cols=64, v_row=32, v_col=64, blayout=col_major, slayout=row_major, fractal=512, pad=0>
!turned = !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=32, v_row=64, v_col=32, blayout=row_major, slayout=col_major, fractal=512, pad=0>
!shorter = !pto.tile_buf<loc=mat, dtype=f16, rows=64, cols=32, v_row=64, v_col=32, blayout=col_major, slayout=row_major, fractal=512, pad=0>

// A transposed view has its fractals where the tile has them; a tile of other rows has not.
func.func @names_of_one_buffer() {
  %c0 = arith.constant 0 : i64
  %a = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !loaded
  %b = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !turned
  // expected-error @+1 {{shows the fractals of another shape as its own}}
  %c = pto.alloc_tile addr = %c0 {pl.buffer = 0 : i64} : !shorter
  return
}
