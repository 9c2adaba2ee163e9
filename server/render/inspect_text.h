// SPDX-License-Identifier: Apache-2.0
// `inspect` for people: each kernel with its NZ tensors and accesses, one fact a line. Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <string>

namespace placid::server {

std::string inspectText(const compiler::InspectResult &result, const source::SourceText &text);

} // namespace placid::server
