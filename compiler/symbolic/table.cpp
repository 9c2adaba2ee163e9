// SPDX-License-Identifier: Apache-2.0
// What atoms are made of: quotients, remainders and least values, each in the one form that its value has.
#include "compiler/symbolic/symbolic.h"

#include <algorithm>

namespace placid::symbolic {

namespace {

constexpr size_t kMaxAtoms = 512;
constexpr unsigned kMaxGroups = 2; // remainders taken out within each other: each tries all that are left

int64_t floorModOf(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

} // namespace

Form Table::make(Definition definition) {
  if (!definition.a.isKnown() || !definition.b.isKnown() || atoms_.size() >= kMaxAtoms) {
    return Form::unknown();
  }
  if (definition.kind != Kind::Free && definition.kind != Kind::Loop) {
    for (size_t i = 0; i < atoms_.size(); ++i) {
      const Definition &other = atoms_[i];
      if (other.kind == definition.kind && other.number == definition.number && other.a == definition.a &&
          other.b == definition.b) {
        return Form::atom(static_cast<Atom>(i));
      }
    }
  }
  atoms_.push_back(std::move(definition));
  return Form::atom(static_cast<Atom>(atoms_.size() - 1));
}

Form Table::free(std::optional<int64_t> low, std::optional<int64_t> high) {
  Definition out;
  out.low = low;
  out.high = high;
  return make(std::move(out));
}

Form Table::loop(const Form &lower, const Form &upper, int64_t step) {
  Definition out;
  out.kind = Kind::Loop;
  out.a = lower;
  out.b = upper;
  out.number = step;
  return step > 0 ? make(std::move(out)) : Form::unknown();
}

Form Table::floorMod(const Form &a, const Form &b) {
  std::optional<int64_t> modulus = b.asConstant();
  if (!a.isKnown() || !b.isKnown() || modulus == 0) {
    return Form::unknown();
  }
  if (!modulus) {
    return a.minus(b.times(floorDiv(a, b)));
  }
  if (*modulus < 0) { // Python: the rest has the sign of the divisor
    Form zero = Form::constant(0);
    return zero.minus(floorMod(zero.minus(a), zero.minus(b)));
  }
  if (*modulus == 1) {
    return Form();
  }
  if (a.divisor() != 1) {
    // (n / d) % m is (n % (d * m)) / d, as n is a multiple of d.
    int64_t all = 0;
    if (__builtin_mul_overflow(a.divisor(), *modulus, &all)) {
      return Form::unknown();
    }
    return floorMod(a.times(Form::constant(a.divisor())), Form::constant(all)).over(a.divisor());
  }
  Form reduced;
  for (const auto &[term, factor] : a.terms()) {
    Form part = Form::constant(floorModOf(factor, *modulus));
    for (Atom atom : term) {
      part = part.times(Form::atom(atom));
    }
    reduced = reduced.plus(part);
  }
  if (std::optional<int64_t> number = reduced.asConstant()) {
    return Form::constant(floorModOf(*number, *modulus));
  }
  // (x - x % k) % m is x % m - x % k where k divides m: whole groups of k within a group of m.
  for (const auto &[term, factor] : reduced.terms()) {
    if (groups_ >= kMaxGroups) {
      break;
    }
    if (term.size() != 1 || factor != *modulus - 1 || atoms_[term.front()].kind != Kind::Mod) {
      continue;
    }
    Form rest = Form::atom(term.front());
    int64_t group = atoms_[term.front()].number;
    Form whole = a.plus(rest);
    const size_t made = atoms_.size();
    ++groups_;
    bool fits = *modulus % group == 0 && floorMod(whole, Form::constant(group)) == rest;
    Form out = fits ? floorMod(whole, b).minus(rest) : Form();
    --groups_;
    if (fits) {
      return out;
    }
    atoms_.resize(made); // nobody has seen what a vain try made
  }
  // What is a remainder of less already stays what it is.
  if (std::optional<Atom> only = reduced.asAtom()) {
    const Definition &known = atoms_[*only];
    bool small = known.kind == Kind::Mod ? known.number <= *modulus
                                         : known.low && known.high && *known.low >= 0 && *known.high < *modulus;
    if (known.kind != Kind::Loop && small) {
      return reduced;
    }
  }
  // Of a and -a - 1, whose remainders add up to m - 1, the one with the smaller factor.
  if (int64_t factor = reduced.terms().back().factor; factor > *modulus - factor) {
    return Form::constant(*modulus - 1).minus(floorMod(Form::constant(-1).minus(reduced), b));
  }
  Definition out;
  out.kind = Kind::Mod;
  out.a = reduced;
  out.number = *modulus;
  return make(std::move(out));
}

Form Table::floorDiv(const Form &a, const Form &b) {
  std::optional<int64_t> divisor = b.asConstant();
  if (!a.isKnown() || !b.isKnown() || divisor == 0) {
    return Form::unknown();
  }
  if (!divisor) {
    return divideByForm(a, b);
  }
  if (*divisor < 0) {
    Form zero = Form::constant(0);
    return floorDiv(zero.minus(a), zero.minus(b));
  }
  return a.minus(floorMod(a, b)).over(*divisor);
}

Form Table::ceilDiv(const Form &a, const Form &b) {
  Form zero = Form::constant(0);
  return zero.minus(floorDiv(zero.minus(a), b));
}

/// What `b` divides, and what is left where that is surely less than `b`.
Form Table::divideByForm(const Form &a, const Form &b) {
  Form whole;
  Form rest = a;
  bool divides = a.divisor() == 1 && b.divisor() == 1 && b.terms().size() == 1;
  if (divides) {
    const auto &[factors, scale] = b.terms().front();
    rest = Form();
    auto formOf = [](const Term &term, int64_t factor) {
      Form part = Form::constant(factor);
      for (Atom atom : term) {
        part = part.times(Form::atom(atom));
      }
      return part;
    };
    for (const auto &[term, factor] : a.terms()) {
      std::optional<Term> left = term.without(factors);
      if (left && factor % scale == 0) {
        whole = whole.plus(formOf(*left, factor / scale));
      } else {
        rest = rest.plus(formOf(term, factor));
      }
    }
  } else if (a == b) {
    return Form::constant(1);
  }
  if (rest.isKnown() && rest == Form()) {
    return whole;
  }
  Form zero = Form::constant(0);
  auto atLeast = [&](const Form &form, int64_t number) {
    std::optional<int64_t> low = lowest(form);
    return low && *low >= number;
  };
  if (atLeast(b, 1)) {
    if (atLeast(rest, 0) && atLeast(b.minus(rest), 1)) {
      return whole;
    }
    if (atLeast(zero.minus(rest), 1) && atLeast(b.plus(rest), 0)) {
      return whole.minus(Form::constant(1));
    }
  }
  Definition out;
  out.kind = Kind::Div;
  out.a = rest;
  out.b = b;
  return whole.plus(make(std::move(out)));
}

/// min(form, 0), written with the sign that makes the first factor positive.
Form Table::below(const Form &form) {
  if (std::optional<int64_t> number = form.asConstant()) {
    return Form::constant(std::min<int64_t>(*number, 0));
  }
  if (std::optional<int64_t> high = highest(form); high && *high <= 0) {
    return form;
  }
  if (std::optional<int64_t> low = lowest(form); low && *low >= 0) {
    return Form();
  }
  if (form.isKnown() && form.terms().back().factor < 0) {
    return form.plus(below(Form().minus(form)));
  }
  Definition out;
  out.kind = Kind::Negative;
  out.a = form;
  return make(std::move(out));
}

Form Table::min(const Form &a, const Form &b) { return b.plus(below(a.minus(b))); }

Form Table::max(const Form &a, const Form &b) { return a.minus(below(a.minus(b))); }

std::optional<int64_t> Table::evaluate(const Form &form, const std::map<Atom, int64_t> &values) const {
  if (!form.isKnown()) {
    return std::nullopt;
  }
  auto valueOf = [&](Atom atom) -> std::optional<int64_t> {
    const Definition &definition = atoms_[atom];
    if (definition.kind == Kind::Free || definition.kind == Kind::Loop) {
      auto found = values.find(atom);
      return found == values.end() ? std::nullopt : std::optional(found->second);
    }
    std::optional<int64_t> a = evaluate(definition.a, values);
    std::optional<int64_t> b = evaluate(definition.b, values);
    if (!a || !b) {
      return std::nullopt;
    }
    switch (definition.kind) {
    case Kind::Mod:
      return floorModOf(*a, definition.number);
    case Kind::Div:
      return *b == 0 ? std::nullopt : std::optional((*a - floorModOf(*a, *b)) / *b);
    default:
      return std::min<int64_t>(*a, 0);
    }
  };
  int64_t sum = 0;
  for (const auto &[term, factor] : form.terms()) {
    int64_t product = factor;
    for (Atom atom : term) {
      std::optional<int64_t> value = valueOf(atom);
      if (!value || __builtin_mul_overflow(product, *value, &product)) {
        return std::nullopt;
      }
    }
    if (__builtin_add_overflow(sum, product, &sum)) {
      return std::nullopt;
    }
  }
  return sum % form.divisor() == 0 ? std::optional(sum / form.divisor()) : std::nullopt;
}

} // namespace placid::symbolic
