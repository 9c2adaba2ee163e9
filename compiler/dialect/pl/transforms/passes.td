// SPDX-License-Identifier: Apache-2.0
// Passes from source-shaped `pl` IR to blocked NZ views, in the order compiler/pipeline runs them.
#ifndef PLACID_PL_PASSES_TD
#define PLACID_PL_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckWindowBounds : Pass<"pl-check-window-bounds", "::mlir::ModuleOp"> {
  let summary = "Refuses windows that leave their tensor in some iteration of the loops around them";
  let description = [{
    For every load, store, slice, assemble and element read whose offset or extent is not a constant. An interval with a
    stride (analysis/index_range.h) proves most of them; where it does not, iterations are tried, and one that surely runs
    and leaves the tensor is the report. Conditions around the access are honoured. What depends on values known at run
    time only is not reported. Changes nothing; needs loops and core scopes still around the accesses.
  }];
}

def OutlineIncoreScopes : Pass<"pl-outline-incore-scopes", "::mlir::ModuleOp"> {
  let summary = "Turns every core scope into an in-core function and a call";
  let description = [{
    A `pl.incore` region becomes a function of kind "incore", named by its hint or `<function>_incore_<n>`. Captured values
    become arguments in the order the body first reads them, with their names, annotations and locations; constants are
    copied in. A captured tensor that the body writes is an "out" argument, one it also reads is "inout". The launch count
    of an SPMD scope stays on the call as `pl.blocks`; inside, the block number is `pl.block_idx`.
  }];
}

def ConvertTensorToTileOps : Pass<"pl-convert-tensor-to-tile-ops", "::mlir::ModuleOp"> {
  let summary = "Replaces tensor-level compute in in-core functions by tile operations";
  let description = [{
    A slice of GM becomes a load, to Mat where a matmul consumes it (also through reshapes, slices and loops), else to
    Vec. A whole GM tensor under a matmul is loaded to Mat; transposed operands are views. An assemble into GM becomes a
    store, and a tile that the function returns is stored to a new "out" argument. Slices that stay tensors (read element
    by element, handed to a call, or loaded by hand) are kept. A comparison gives bits, which then choose between one
    and zero; a tensor made in L1 is a Mat tile, into which rows are gathered from memory. What has no tile form is left
    for later phases to refuse.
  }];
}

def FlattenTileNdTo2D : Pass<"pl-flatten-tile-nd-to-2d", "::mlir::ModuleOp"> {
  let summary = "Gives every tile two dimensions; windows keep the rank of their tensor";
  let description = [{
    Leading tile axes are merged into the rows. A store to a tensor of rank above 2 gets its partition shape. A batched
    matmul is unrolled into one matmul a batch, with a load and a store of its own. A Mat load of an ND tensor of rank
    above 2 goes through a 2-D view of the tensor, as the ND to NZ conversion of the load wants; the view is not made for
    an NZ source, whose bytes need no conversion and whose window BlockNzTensorViews reads.
  }];
}

def BlockNzTensorViews : Pass<"pl-block-nz-tensor-views", "::mlir::ModuleOp"> {
  let summary = "Gives NZ tensors their blocked rank-5 form and retargets the loads, stores and slices that use them";
  let description = [{
    `[R, C]` becomes `[1, C/c0, R/16, 16, c0]`; leading axes fold into the one batch slot. Offsets must be provably whole
    fractals and not negative (see analysis/offset_proof.h); a symbolic one is divided as a whole, at its own type, so
    that its wrap-around stays what the source says. Tiles keep their logical 2-D type. Everything without a blocked form
    is refused with a diagnostic that names the annotation, and then nothing is changed. Functions that hold an NZ type
    are stamped `nz_tensor_views_blocked`; a stamped function is left alone.
  }];
}

#endif // PLACID_PL_PASSES_TD
