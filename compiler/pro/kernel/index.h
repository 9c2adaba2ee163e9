// SPDX-License-Identifier: Apache-2.0
// Numbers that change from round to round of the loops around a statement, as expressions over these loops: every value
// one may have, and one round in which it is at fault. Shares the strided intervals of the first dialect; expressions
// are values here, because this dialect makes no IR. Silent about what is not known. One thread.
#pragma once

#include "compiler/dialect/pl/analysis/index_range.h"
#include "compiler/evaluator/value.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace placid::pro {

struct IndexNode;
/// Null: not known. Immutable, shared.
using Index = std::shared_ptr<const IndexNode>;

struct IndexNode {
  enum class Kind : uint8_t {
    Constant,
    Loop,   ///< constant: the number of the loop
    Symbol, ///< A number of run time, by `symbol`.
    Add,
    Sub,
    Mul,
    FloorDiv,
    FloorMod,
    Min,
    Max,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    And,
    Or,
    Not,
  };
  /// What a number of run time is.
  enum class Origin : uint8_t {
    None,
    Extent,     ///< Of the tensor parameter `first`, axis `second`.
    Parameter,  ///< The scalar parameter `first`.
    BlockIndex, ///< Of this core.
    BlockCount,
    Variable, ///< Number `constant` of those that loops and branches give their values; each is given once.
    Subblock, ///< Of this vector core in its pair.
  };
  Kind kind = Kind::Constant;
  Origin symbol = Origin::None;
  uint16_t first = 0;
  uint16_t second = 0;
  int64_t constant = 0;
  Index a;
  Index b;
  std::optional<pl::IndexRange> range; ///< Holds every value; truth values have none.
  unsigned size = 1;                   ///< Nodes, shared ones counted each time.
  bool traceOnly = false;              ///< A trace knows it, and rules, which are the same without, do not judge it.
};

Index constantIndex(int64_t value);
Index symbolIndex(IndexNode::Origin origin, size_t first = 0, size_t second = 0);
Index variableIndex(int64_t number);
/// The same number, for a trace only.
Index ofTrace(const Index &index);
/// True where both surely have one value.
bool sameIndex(const Index &a, const Index &b);
/// Null when an operand is, or when the expression gets too large.
Index makeIndex(IndexNode::Kind kind, const Index &a, const Index &b = nullptr);
/// Of Python's operators: "+", "//", "<", "and", …; null for one that is not followed.
Index makeIndex(std::string_view op, const Index &a, const Index &b);

/// The loops and conditions around the current statement.
class Loops {
public:
  /// Enters a loop `for name in range(first, end, step)` and returns its variable, null where a bound is not known.
  Index enter(std::string name, Index first, Index end, Index step, py::Place at);
  /// Enters something whose rounds, or whether it runs, nobody knows: nothing inside it is judged.
  void enterUnknown();
  void leave() { levels_.pop_back(); }
  bool inside() const { return !levels_.empty(); }

  /// A condition; it matters inside of loops only, where it may choose rounds. Null: not known.
  void guard(Index condition, bool expected) {
    bool judged = condition && !condition->traceOnly;
    guards_.push_back({judged ? std::move(condition) : nullptr, expected, levels_.size()});
  }
  void unguard() { guards_.pop_back(); }

  struct Witness {
    int64_t value = 0;
    std::string round; ///< "`i = 7`, `k = 0`": the loops that matter, outermost first.
    py::Place loop;    ///< The innermost of these.
  };
  /// The largest value in the rounds looked at, when that is above `limit`. Rounds count only when they run whenever
  /// the code around the loops does. All of them are looked at where there are few, else the first and last ones.
  std::optional<Witness> above(const Index &index, int64_t limit) const;
  std::optional<Witness> below(const Index &index, int64_t limit) const;
  /// The first round in which the value is no multiple of `factor`.
  std::optional<Witness> unaligned(const Index &index, int64_t factor) const;

private:
  struct Level {
    int64_t number = 0;
    std::string name;
    Index first;
    Index end;
    Index step;
    py::Place at;
    bool known = false;  ///< Its rounds are.
    bool opaque = false; ///< Of enterUnknown.
  };
  struct Guard {
    Index condition;
    bool expected = true;
    size_t depth = 0; ///< Levels around it.
  };
  using Point = std::map<int64_t, int64_t>; ///< Loop to the value of its variable.
  struct Search;

  static std::optional<int64_t> evaluate(const IndexNode &node, const Point &point);
  void collect(const IndexNode &node, std::vector<bool> &needed) const;
  std::optional<std::vector<bool>> neededLevels(const IndexNode &node) const;
  bool visit(Search &search, size_t level) const;
  std::optional<Witness> search(const Index &index,
                                const std::function<bool(int64_t value, const std::optional<int64_t> &best)> &worse,
                                bool first) const;

  std::vector<Level> levels_;
  std::vector<Guard> guards_;
  int64_t next_ = 0;
};

} // namespace placid::pro
