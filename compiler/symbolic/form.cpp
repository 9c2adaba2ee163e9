// SPDX-License-Identifier: Apache-2.0
// Sums of products with one divisor. Apart from the table, which knows what the atoms are.
#include "compiler/symbolic/symbolic.h"

#include <algorithm>
#include <numeric>

namespace placid::symbolic {

namespace {
constexpr size_t kMaxTerms = 32;
constexpr size_t kMaxProducts = 256; // terms while multiplying out
constexpr size_t kMaxDegree = 8;     // atoms in one product
} // namespace

Form Form::constant(int64_t value) {
  Form out;
  if (value != 0) {
    out.terms_[{}] = value;
  }
  return out;
}

Form Form::atom(Atom atom) {
  Form out;
  out.terms_[{atom}] = 1;
  return out;
}

Form Form::unknown() {
  Form out;
  out.known_ = false;
  return out;
}

std::optional<int64_t> Form::asConstant() const {
  if (!known_ || divisor_ != 1 || terms_.size() > 1) {
    return std::nullopt;
  }
  if (terms_.empty()) {
    return 0;
  }
  return terms_.begin()->first.empty() ? std::optional(terms_.begin()->second) : std::nullopt;
}

std::optional<Atom> Form::asAtom() const {
  bool single = known_ && divisor_ == 1 && terms_.size() == 1;
  if (!single || terms_.begin()->second != 1 || terms_.begin()->first.size() != 1) {
    return std::nullopt;
  }
  return terms_.begin()->first.front();
}

void Form::add(const Term &term, int64_t factor) {
  int64_t &slot = terms_[term];
  known_ &= !__builtin_add_overflow(slot, factor, &slot);
  if (slot == 0) {
    terms_.erase(term);
  }
}

/// The smallest divisor; unknown where the form has grown too large.
void Form::settle() {
  known_ &= terms_.size() <= kMaxTerms && std::all_of(terms_.begin(), terms_.end(), [](const auto &entry) {
              return entry.first.size() <= kMaxDegree && entry.second != INT64_MIN;
            });
  if (!known_) {
    *this = unknown();
    return;
  }
  int64_t common = divisor_;
  for (const auto &[term, factor] : terms_) {
    common = std::gcd(common, factor);
  }
  if (common > 1) {
    divisor_ /= common;
    for (auto &[term, factor] : terms_) {
      factor /= common;
    }
  }
}

Form Form::plus(const Form &other) const {
  if (!known_ || !other.known_) {
    return unknown();
  }
  Form out;
  int64_t common = std::gcd(divisor_, other.divisor_);
  int64_t left = other.divisor_ / common;
  int64_t right = divisor_ / common;
  out.known_ = !__builtin_mul_overflow(divisor_, left, &out.divisor_);
  auto addAll = [&](const Form &form, int64_t by) {
    for (const auto &[term, factor] : form.terms_) {
      int64_t scaled = 0;
      out.known_ &= !__builtin_mul_overflow(factor, by, &scaled);
      out.add(term, scaled);
    }
  };
  addAll(*this, left);
  addAll(other, right);
  out.settle();
  return out;
}

Form Form::minus(const Form &other) const { return plus(other.times(constant(-1))); }

Form Form::times(const Form &other) const {
  Form out;
  if (!known_ || !other.known_ || terms_.size() * other.terms_.size() > kMaxProducts) {
    return unknown();
  }
  out.known_ = !__builtin_mul_overflow(divisor_, other.divisor_, &out.divisor_);
  for (const auto &[leftTerm, leftFactor] : terms_) {
    for (const auto &[rightTerm, rightFactor] : other.terms_) {
      Term term(leftTerm.size() + rightTerm.size());
      std::merge(leftTerm.begin(), leftTerm.end(), rightTerm.begin(), rightTerm.end(), term.begin());
      int64_t factor = 0;
      out.known_ &= !__builtin_mul_overflow(leftFactor, rightFactor, &factor);
      out.add(term, factor);
    }
  }
  out.settle();
  return out;
}

Form Form::over(int64_t divisor) const {
  Form out = *this;
  out.known_ &= !__builtin_mul_overflow(divisor_, divisor, &out.divisor_);
  out.settle();
  return out;
}

} // namespace placid::symbolic
