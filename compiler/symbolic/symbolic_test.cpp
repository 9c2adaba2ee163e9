// SPDX-License-Identifier: Apache-2.0
// Forms against every value of small numbers: what random expressions are, what bounds say, and what surely goes wrong.
#include "compiler/symbolic/symbolic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

namespace placid::symbolic {
namespace {

constexpr int64_t kLargest = 7; // of the free numbers, which begin at 1

int64_t floorDivOf(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

Form number(int64_t value) { return Form::constant(value); }

class SymbolicTest : public testing::Test {
protected:
  SymbolicTest() : n_(table_.free(1, std::nullopt)), m_(table_.free(1, std::nullopt)) {}

  std::optional<int64_t> difference(const Form &a, const Form &b) { return a.minus(b).asConstant(); }

  Table table_;
  Form n_;
  Form m_;
};

TEST_F(SymbolicTest, OneFormForOneValue) {
  Form c16 = number(16);
  EXPECT_EQ(table_.floorDiv(n_.times(m_), m_), n_);
  EXPECT_EQ(table_.floorDiv(n_.times(c16), c16), n_);
  EXPECT_EQ(table_.floorDiv(n_.times(m_).plus(m_).minus(number(1)), m_), n_) << "ceil-div of a multiple";
  EXPECT_EQ(table_.ceilDiv(n_.times(c16), c16), n_);
  EXPECT_EQ(table_.floorMod(n_.times(c16).plus(number(3)), c16), number(3));
  EXPECT_EQ(table_.floorDiv(table_.floorDiv(n_, c16), number(4)), table_.floorDiv(n_, number(64)));
  EXPECT_EQ(table_.floorMod(table_.floorMod(n_, c16), number(64)), table_.floorMod(n_, c16));
  EXPECT_EQ(table_.floorDiv(n_, c16).times(c16).plus(table_.floorMod(n_, c16)), n_);
  EXPECT_EQ(table_.ceilDiv(n_, c16), table_.floorDiv(n_.plus(number(15)), c16));
  EXPECT_EQ(table_.min(n_, m_), table_.min(m_, n_));
  EXPECT_EQ(table_.min(n_, m_).plus(table_.max(n_, m_)), n_.plus(m_));
  EXPECT_EQ(table_.max(n_, number(0)), n_);
  EXPECT_EQ(table_.min(n_.plus(c16), n_), n_);
  EXPECT_EQ(table_.floorMod(n_, m_).plus(table_.floorDiv(n_, m_).times(m_)), n_);
}

TEST_F(SymbolicTest, DifferencesOfSlices) {
  Form base = n_.times(number(64));
  EXPECT_EQ(difference(base.plus(number(64)), base), 64);
  EXPECT_EQ(difference(n_.plus(number(1)).times(number(64)), base), 64);
  EXPECT_EQ(difference(n_, m_), std::nullopt);
  EXPECT_EQ(difference(n_.times(number(2)), n_), std::nullopt);
}

TEST_F(SymbolicTest, Bounds) {
  Form up = table_.ceilDiv(n_, number(16)).times(number(16));
  EXPECT_EQ(table_.lowest(up.minus(n_)), 0);
  EXPECT_EQ(table_.highest(up.minus(n_)), 15);
  Form down = table_.floorDiv(n_, number(16)).times(number(16));
  EXPECT_EQ(table_.lowest(down), 0);
  EXPECT_EQ(table_.highest(down.minus(n_)), 0);
  EXPECT_EQ(table_.highest(n_), std::nullopt);
  Form i = table_.loop(number(0), n_, 16);
  EXPECT_EQ(table_.highest(i.minus(n_)), -1);
  EXPECT_EQ(table_.highest(i.plus(table_.min(number(16), n_.minus(i))).minus(n_)), 0);
  EXPECT_EQ(table_.lowest(table_.min(number(16), n_.minus(i))), 1);
}

TEST_F(SymbolicTest, SurelyPositive) {
  Form one = number(1);
  Form c16 = number(16);
  // One round too many.
  Form i = table_.loop(number(0), table_.floorDiv(n_, c16).plus(one), 1);
  std::optional<Table::Certainty> past = table_.surelyPositive(i.times(c16).plus(c16).minus(n_), {});
  ASSERT_TRUE(past);
  EXPECT_EQ(past->atLeast, 1);
  EXPECT_FALSE(past->exact);
  ASSERT_EQ(past->rounds.size(), 1U);
  EXPECT_TRUE(past->rounds[0].last);
  // The last whole group, or a partial one: a matter of n.
  Form j = table_.loop(number(0), table_.floorDiv(n_, c16), 1);
  EXPECT_FALSE(table_.surelyPositive(j.times(c16).plus(c16).minus(n_), {}));
  Form k = table_.loop(number(0), table_.ceilDiv(n_, c16), 1);
  EXPECT_FALSE(table_.surelyPositive(k.times(c16).plus(c16).minus(n_), {}));
  // A window one longer than the step.
  Form s = table_.loop(number(0), n_, 16);
  EXPECT_TRUE(table_.surelyPositive(s.plus(number(17)).minus(n_), {}));
  // A condition that keeps it inside, and one that does not.
  std::vector<Condition> inside{{n_.minus(s.plus(number(17)))}};
  EXPECT_FALSE(table_.surelyPositive(s.plus(number(17)).minus(n_), inside));
  std::vector<Condition> always{{n_.minus(s).minus(one)}};
  EXPECT_TRUE(table_.surelyPositive(s.plus(number(17)).minus(n_), always));
  std::vector<Condition> unknown{{Form::unknown()}};
  EXPECT_FALSE(table_.surelyPositive(s.plus(number(17)).minus(n_), unknown));
  // A loop that may have no round goes wrong when it has one; one that never has does not.
  Form l = table_.loop(number(0), table_.floorDiv(n_, c16), 1);
  EXPECT_TRUE(table_.surelyPositive(l.times(c16).plus(number(48)).minus(n_), {}));
  Form never = table_.loop(n_, n_, 1);
  EXPECT_FALSE(table_.surelyPositive(never.plus(one), {}));
  // A loop that has no round in the first round of the one around it.
  Form outer = table_.loop(number(0), n_, 1);
  Form inner = table_.loop(number(0), outer, 1);
  EXPECT_FALSE(table_.surelyPositive(one.minus(outer).plus(inner), {}));
}

TEST_F(SymbolicTest, WhatNeverRunsIsNotSurelyWrong) {
  // Conditions and loops that have nothing to do with the form count where they never hold.
  std::vector<Condition> small{{number(0).minus(m_)}};
  EXPECT_FALSE(table_.surelyPositive(n_, small));
  std::vector<Condition> noRounds{{number(-1), true}};
  EXPECT_FALSE(table_.surelyPositive(n_, noRounds));
  std::vector<Condition> perhapsRounds{{n_.minus(number(17)), true}};
  EXPECT_TRUE(table_.surelyPositive(n_, perhapsRounds));
  std::vector<Condition> perhaps{{n_.minus(number(17))}};
  EXPECT_FALSE(table_.surelyPositive(n_, perhaps));
}

TEST_F(SymbolicTest, ManyRemaindersAreFewSteps) {
  Form sum = n_;
  for (int i = 0; i < 16; ++i) { // each is tried within each other one: 16! without a limit
    sum = sum.minus(table_.floorMod(table_.free(std::nullopt, std::nullopt), number(16)));
  }
  EXPECT_TRUE(table_.floorDiv(sum, number(16)).isKnown());
}

TEST_F(SymbolicTest, WhatIsTooLargeIsUnknown) {
  EXPECT_FALSE(number(INT64_MAX).plus(number(1)).isKnown());
  EXPECT_FALSE(number(INT64_MAX).times(number(2)).isKnown());
  EXPECT_FALSE(Form().minus(number(INT64_MIN)).isKnown());
  EXPECT_FALSE(table_.floorDiv(n_, number(0)).isKnown());
  Form product = n_;
  for (int i = 0; i < 60; ++i) {
    product = product.times(product.plus(m_));
  }
  EXPECT_FALSE(product.isKnown());
}

//===-- Random expressions ----------------------------------------------------------------------------------------===//

/// A form, and the same computed with numbers; values are n, m, i, j.
struct Sample {
  Form form;
  std::function<std::optional<int64_t>(const std::vector<int64_t> &)> value;
};

class Samples {
public:
  explicit Samples(unsigned seed) : random_(seed) {
    for (int free = 0; free < 2; ++free) {
      add(table.free(1, std::nullopt));
    }
    for (int level = 0; level < 2; ++level) {
      Sample lower = expression(pick(2));
      Sample upper = expression(2);
      int64_t step = 1 + pick(2) * pick(3);
      lowers.push_back(lower);
      uppers.push_back(upper);
      steps.push_back(step);
      add(table.loop(lower.form, upper.form, step));
    }
  }

  int64_t pick(int64_t below) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(below)); }

