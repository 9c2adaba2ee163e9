// SPDX-License-Identifier: Apache-2.0
// One kernel of the second dialect as a unit of compilation: checked by compiler/pro, and lowered where it has a form
// at the tile level. Beside kernel_unit.h, whose results it shares, so that memo and server see one kind of unit. One
// thread.
#pragma once

#include "compiler/driver/kernel_unit.h"

namespace placid::compiler {

/// `arch` is what was asked for, "" for the kernel's own choice. `context` is needed where IR is wanted.
bool needsContext(const UnitRequest &request);
UnitResult compileProKernel(CompileContext *context, const frontend::Program &program,
                            const frontend::KernelDecl &kernel, const std::string &arch, const UnitRequest &request,
                            const std::stop_token &stop);

} // namespace placid::compiler
