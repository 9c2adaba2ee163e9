// SPDX-License-Identifier: Apache-2.0
// What `inspect` and editors show of a kernel of the second dialect: its tensors, its transfers with NZ tensors and the
// types of its names, from what the reader saw. Beside pro_unit.h, which checks and lowers; knows no MLIR and no rule.
// One thread.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/pro/kernel/reader.h"

#include <string>
#include <vector>

namespace placid::compiler {

/// Of what is written in `path`. `diagnostics` are the kernel's: they say which declarations and transfers are refused.
void inspectPro(const pro::KernelReader &reader, const std::string &function, const std::string &path,
                const std::vector<diag::Diagnostic> &diagnostics, InspectKernel &out);

} // namespace placid::compiler