  Sample expression(int64_t depth) {
    if (depth == 0 || pick(5) == 0) {
      if (pick(3) == 0) {
        int64_t value = pick(9) - 2;
        return {number(value), [value](const std::vector<int64_t> &) { return value; }};
      }
      size_t which = static_cast<size_t>(pick(static_cast<int64_t>(variables.size())));
      return {variables[which], [which](const std::vector<int64_t> &at) { return at[which]; }};
    }
    Sample a = expression(depth - 1);
    Sample b = expression(depth - 1);
    int64_t op = pick(8);
    if (op >= 3 && op <= 5 && pick(4) != 0) {
      int64_t value = 1 + pick(5);
      b = {number(value), [value](const std::vector<int64_t> &) { return value; }};
    }
    Form form = op == 0   ? a.form.plus(b.form)
                : op == 1 ? a.form.minus(b.form)
                : op == 2 ? a.form.times(b.form)
                : op == 3 ? table.floorDiv(a.form, b.form)
                : op == 4 ? table.ceilDiv(a.form, b.form)
                : op == 5 ? table.floorMod(a.form, b.form)
                : op == 6 ? table.min(a.form, b.form)
                          : table.max(a.form, b.form);
    return {form, [op, a, b](const std::vector<int64_t> &at) -> std::optional<int64_t> {
              std::optional<int64_t> x = a.value(at);
              std::optional<int64_t> y = b.value(at);
              if (!x || !y || (op >= 3 && op <= 5 && *y == 0)) {
                return std::nullopt;
              }
              switch (op) {
              case 0:
                return *x + *y;
              case 1:
                return *x - *y;
              case 2:
                return *x * *y;
              case 3:
                return floorDivOf(*x, *y);
              case 4:
                return -floorDivOf(-*x, *y);
              case 5:
                return *x - floorDivOf(*x, *y) * *y;
              case 6:
                return std::min(*x, *y);
              default:
                return std::max(*x, *y);
              }
            }};
  }

