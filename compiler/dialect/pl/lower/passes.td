// SPDX-License-Identifier: Apache-2.0
// The passes between BlockNzTensorViews and the conversion to PTO IR. Each works on the core functions (2-D tiles)
// and leaves every other function alone. A user fault is a diagnostic; the function is then marked `pl.failed` and later
// passes skip it, so that the other kernels of a module are still lowered.
#ifndef PLACID_PL_LOWER_PASSES_TD
#define PLACID_PL_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckTiles : Pass<"pl-check-tiles", "::mlir::ModuleOp"> {
  let summary = "Refuses tiles that no placement and no chip could take";
  let description = [{
    Loads and new tiles: a row of a flat tile is whole 32-byte blocks, a Mat tile whole fractals (`tile-align`). Then, for
    Vec and Mat, one tile that is larger than it, or tiles alive at one time that are together (`capacity`): counted
    without gaps and with every reuse that is possible, so that only what no placement could take is refused. Runs before
    BlockNzTensorViews, because a refusal there must not hide these faults.
  }];
}

def LegalizeVectorOps : Pass<"pl-legalize-vector-ops", "::mlir::ModuleOp"> {
  let summary = "Turns vector operations into forms the vector unit has, with their scratch tiles";
  let description = [{
    Arithmetic between a tile and one of its rows or columns becomes `row_expand_…` and `col_expand_…`; where the first
    operand of a difference or quotient is the smaller one, it is spread first. A conversion that the chip does not have
    becomes the shortest chain of those it has (tile_casts.h); none at all is refused (`vector-dtype`). A slice of a tile
    becomes an extract; one column of a wider tile becomes a row of the 32-byte line that it is in, turned. Prefetches
    change nothing and go (`hint-left-out`). Instructions that work in a scratch tile get one, unless the user gave it (vector_ops.def): with
    addresses in the text, the assembler makes none. What is computed and not used goes.
  }];
}

def SeparateCarriedTiles : Pass<"pl-separate-carried-tiles", "::mlir::ModuleOp"> {
  let summary = "Copies vector tiles that a loop or branch hands on while their old contents are still needed";
  let description = [{
    A loop's variable, what it starts as and what an iteration makes of it are one buffer, and so are the results of two
    branches. Where that would overwrite a value that is read afterwards, or hand on a value that has a life of its own,
    the value is copied where it is handed on. Runs after the order of operations is settled, before addresses.
  }];
}

