// SPDX-License-Identifier: Apache-2.0
// Whole numbers that are not known as sums of products: extents that a run decides, loop variables, their remainders
// and least values. Two expressions of one value have one form, so `a * b // b` is `a`, and `(n + 15) // 16 * 16 - n`
// is seen to be between 0 and 15. The one place for such arithmetic: extents of slices and bounds of windows both ask
// here. Knows no IR and no Python. What grows too large becomes unknown, never wrong. A table belongs to one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace placid::symbolic {

/// Something that a form does not look into; a number of the table that made it. Made later means a larger number, and
/// what an atom is defined by was made before it.
using Atom = unsigned;

/// A product of atoms, sorted; the empty one is 1. Held in place: forms are made for every slice of a program.
class Term {
public:
  static constexpr size_t kMaxDegree = 8;

  Term() = default;
  explicit Term(Atom atom) : atoms_{atom}, size_(1) {}
  /// nullopt: too many atoms.
  static std::optional<Term> product(const Term &a, const Term &b);
  /// Without the atoms of `other`, each as often as it is there; nullopt when one is not in here.
  std::optional<Term> without(const Term &other) const;

  const Atom *begin() const { return atoms_.data(); }
  const Atom *end() const { return atoms_.data() + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Atom front() const { return atoms_[0]; }
  Atom back() const { return atoms_[size_ - 1]; }
  bool operator==(const Term &other) const { return std::equal(begin(), end(), other.begin(), other.end()); }
  bool operator<(const Term &other) const {
    return std::lexicographical_compare(begin(), end(), other.begin(), other.end());
  }

private:
  std::array<Atom, kMaxDegree> atoms_{};
  size_t size_ = 0;
};

struct Summand {
  Term term;
  int64_t factor = 0;
  bool operator==(const Summand &) const = default;
};

/// (sum of factor * product of atoms) / divisor. Whole although it divides: `n // 16` is `(n - n % 16) / 16`.
class Form {
public:
  static Form constant(int64_t value);
  static Form atom(Atom atom);
  static Form unknown();

  bool isKnown() const { return known_; }
  std::optional<int64_t> asConstant() const;
  std::optional<Atom> asAtom() const;
  const std::vector<Summand> &terms() const { return terms_; } ///< By term; the constant first.
  int64_t divisor() const { return divisor_; }

  Form plus(const Form &other) const;
  Form minus(const Form &other) const;
  Form times(const Form &other) const;
  /// Divided without a rest that could be seen; `divisor` > 0.
  Form over(int64_t divisor) const;
  bool operator==(const Form &) const = default;

private:
  void add(const Term &term, int64_t factor);
  void settle();

  std::vector<Summand> terms_;
  int64_t divisor_ = 1;
  bool known_ = true;
};

/// One side of a comparison: `value` >= 0 holds.
struct Condition {
  Form value;
  bool taken = false; ///< Taken to hold unless it never can: that a loop has rounds.
};

/// What the atoms are, and what can be said of forms of them.
class Table {
public:
  /// A number of its own, with the bounds that are known.
  Form free(std::optional<int64_t> low, std::optional<int64_t> high);
  /// The variable of a loop: `lower`, `lower + step`, … below `upper`. A loop of its own each time. `step` > 0.
  Form loop(const Form &lower, const Form &upper, int64_t step);

  /// Division rounds toward negative infinity, as Python's and PL's. By 0: unknown.
  Form floorDiv(const Form &a, const Form &b);
  Form ceilDiv(const Form &a, const Form &b);
  Form floorMod(const Form &a, const Form &b);
  Form min(const Form &a, const Form &b);
  Form max(const Form &a, const Form &b);

  /// A number that no value of the form passes; loops are taken to have a round. nullopt when none is known.
  std::optional<int64_t> lowest(const Form &form);
  std::optional<int64_t> highest(const Form &form);

  /// One round of each loop that matters, and how far the form is above 0 in it, whatever the free numbers are.
  struct Certainty {
    int64_t atLeast = 0;
    bool exact = false; ///< It is `atLeast` whatever the free numbers are.
    struct Round {
      Atom loop;
      bool last; ///< Otherwise the first one.
    };
    std::vector<Round> rounds; ///< Outermost first.
  };
  /// Whether the form surely is above 0 in some round of the loops in it, whenever these have rounds at all, and where
  /// the conditions that have to do with the form hold. nullopt: it is not, or it cannot be told.
  std::optional<Certainty> surelyPositive(const Form &form, std::span<const Condition> conditions);

  /// The value for given values of the free numbers and loop variables; nullopt where one is missing.
  std::optional<int64_t> evaluate(const Form &form, const std::map<Atom, int64_t> &values) const;
  /// True for the atom of a loop.
  bool isLoop(Atom atom) const { return atoms_[atom].kind == Kind::Loop; }

private:
  enum class Kind : uint8_t {
    Free,
    Loop,    ///< a: lower, b: upper, number: step
    Mod,     ///< a mod number
    Div,     ///< a // b, b no number
    Negative ///< min(a, 0)
  };
  struct Definition {
    Kind kind = Kind::Free;
    Form a, b;
    int64_t number = 0;
    std::optional<int64_t> low, high;
  };

  Form make(Definition definition);
  Form divideByForm(const Form &a, const Form &b);
  Form below(const Form &form);
  std::optional<int64_t> bound(const Form &form, int &budget);
  std::optional<int64_t> lowestWithin(const Form &form, int &budget);
  Form replace(const Form &form, Atom atom, const Form &by, std::map<Atom, Form> &memo);
  Form lastRound(Atom loop);
  void reach(const Form &form, std::vector<bool> &seen) const;

  std::vector<Definition> atoms_;
  unsigned groups_ = 0; ///< Remainders that are taken out of a form around this.
};

} // namespace placid::symbolic
