// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/linear_form.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>

namespace placid::frontend {

namespace {
constexpr size_t kMaxValues = 256; // visited for one form; also bounds the recursion
constexpr size_t kMaxTerms = 32;
constexpr size_t kMaxProducts = 256; // terms while multiplying out
constexpr size_t kMaxDegree = 8;     // atoms in one product
} // namespace

void LinearForm::add(const Term &term, int64_t factor) {
  auto found = std::find_if(terms_.begin(), terms_.end(), [&](const Summand &known) { return known.term == term; });
  if (found == terms_.end()) {
    if (factor != 0) {
      terms_.push_back({term, factor});
    }
    return;
  }
  overflow_ |= __builtin_add_overflow(found->factor, factor, &found->factor);
  if (found->factor == 0) {
    terms_.erase(found);
  }
}

LinearForm LinearForm::constant(int64_t value) {
  LinearForm out;
  if (value != 0) {
    out.terms_.push_back({{}, value});
  }
  return out;
}

LinearForm LinearForm::of(mlir::Value value) {
  Memo memo;
  return of(value, memo);
}

LinearForm LinearForm::of(mlir::Value value, Memo &memo) {
  mlir::APInt number;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&number))) {
    return constant(number.getSExtValue());
  }
  const void *key = value.getAsOpaquePointer();
  auto found = memo.find(key);
  if (found != memo.end()) {
    return found->second;
  }
  LinearForm atom;
  atom.terms_.push_back({{key}, 1});
  mlir::Operation *op = value.getDefiningOp();
  bool walks = op && mlir::isa<mlir::arith::AddIOp, mlir::arith::SubIOp, mlir::arith::MulIOp>(op);
  if (!walks || memo.size() >= kMaxValues) {
    return atom;
  }
  memo.try_emplace(key, atom); // counts the visit
  LinearForm left = of(op->getOperand(0), memo);
  LinearForm right = of(op->getOperand(1), memo);
  LinearForm out;
  if (mlir::isa<mlir::arith::MulIOp>(op)) {
    out = left.times(right);
  } else if (mlir::isa<mlir::arith::SubIOp>(op)) {
    out = left.minus(right);
  } else {
    out = left.plus(right);
  }
  if (!out.fits()) {
    return atom;
  }
  memo[key] = out;
  return out;
}

bool LinearForm::fits() const {
  return !overflow_ && terms_.size() <= kMaxTerms &&
         std::all_of(terms_.begin(), terms_.end(),
                     [](const Summand &known) { return known.term.size() <= kMaxDegree; });
}

LinearForm LinearForm::plus(const LinearForm &other) const {
  LinearForm out = *this;
  out.overflow_ |= other.overflow_;
  for (const auto &[term, factor] : other.terms_) {
    out.add(term, factor);
  }
  return out;
}

LinearForm LinearForm::minus(const LinearForm &other) const {
  LinearForm out = *this;
  out.overflow_ |= other.overflow_;
  for (const auto &[term, factor] : other.terms_) {
    if (factor == INT64_MIN) {
      out.overflow_ = true;
      continue;
    }
    out.add(term, -factor);
  }
  return out;
}

LinearForm LinearForm::times(const LinearForm &other) const {
  LinearForm out;
  out.overflow_ = overflow_ || other.overflow_ || terms_.size() * other.terms_.size() > kMaxProducts;
  if (out.overflow_) {
    return out;
  }
  for (const auto &[leftTerm, leftFactor] : terms_) {
    for (const auto &[rightTerm, rightFactor] : other.terms_) {
      Term term = leftTerm;
      term.append(rightTerm);
      std::sort(term.begin(), term.end()); // only equality of terms matters, never their order
      int64_t factor = 0;
      out.overflow_ |= __builtin_mul_overflow(leftFactor, rightFactor, &factor);
      out.add(term, factor);
    }
  }
  return out;
}

std::optional<int64_t> LinearForm::asConstant() const {
  if (overflow_ || terms_.size() > 1) {
    return std::nullopt;
  }
  if (terms_.empty()) {
    return 0;
  }
  return terms_.front().term.empty() ? std::optional<int64_t>(terms_.front().factor) : std::nullopt;
}

} // namespace placid::frontend
