// SPDX-License-Identifier: Apache-2.0
// Sums of products with one divisor. Apart from the table, which knows what the atoms are.
#include "compiler/symbolic/symbolic.h"

#include <algorithm>
#include <numeric>

namespace placid::symbolic {

namespace {
constexpr size_t kMaxTerms = 32;
constexpr size_t kMaxProducts = 256; // terms while multiplying out
} // namespace

std::optional<Term> Term::product(const Term &a, const Term &b) {
  if (a.size_ + b.size_ > kMaxDegree) {
    return std::nullopt;
  }
  Term out;
  out.size_ = a.size_ + b.size_;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), out.atoms_.begin());
  return out;
}

std::optional<Term> Term::without(const Term &other) const {
  if (!std::includes(begin(), end(), other.begin(), other.end())) {
    return std::nullopt;
  }
  Term out;
  out.size_ = size_ - other.size_;
  std::set_difference(begin(), end(), other.begin(), other.end(), out.atoms_.begin());
  return out;
}

Form Form::constant(int64_t value) {
  Form out;
  if (value != 0) {
    out.terms_.push_back({Term(), value});
  }
  return out;
}

Form Form::atom(Atom atom) {
  Form out;
  out.terms_.push_back({Term(atom), 1});
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
  return terms_.front().term.empty() ? std::optional(terms_.front().factor) : std::nullopt;
}

std::optional<Atom> Form::asAtom() const {
  bool single = known_ && divisor_ == 1 && terms_.size() == 1;
  if (!single || terms_.front().factor != 1 || terms_.front().term.size() != 1) {
    return std::nullopt;
  }
  return terms_.front().term.front();
}

void Form::add(const Term &term, int64_t factor) {
  auto place = std::lower_bound(terms_.begin(), terms_.end(), term,
                                [](const Summand &known, const Term &wanted) { return known.term < wanted; });
  if (place == terms_.end() || !(place->term == term)) {
    if (factor != 0) {
      terms_.insert(place, {term, factor});
    }
    return;
  }
  known_ &= !__builtin_add_overflow(place->factor, factor, &place->factor);
  if (place->factor == 0) {
    terms_.erase(place);
  }
}

/// The smallest divisor; unknown where the form has grown too large.
void Form::settle() {
  known_ &= terms_.size() <= kMaxTerms &&
            std::all_of(terms_.begin(), terms_.end(), [](const Summand &known) { return known.factor != INT64_MIN; });
  if (!known_) {
    *this = unknown();
    return;
  }
  int64_t common = divisor_;
  if (common == 1) {
    return;
  }
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
      std::optional<Term> term = Term::product(leftTerm, rightTerm);
      if (!term) {
        return unknown();
      }
      int64_t factor = 0;
      out.known_ &= !__builtin_mul_overflow(leftFactor, rightFactor, &factor);
      out.add(*term, factor);
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
