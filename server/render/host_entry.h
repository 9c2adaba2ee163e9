// SPDX-License-Identifier: Apache-2.0
// The host's side of a kernel as a C++ header: what it takes in logical terms, what is refused before anything is
// dispatched, and the slots of `kernel_entry`. Made from what a manifest says, so that a build elsewhere serves as
// well; knows no JSON and no runtime. Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"

namespace placid::server {

/// `<kernel>.entry.h`.
std::string hostEntryName(const compiler::LoweredKernel &kernel);

/// The text of that header: C++17, the standard library only. `argument.shape` is what callers allocate; NZ arguments
/// are restated in blocked terms once, and their bytes stay where they are. `wrong` says what of the kernel no host can
/// compute, or is empty; there is no text then.
std::string hostEntryText(const compiler::LoweredKernel &kernel, std::string &wrong);

} // namespace placid::server
