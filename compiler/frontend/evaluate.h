// SPDX-License-Identifier: Apache-2.0
// Evaluation under a budget that several expressions share: what a whole file computes before its kernels is bounded,
// however its statements feed each other. Separate from program.h because only the builder of a Program shares one.
#pragma once

#include "compiler/frontend/program.h"

#include <cstddef>

namespace placid::frontend {

/// Counts the values that evaluation makes beyond one for each expression of the source: items of sequences, and texts
/// in units of 64 bytes. Not for sharing between threads.
class EvalBudget {
public:
  explicit EvalBudget(size_t left) : left_(left) {}
  /// False once the budget is used up; then nothing more is made.
  bool spend(size_t amount) {
    if (amount > left_) {
      left_ = 0;
      return false;
    }
    left_ -= amount;
    return true;
  }

private:
  size_t left_;
};

/// For one expression alone, and for all module-level code of a file together.
inline constexpr size_t kExpressionBudget = size_t{1} << 17;
inline constexpr size_t kProgramBudget = size_t{1} << 20;

ConstValue evaluate(const syntax::Expr &expr, const Scope &scope, EvalBudget &budget);
ConstValue foldBinary(std::string_view op, const ConstValue &a, const ConstValue &b, EvalBudget &budget);

/// What a value beyond the budget is.
ConstValue tooMuch();

} // namespace placid::frontend
