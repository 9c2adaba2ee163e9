// SPDX-License-Identifier: Apache-2.0
// Coordinates and extents as text, the one spelling that hover and `inspect` share. Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <string>
#include <vector>

namespace placid::server {

/// `128`, or the source's own spelling.
inline std::string show(const compiler::Expr &value) {
  const auto *number = std::get_if<int64_t>(&value);
  return number ? std::to_string(*number) : std::get<std::string>(value);
}

/// `[1, 4, rows, 16, 16]`.
inline std::string show(const std::vector<compiler::Expr> &values) {
  std::string out = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    out += (i == 0 ? "" : ", ") + show(values[i]);
  }
  return out + "]";
}

} // namespace placid::server
