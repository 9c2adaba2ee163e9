// SPDX-License-Identifier: Apache-2.0
// One source function through the front end and the pass pipelines: the unit of compilation. Each run has an MLIRContext
// of its own that is thrown away, so no type or attribute outlives it; everything that leaves is plain data.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/frontend/program.h"

#include <string>
#include <vector>

namespace placid::compiler {

/// How far a unit is taken.
enum class Depth : uint8_t {
  Check,  ///< Through BlockNzTensorViews and tiling: every fault of the user's program.
  Lower,  ///< To PTO IR text.
};

struct UnitRequest {
  Depth depth = Depth::Check;
  bool report = false;   ///< Fill `inspect`.
  bool dumpIr = false;   ///< Fill `ir`, one entry a pass.
};

struct UnitResult {
  std::vector<diag::Diagnostic> diagnostics; ///< Unsorted.
  InspectKernel inspect;
  std::vector<IrUnit> ir;
  std::vector<LoweredKernel> lowered;
};

UnitResult compileKernel(const frontend::Program &program, const frontend::KernelDecl &kernel, const std::string &arch,
                         const UnitRequest &request);

/// The name `ir --after` uses for what the front end makes.
inline constexpr std::string_view kFrontEndPass = "FrontEnd";

} // namespace placid::compiler