def AutoTileMatmulL0 : Pass<"pl-auto-tile-matmul-l0", "::mlir::ModuleOp"> {
  let summary = "Splits matmuls of Mat tiles into pieces that fit the L0 memories";
  let description = [{
    A cost model chooses the tile (see l0_tile_chooser.h). An operand that the vector unit makes is moved to Mat first,
    once, where it is made. K is split in place: the first block multiplies, the rest
    accumulate in a pipelined loop. Rows and columns are split only where the product goes to exactly one store, which
    becomes one store a piece with the same attributes. Into an NZ destination only the columns are split, because such a
    store covers the whole row axis: a piece that begins at column `n` adds `n / c0` to the blocked column offset.
    A product without a legal tile at full rows is refused (`nz-l0c`). Other products without a tile stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def InferTileMemorySpace : Pass<"pl-infer-tile-memory-space", "::mlir::ModuleOp"> {
  let summary = "Gives every tile its memory and moves matmul operands to Left and Right";
  let description = [{
    Products and accumulators live in Acc; a load or a new tile without a memory goes where its users need it, else to
    Vec; views, loops and branches hand their memory on. A matmul operand elsewhere is moved once for each block. A tile
    that starts several accumulations is created once for each.
  }];
}

def CanonicalizeTileSlice : Pass<"pl-canonicalize-tile-slice", "::mlir::ModuleOp"> {
  let summary = "Reads windows of windows from the tile that was loaded";
  let description = [{
    A window of a window becomes one window, with the sum of the offsets; a window of a Mat tile that moves to Left or
    Right, also through a transposed view, becomes one on the way, because no window stays inside Mat. What nothing reads
    any more goes. A window stays where the bytes change before it is read, under whatever name, where a run decides the
    valid extents, and in Vec where reading its source instead would keep that alive beside another tile. Afterwards an
    operand of a product begins at whole fractals, on ways that transpose at whole square blocks, and its tile is made
    of them: a slice that asks for something else, or cannot be proven not to, is refused (`tile-slice-align`), a tile
    that cannot be read so too (`operand-blocks`).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def CheckAccStores : Pass<"pl-check-acc-stores", "::mlir::ModuleOp"> {
  let summary = "Checks every emitted accumulator store against L0C and the instruction's fields";
  let description = [{
    The last guard of NZ stores: whatever pattern produced the tile, its physical bytes must fit L0C (`nz-l0c`) and its
    rows and columns the fields of the store (`nz-store-extent`).
  }];
}

def SplitVectorLanes : Pass<"pl-split-vector-lanes", "::mlir::ModuleOp"> {
  let summary = "Gives each vector lane its half of the work in kernels that ask for it with `pl.split`";
  let description = [{
    Of a kernel for both cores whose scope says `optimizations=[pl.split(…)]`, the vector part is divided along one axis of
    its tiles: rows for UP_DOWN, columns for LEFT_RIGHT. The tiles take half the extent, loads and stores begin half a
    window later for the second lane (`pl.subblock_idx`), and moves between the cores carry `pl.lane_axis`. A tile of one
    row, or column, along that axis is whole in both lanes, and cut where an operation wants it in halves. What cannot be
    divided (a reduction over the axis, an odd extent, a number read from a tile, windows that the lanes would write in
    different parts) is marked with `pl.not_lowered`, and the kernel is left as it was. A kernel of the vector core alone
    stays whole: its lanes are launched on their own.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NormalizeReturnOrder : Pass<"pl-normalize-return-order", "::mlir::ModuleOp"> {
  let summary = "Hands the results of core functions back in the order of their parameters";
  let description = [{
    What a core function returns are tensors that it was given. Afterwards each written one of them is a result once, in
    the order of the parameters, under whatever names and in whatever order the source returns them; one that is only
    read is no result, and callers use what they gave. Calls follow. So a caller, and whoever reads the IR, finds the
    parameter of a result by counting, and the functions that ExpandMixedKernel makes of one kernel agree. A function
    that returns something else stays as it is, and the conversion refuses it.
  }];
}

def ExpandMixedKernel : Pass<"pl-expand-mixed-kernel", "::mlir::ModuleOp"> {
  let summary = "Splits a kernel that needs the cube and the vector core into one function for each";
  let description = [{
    A kernel whose tiles live in the memories of both cores becomes `<name>_aic` and `<name>_aiv`, with the same
    signature; the kernel's own function stays as a declaration of kind `group`. A move from one core's memory to the
    other's becomes a push on one side and a pop on the other; a popped tile is freed after its last reader. Scalars and
    control flow are in both. Of a tile that is live in part only that part goes through: where a run decides it, the pop
    names the number, which both cores have to have. On A2 and A3 both vector lanes run the kernel: the second does only the pushes and pops,
    with empty tiles. In a kernel that divides its work between the lanes (`pl.split_aiv`, or SplitVectorLanes) both do
    all of it. Both functions carry `pl.pipe` (core_pipe.h).

    A kernel that cannot be split keeps its body; the operation in the way carries `pl.not_lowered`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def LowerPipelineLoops : Pass<"pl-lower-pipeline-loops", "::mlir::ModuleOp"> {
  let summary = "Copies the body of a pipeline loop once for each stage";
  let description = [{
    A loop of `F` stages and step `s` becomes one of step `F * s` whose body holds `F` copies, the j-th for `i + j * s`;
    values that the loop carries run through the copies in order. Iterations that are left over follow the loop: static
    ones written out, otherwise by the original loop, which starts where the rounds end. With fewer trips than stages
    there are as many copies as trips. Each copied operation carries its stage in `pl.stage`; the loop stays a pipeline
    of one stage, whose body CanonicalizeIOOrder puts in order. A step that is no positive constant, bounds of a type
    narrower than `index` that are not constants, and bodies that would grow beyond measure leave the loop as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def CanonicalizeIOOrder : Pass<"pl-canonicalize-io-order", "::mlir::ModuleOp"> {
  let summary = "Puts the transfers of a pipeline body ahead of its arithmetic";
  let description = [{
    Scalars first, then loads and moves to L0 of all stages, then each stage's products and stores. Tiles of different
    stages are thereby alive together and get buffers of their own, so that the next stage's load runs while this one
    computes. Values, tile buffers and GM tensors keep their order of reads and writes (see block_dependences.h). Where
    the tiles of all stages do not fit a memory, moves to L0 and then loads go back to their stage, inner loops first,
    as far as needed. Pipeline loops become plain ones and `pl.stage` goes: nothing later knows of stages.
  }];
}

def MaterializeTensorStrides : Pass<"pl-materialize-tensor-strides", "::mlir::ModuleOp"> {
  let summary = "Writes the packed strides of dense tensors into their types";
  let description = [{
    ND is row-major, DN has the trailing pair exchanged, and blocked NZ is row-major over its five extents, which is what
    the hardware calls NZ. Strides that the user gave stay. A stride that is no integer and no single symbol, or does
    not fit 64 bits, leaves the type as it is: the conversion then multiplies. An NZ type that is not blocked is an
    internal error (PL9000): the order of passes, not the user, brings it here.
  }];
}

def ResolveBackendOpLayouts : Pass<"pl-resolve-backend-op-layouts", "::mlir::ModuleOp"> {
  let summary = "Shows columns as rows to the instructions that read rows";
  let description = [{
    A tile of one column lies in Vec as a row of as many elements does. Instructions that go through all elements in one
    order take row-major tiles only (`Flat` in vector_ops.def): they get the row, by a reshape that moves nothing, and
    what they make is a row that is shown as a column. Each column is turned once, and what was turned only to be turned
    back goes. A reduction of rows with one element each is that element, its place 0. Scratch tiles take the size that
    the instruction now asks for. Runs when lifetimes are settled, so that a reshape is nothing but a second name; after it
    the conversion shows every operand as it is. A comparison of columns is marked with `pl.not_lowered`: its mask would
    have a row for every bit.
  }];
}

def AllocateMemoryAddr : Pass<"pl-allocate-memory-addr", "::mlir::ModuleOp"> {
  let summary = "Gives every tile a byte address";
  let description = [{
    Values that must be one buffer (an accumulator and its updates, what a loop carries, a view and its source) share an
    address, in `pl.addr` on the operation that defines them. Buffers that are alive at the same time never overlap.
    Where the pipe between the cores has two slots and no tile is held beside another, it gets one if that makes room.
    Tiles that do not fit their memory are reported (`capacity`), once for each memory. In a module whose `pl.planner` is
    "ptoas" nothing is placed and no use of memory reported: the assembler does both.
  }];
}

#endif // PLACID_PL_LOWER_PASSES_TD
