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

#endif // PLACID_PL_TO_PTO_PASSES_TD
