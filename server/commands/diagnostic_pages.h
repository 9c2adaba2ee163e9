// SPDX-License-Identifier: Apache-2.0
// The pages of docs/diagnostics, embedded at build time so that `explain` needs no installed file. The source behind it
// is generated. Any thread.
#pragma once

#include <span>
#include <string_view>

namespace placid::server {

struct DiagnosticPage {
  std::string_view code; ///< "PL3105".
  std::string_view markdown;
};

/// Sorted by code.
std::span<const DiagnosticPage> diagnosticPages();

} // namespace placid::server
