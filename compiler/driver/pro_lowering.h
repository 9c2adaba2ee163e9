// SPDX-License-Identifier: Apache-2.0
// From what the cores of a pypto_pro kernel run to PTO IR, through the passes of the first dialect. What has no form
// there is told with its place (PL6108): the dialect's own route is then the only one. One thread, the context's.
#pragma once

#include "compiler/driver/kernel_unit.h"
#include "compiler/pro/kernel/trace.h"
#include "compiler/target/arch.h"

#include <deque>

namespace placid::compiler {

/// Fills `lowered` and `ir` of `out`. Does nothing where `out` has errors. False where it is not lowered because of the
/// slot of a group a tile is, which is said in `out` only with `last`: another reading may do better.
bool lowerProKernel(mlir::MLIRContext &context, const frontend::Program &program, const frontend::KernelDecl &kernel,
                    target::Arch arch, std::deque<pro::Trace> &traces, const UnitRequest &request,
                    const std::stop_token &stop, bool last, UnitResult &out);

} // namespace placid::compiler
