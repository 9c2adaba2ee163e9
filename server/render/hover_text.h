// SPDX-License-Identifier: Apache-2.0
// What a hover says about an NZ declaration and about an access to one: the blocked form, the byte order, the proof.
// Two spellings, Markdown and plain text, of the same facts. Knows neither JSON nor documents. Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <string>

namespace placid::server {

std::string hoverText(const compiler::InspectTensor &tensor, const std::vector<diag::Diagnostic> &diagnostics,
                      bool markdown);
std::string hoverText(const compiler::InspectAccess &access, const std::vector<diag::Diagnostic> &diagnostics,
                      bool markdown);

} // namespace placid::server
