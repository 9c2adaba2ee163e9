// SPDX-License-Identifier: Apache-2.0
#ifndef PLACID_PL_TO_PTO_PASSES_TD
#define PLACID_PL_TO_PTO_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPlToPto : Pass<"convert-pl-to-pto", "::mlir::ModuleOp"> {
  let summary = "Replaces every core function by its PTO form";
  let description = [{
    Needs the addresses of AllocateMemoryAddr. A function's arguments become: tensors as pointers, then scalars, then one
    `index` for each dynamic extent in order of first occurrence, then block identities as `i32` where they are read.
    Tensors that are only handed around (loop carries, store results) disappear: GM is written in place. What has no PTO
    form is reported (`not-lowered`) and its function dropped. Functions that run on no core are removed.
    Afterwards the module holds `pto.target_arch` and nothing of the `pl` dialect.
  }];
  let dependentDialects = ["::placid::pto::PtoDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def CheckTileHazards : Pass<"check-tile-hazards", "::mlir::ModuleOp"> {
  let summary = "Checks that no tile is overwritten before it is read";
  let description = [{
    The last guard of addresses, and apart from what chose them: it follows the bytes of each memory through the kernel,
    loops twice and branches both ways, and knows of buffers only what the tiles' addresses and types say. A tile that is
    read after another buffer has written into it is an internal error (PL9000), and its kernel is dropped. Operations
    whose effect on tiles is not known count as writes.
  }];
}

#endif // PLACID_PL_TO_PTO_PASSES_TD
