// SPDX-License-Identifier: Apache-2.0
// From what one core runs of a kernel of pypto_pro to a function at the tile level of the `pl` dialect, which the
// passes of the first dialect take on to PTO IR. Places become values: each write makes a new one, loops and branches
// carry those that are read later. Addresses are not kept; the passes choose their own. One thread, the context's.
#pragma once

#include "compiler/pro/kernel/trace.h"
#include "compiler/pro/lower/shared_places.h"
#include "compiler/target/arch.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace placid::pro {

struct ModuleNames {
  std::string function; ///< Of the core function.
  std::string entry;    ///< The qualified source name.
  Site at;              ///< Of the kernel.
};

/// Null, with the reason in `trace.refused`, when some of it has no form at the tile level.
mlir::OwningOpRef<mlir::ModuleOp> buildModule(mlir::MLIRContext &context, Trace &trace, const ModuleNames &names,
                                              target::Arch arch);

/// Of a kernel of both cores: the functions `<function>_aic` and `<function>_aiv`, and what they share. Null as above,
/// with the reason in either trace.
mlir::OwningOpRef<mlir::ModuleOp> buildModule(mlir::MLIRContext &context, Trace &cube, Trace &vector,
                                              const ModuleNames &names, target::Arch arch, SharedPlaces &shared);

} // namespace placid::pro
