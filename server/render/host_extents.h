// SPDX-License-Identifier: Apache-2.0
// Where a host gets the dynamic extents of a kernel from: read off an axis of an argument, computed from others, or
// given by the caller. Apart from the header that is written, because a manifest says the same. Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/support/extent_expr.h"

#include <optional>
#include <string>
#include <vector>

namespace placid::server {

class HostExtents {
public:
  /// A dynamic dimension, or an extent that nothing else tells.
  struct Symbol {
    std::string text;
    size_t argument = 0;  ///< Whose logical shape has it first …
    size_t axis = 0;      ///< … and where.
    bool isGiven = false; ///< No argument has it: the caller says it, and `argument` is the extent itself.
  };

  explicit HostExtents(const compiler::LoweredKernel &kernel);

  /// Plain names first, then in the order of the arguments.
  const std::vector<Symbol> &symbols() const { return symbols_; }
  const Symbol *find(const std::string &text) const;
  /// The text as an expression of symbols; nothing for a symbol itself, and for what cannot be computed.
  std::optional<support::ExtentExpr> computed(const std::string &text) const;
  /// It is a number, a symbol, or computed from symbols.
  bool isKnown(const compiler::Expr &extent) const;

private:
  std::vector<Symbol> symbols_;
};

} // namespace placid::server
