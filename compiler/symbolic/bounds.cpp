// SPDX-License-Identifier: Apache-2.0
// Bounds of forms: atoms are replaced by what bounds them, the one made last first, until a number is left. And the
// search for a round in which a form is above 0 whatever the free numbers are.
#include "compiler/symbolic/symbolic.h"

#include <algorithm>

namespace placid::symbolic {

namespace {

constexpr int kBudget = 400;    // replacements for one bound
constexpr size_t kMaxLoops = 4; // ends of which all combinations are looked at

int64_t floorDivOf(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

Form negated(const Form &form) { return Form().minus(form); }

} // namespace

Form Table::lastRound(Atom loop) {
  Form lower = atoms_[loop].a;
  Form step = Form::constant(atoms_[loop].number);
  Form length = atoms_[loop].b.minus(lower).minus(Form::constant(1));
  return lower.plus(floorDiv(length, step).times(step));
}

std::optional<int64_t> Table::lowestWithin(const Form &form, int &budget) {
  std::optional<int64_t> high = bound(negated(form), budget);
  return high && *high != INT64_MIN ? std::optional(-*high) : std::nullopt;
}

std::optional<int64_t> Table::lowest(const Form &form) {
  int budget = kBudget;
  return lowestWithin(form, budget);
}

std::optional<int64_t> Table::highest(const Form &form) {
  int budget = kBudget;
  return bound(form, budget);
}

/// A number that the form does not pass. Rounding down is right at every leaf, because what is asked for is whole.
std::optional<int64_t> Table::bound(const Form &form, int &budget) {
  if (!form.isKnown() || --budget < 0) {
    return std::nullopt;
  }
  std::optional<Atom> newest;
  for (const auto &[term, factor] : form.terms()) {
    if (!term.empty()) {
      newest = std::max(newest.value_or(0), term.back());
    }
  }
  if (!newest) {
    return form.terms().empty() ? 0 : floorDivOf(form.terms().front().factor, form.divisor());
  }
  // form = (slope * atom + rest) / divisor
  Form slope;
  Form rest;
  for (const auto &[term, factor] : form.terms()) {
    Form part = Form::constant(factor);
    size_t degree = 0;
    for (Atom atom : term) {
      degree += atom == *newest;
      part = atom == *newest ? part : part.times(Form::atom(atom));
    }
    if (degree > 1) {
      return std::nullopt;
    }
    (degree == 1 ? slope : rest) = (degree == 1 ? slope : rest).plus(part);
  }
  bool rises = false;
  if (std::optional<int64_t> number = slope.asConstant()) {
    rises = *number > 0;
  } else if (std::optional<int64_t> low = lowestWithin(slope, budget); low && *low >= 0) {
    rises = true;
  } else if (std::optional<int64_t> high = bound(slope, budget); !high || *high > 0) {
    return std::nullopt;
  }
  std::vector<Form> any; // each bounds the atom
  std::vector<Form> all; // the atom is one of them
  const Definition known = atoms_[*newest];
  auto isNotNegative = [&](const Form &value) {
    std::optional<int64_t> low = lowestWithin(value, budget);
    return low && *low >= 0;
  };
  switch (known.kind) {
  case Kind::Free:
    if (std::optional<int64_t> end = rises ? known.high : known.low) {
      any.push_back(Form::constant(*end));
    }
    break;
  case Kind::Loop:
    any.push_back(rises ? lastRound(*newest) : known.a);
    break;
  case Kind::Mod:
    any.push_back(Form::constant(rises ? known.number - 1 : 0));
    if (rises) {
      // A remainder of what is not negative does not exceed it. The form may have been raised by one modulus.
      for (const Form &value : {known.a, known.a.minus(Form::constant(known.number))}) {
        if (isNotNegative(value)) {
          any.push_back(value);
        }
      }
    }
    break;
  case Kind::Div: {
    std::optional<int64_t> divisor = lowestWithin(known.b, budget);
    if (divisor && *divisor >= 1 && isNotNegative(known.a)) {
      any.push_back(rises ? known.a : Form());
    }
    break;
  }
  case Kind::Negative:
    (rises ? any : all) = {Form(), known.a};
    break;
  }
  std::optional<int64_t> out;
  auto with = [&](const Form &value) { return bound(slope.times(value).plus(rest).over(form.divisor()), budget); };
  for (const Form &value : any) {
    if (std::optional<int64_t> high = with(value)) {
      out = out ? std::min(*out, *high) : *high;
    }
  }
  for (const Form &value : all) {
    std::optional<int64_t> high = with(value);
    if (!high) {
      return std::nullopt;
    }
    out = out ? std::max(*out, *high) : *high;
  }
  return out;
}

/// `form` with `by` for `atom`, also where other atoms are made of it.
Form Table::replace(const Form &form, Atom atom, const Form &by, std::map<Atom, Form> &memo) {
  if (!form.isKnown()) {
    return form;
  }
  auto replaced = [&](Atom inner) -> Form {
    if (inner == atom) {
      return by;
    }
    if (inner < atom || atoms_[inner].kind == Kind::Free) {
      return Form::atom(inner); // made before, so not of it
    }
    if (auto found = memo.find(inner); found != memo.end()) {
      return found->second;
    }
    const Definition known = atoms_[inner];
    Form a = replace(known.a, atom, by, memo);
    Form b = replace(known.b, atom, by, memo);
    Form out = Form::atom(inner);
    if (!(a == known.a) || !(b == known.b)) {
      out = known.kind == Kind::Mod        ? floorMod(a, Form::constant(known.number))
            : known.kind == Kind::Div      ? floorDiv(a, b)
            : known.kind == Kind::Negative ? below(a)
                                           : Form::unknown(); // inner loops are replaced before outer ones
    }
    memo.emplace(inner, out);
    return out;
  };
  Form out;
  for (const auto &[term, factor] : form.terms()) {
    Form part = Form::constant(factor);
    for (Atom inner : term) {
      part = part.times(replaced(inner));
    }
    out = out.plus(part);
  }
  return out.over(form.divisor());
}

/// All atoms that `form` is made of.
void Table::reach(const Form &form, std::vector<bool> &seen) const {
  for (const auto &[term, factor] : form.terms()) {
    for (Atom atom : term) {
      if (!seen[atom]) {
        seen[atom] = true;
        reach(atoms_[atom].a, seen);
        reach(atoms_[atom].b, seen);
      }
    }
  }
}

std::optional<Table::Certainty> Table::surelyPositive(const Form &form, std::span<const Condition> conditions) {
  if (!form.isKnown()) {
    return std::nullopt;
  }
  for (const Condition &condition : conditions) {
    if (std::optional<int64_t> high = highest(condition.value); high && *high < 0) {
      return std::nullopt; // never reached
    }
  }
  // What the form is made of, and the conditions that speak of the same.
  std::vector<bool> seen(atoms_.size());
  reach(form, seen);
  std::vector<Form> notNegative;
  std::vector<bool> taken(conditions.size());
  for (bool grown = true; grown;) {
    grown = false;
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (conditions[i].taken) {
        continue;
      }
      std::vector<bool> own(atoms_.size());
      reach(conditions[i].value, own);
      bool touches = !conditions[i].value.isKnown();
      for (size_t atom = 0; atom < own.size(); ++atom) {
        touches |= own[atom] && seen[atom];
      }
      if (taken[i] || !touches) {
        continue;
      }
      grown = taken[i] = true;
      reach(conditions[i].value, seen);
      notNegative.push_back(conditions[i].value);
    }
  }
  std::vector<Atom> loops;
  for (size_t atom = 0; atom < seen.size(); ++atom) {
    if (!seen[atom] || atoms_[atom].kind != Kind::Loop) {
      continue;
    }
    loops.push_back(static_cast<Atom>(atom));
    Form rounds = atoms_[atom].b.minus(atoms_[atom].a);
    std::vector<bool> bounds(atoms_.size());
    reach(rounds, bounds);
    bool follows = false; // the rounds of another loop
    for (size_t outer = 0; outer < bounds.size(); ++outer) {
      follows |= bounds[outer] && atoms_[outer].kind == Kind::Loop;
    }
    if (follows) {
      notNegative.push_back(rounds.minus(Form::constant(1)));
    } else if (std::optional<int64_t> most = highest(rounds); most && *most <= 0) {
      return std::nullopt; // never a round
    }
  }
  if (loops.size() > kMaxLoops) {
    return std::nullopt;
  }
  std::optional<Certainty> best;
  for (unsigned ends = 0; ends < 1U << loops.size(); ++ends) {
    auto isLast = [&](size_t loop) { return (ends >> loop & 1) != 0; };
    auto settled = [&](Form value) {
      for (size_t loop = loops.size(); loop-- > 0;) { // inner loops were made after outer ones
        std::map<Atom, Form> memo;
        Form round = isLast(loop) ? lastRound(loops[loop]) : atoms_[loops[loop]].a;
        value = replace(value, loops[loop], round, memo);
      }
      return value;
    };
    bool holds = std::all_of(notNegative.begin(), notNegative.end(), [&](const Form &value) {
      std::optional<int64_t> low = lowest(settled(value));
      return low && *low >= 0;
    });
    Form value = settled(form);
    std::optional<int64_t> low = holds ? lowest(value) : std::nullopt;
    if (!low || *low < 1 || (best && best->atLeast >= *low)) {
      continue;
    }
    best = Certainty{*low, value.asConstant().has_value(), {}};
    for (size_t loop = 0; loop < loops.size(); ++loop) {
      best->rounds.push_back({loops[loop], isLast(loop)});
    }
  }
  return best;
}

} // namespace placid::symbolic
