// SPDX-License-Identifier: Apache-2.0
// Where the folded numbers of a faulty expression come from. Apart from the faults themselves, so that every report of
// the front end and of the passes gets the same answer: it looks at the place of a report and at the syntax there,
// never at IR. One thread, that of the compile.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/frontend/program.h"

#include <vector>

namespace placid::frontend {

/// Adds to every fault of a shape, an offset, an extent, an alignment or a size the constants that it is made of, each
/// as a related place "`N_TILE = 128` (config.py:12)" where it is defined: those of the expression, of the locals that
/// it reads, of the declared extents of its tensors, and what they are computed from.
void nameConstants(const Program &program, std::vector<diag::Diagnostic> &diagnostics);

} // namespace placid::frontend
