// SPDX-License-Identifier: Apache-2.0
// Where in the tree a byte range stands: the expressions around it, outermost first, and small questions about them.
// Knows no diagnostic. Pure; any thread.
#pragma once

#include "compiler/syntax/ast.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::fixes {

struct Place {
  const syntax::Stmt *statement = nullptr;  ///< The innermost one.
  std::vector<const syntax::Expr *> around; ///< Outermost first; the last is the expression itself.
  const syntax::Expr *expr() const { return around.empty() ? nullptr : around.back(); }
  /// `up` = 1: the parent. Null beyond the statement.
  const syntax::Expr *parent(size_t up = 1) const {
    return around.size() > up ? around[around.size() - 1 - up] : nullptr;
  }
};

/// The outermost expression with exactly this range, or, where there is none, the innermost one that holds it.
Place placeOf(const syntax::Module &module, source::ByteRange range);

std::optional<int64_t> literal(const syntax::Expr *expr);

/// The call nearest to the place, itself included; null when there is none.
const syntax::Expr *callAround(const Place &place);
const syntax::Keyword *keyword(const syntax::Expr &call, std::string_view name);

/// What the text calls `pypto.language`: `pl` as a rule.
std::string languageName(const syntax::Module &module);

/// The dimensions and dtype of the `pl.Tensor[[…], dtype, …]` that an annotation belongs to.
struct TensorWords {
  const syntax::Expr *dims = nullptr; ///< A list; null when the annotation is written in another way.
  int64_t c0 = 0;                     ///< Elements of the dtype in 32 bytes; 0 when it is not one that is known.
};
TensorWords tensorAround(const Place &annotation);

} // namespace placid::fixes