  /// All values of n and m, then all rounds of i and j under them.
  void each(const std::function<void(const std::vector<int64_t> &)> &visit, std::vector<int64_t> at = {}) {
    size_t depth = at.size();
    if (depth == variables.size()) {
      visit(at);
      return;
    }
    int64_t first = 1;
    int64_t last = kLargest;
    int64_t step = 1;
    if (depth >= 2) {
      std::optional<int64_t> lower = lowers[depth - 2].value(at);
      std::optional<int64_t> upper = uppers[depth - 2].value(at);
      if (!lower || !upper) {
        undefined = true; // a division by 0
        return;
      }
      first = *lower;
      last = *upper - 1;
      step = steps[depth - 2];
    }
    for (int64_t value = first; value <= last && value < first + 200; value += step) {
      at.push_back(value);
      each(visit, at);
      at.pop_back();
    }
  }

  std::map<Atom, int64_t> assignment(const std::vector<int64_t> &at) const {
    std::map<Atom, int64_t> out;
    for (size_t i = 0; i < at.size(); ++i) {
      if (std::optional<Atom> atom = variables[i].asAtom()) {
        out[*atom] = at[i];
      }
    }
    return out;
  }

  Table table;
  std::vector<Form> variables;
  std::vector<Sample> lowers, uppers;
  std::vector<int64_t> steps;
  bool undefined = false;

private:
  void add(Form form) { variables.push_back(std::move(form)); }
  std::mt19937_64 random_;
};

TEST(SymbolicProperties, FormsHaveTheValueOfTheirExpressions) {
  int compared = 0;
  int bounded = 0;
  for (unsigned seed = 0; seed < 800; ++seed) {
    Samples samples(seed);
    Sample sample = samples.expression(3);
    std::optional<int64_t> low = samples.table.lowest(sample.form);
    std::optional<int64_t> high = samples.table.highest(sample.form);
    bounded += low || high;
    bool failed = false;
    samples.each([&](const std::vector<int64_t> &at) {
      std::optional<int64_t> expected = sample.value(at);
      if (!expected || failed) {
        return;
      }
      if (std::optional<int64_t> value = samples.table.evaluate(sample.form, samples.assignment(at))) {
        ++compared;
        failed |= value != expected;
        EXPECT_EQ(value, expected) << "seed " << seed;
      }
      failed |= (low && *expected < *low) || (high && *expected > *high);
      EXPECT_TRUE(!low || *expected >= *low) << "seed " << seed << ": " << *expected << " below " << *low;
      EXPECT_TRUE(!high || *expected <= *high) << "seed " << seed << ": " << *expected << " above " << *high;
    });
  }
  EXPECT_GT(compared, 10'000) << "most forms are known";
  EXPECT_GT(bounded, 300) << "many forms are bounded";
}

TEST(SymbolicProperties, WhatIsSureHappens) {
  int sure = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Samples samples(seed);
    Sample sample = samples.expression(2);
    std::vector<Condition> conditions;
    std::vector<Sample> guards;
    if (samples.pick(3) == 0) {
      guards.push_back(samples.expression(1));
      conditions.push_back({guards.back().form});
    }
    std::optional<Table::Certainty> certainty = samples.table.surelyPositive(sample.form, conditions);
    if (!certainty || certainty->rounds.size() < 2) {
      continue; // a loop that does not matter may have no round, and then there is nothing to see
    }
    ++sure;
    std::map<std::pair<int64_t, int64_t>, int64_t> greatest; // by n and m
    for (int64_t n = 1; n <= kLargest; ++n) {
      for (int64_t m = 1; m <= kLargest; ++m) {
        greatest[{n, m}] = INT64_MIN;
      }
    }
    samples.each([&](const std::vector<int64_t> &at) {
      bool holds = std::all_of(guards.begin(), guards.end(), [&](const Sample &guard) {
        std::optional<int64_t> value = guard.value(at);
        return value && *value >= 0;
      });
      std::optional<int64_t> value = sample.value(at);
      if (value && holds) {
        int64_t &slot = greatest[{at[0], at[1]}];
        slot = std::max(slot, *value);
      }
    });
    for (const auto &[free, value] : samples.undefined ? decltype(greatest)() : greatest) {
      bool runs =
          value != INT64_MIN; // loops without rounds, or a condition on something else, may keep it from running
      EXPECT_TRUE(!runs || value >= certainty->atLeast)
          << "seed " << seed << ", n = " << free.first << ", m = " << free.second;
    }
  }
  EXPECT_GT(sure, 10) << "some things are sure";
}

} // namespace
} // namespace placid::symbolic
