// SPDX-License-Identifier: Apache-2.0
// IterationSpace::worst: going through iterations for one that is at fault, and saying which it is. Apart from the
// space itself, which knows how values are computed; here is only which ones are asked for.
#include "compiler/dialect/pl/analysis/iteration_space.h"
#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/ir/pl.h"

using namespace mlir;

namespace placid::pl {

namespace {
constexpr int64_t kMaxPoints = 4096; // of a space that is looked at as a whole
} // namespace

struct IterationSpace::Search {
  Expr low, high;
  int64_t limit;
  bool negative;
  int64_t *budget;
  uint64_t levels;     ///< The levels that vary.
  unsigned candidates; ///< For each level: 2 for its ends, more for some of its rounds, 0 for all.
  SmallVector<int64_t> point;
  // The worst so far.
  bool found = false;
  bool past = false; ///< It passes the limit.
  int64_t excess = 0;
  int64_t lowAt = 0, highAt = 0;
  SmallVector<int64_t> at;
};

/// The varying levels, and those that their bounds and the conditions over them depend on.
uint64_t IterationSpace::closure(uint64_t levels) const {
  for (uint64_t before = 0; before != levels;) {
    before = levels;
    for (auto [number, level] : llvm::enumerate(levels_)) {
      if (levels >> number & 1) {
        levels |= nodes_[level.lower].levels | nodes_[level.upper].levels | nodes_[level.step].levels;
      }
    }
    for (const Guard &guard : guards_) {
      levels |= nodes_[guard.condition].levels & levels ? nodes_[guard.condition].levels : 0;
    }
  }
  return levels;
}

/// True when a bound or condition that depends on no level says that the operation never runs.
bool IterationSpace::isDead() const {
  bool emptyLoop = llvm::any_of(levels_, [&](const Level &level) {
    bool fixed = (nodes_[level.lower].levels | nodes_[level.upper].levels | nodes_[level.step].levels) == 0;
    std::optional<Rounds> all = fixed ? rounds(level) : std::nullopt;
    return all && all->count == 0;
  });
  return emptyLoop || llvm::any_of(guards_, [&](const Guard &guard) {
           const Node &node = nodes_[guard.condition];
           return node.levels == 0 && values_[guard.condition] && (*values_[guard.condition] != 0) != guard.expected;
         });
}

void IterationSpace::judge(Search &search) {
  for (const Guard &guard : guards_) {
    std::optional<int64_t> condition = values_[guard.condition];
    bool matters = nodes_[guard.condition].levels & search.levels;
    if (matters && (!condition || (*condition != 0) != guard.expected)) {
      return;
    }
  }
  std::optional<int64_t> low = values_[search.low];
  std::optional<int64_t> high = values_[search.high];
  bool past = high && *high > search.limit;
  bool before = search.negative && low && *low < 0;
  if (!low || !high || (!past && !before) || (search.past && !past)) {
    return;
  }
  int64_t excess = 0;
  if (past ? __builtin_sub_overflow(*high, search.limit, &excess) : __builtin_sub_overflow(0, *low, &excess)) {
    return;
  }
  if (!search.found || past != search.past || excess > search.excess) {
    search.found = true;
    search.past = past;
    search.excess = excess;
    search.lowAt = *low;
    search.highAt = *high;
    search.at = search.point;
  }
}

/// Goes through the rounds of `level` and everything inside; false when something cannot be told or the budget is gone.
bool IterationSpace::visit(Search &search, unsigned level) {
  while (level < levels_.size() && !(search.levels >> level & 1)) {
    ++level;
  }
  if (--*search.budget < 0) {
    return false;
  }
  evaluate(search.point);
  if (level == levels_.size()) {
    judge(search);
    return true;
  }
  std::optional<Rounds> all = rounds(levels_[level]);
  if (!all) {
    return false;
  }
  auto go = [&](int64_t round) {
    search.point[level] = all->first + round * all->step;
    return visit(search, level + 1);
  };
  if (search.candidates == 0 || all->count <= static_cast<int64_t>(search.candidates)) {
    for (int64_t round = 0; round < all->count; ++round) {
      if (!go(round)) {
        return false;
      }
    }
    return true;
  }
  // The ends, and between them what differs most from them.
  SmallVector<int64_t, 8> some{0, all->count - 1};
  if (search.candidates > 2) {
    some.append({1, all->count / 2, all->count - 2});
  }
  return llvm::all_of(some, go);
}

std::optional<IterationSpace::Witness> IterationSpace::worst(Expr low, Expr high, int64_t limit, bool negative,
                                                             int64_t &budget) {
  if (uncertain_) {
    return std::nullopt;
  }
  Search search{low,     high,
                limit,   negative,
                &budget, closure(nodes_[low].levels | nodes_[high].levels),
                2,       SmallVector<int64_t>(levels_.size(), 0),
                false,   false,
                0,       0,
                0,       {}};
  evaluate(search.point);
  if (isDead() || !visit(search, 0)) {
    return std::nullopt;
  }
  if (!search.found) {
    int64_t points = 1;
    for (auto [number, level] : llvm::enumerate(levels_)) {
      std::optional<IndexRange> range = rangeOfLevel(level);
      if (search.levels >> number & 1) {
        int64_t count = !range || range->isSingle() ? 1 : (range->high - range->low) / range->stride + 1;
        points = points > kMaxPoints || count > kMaxPoints ? kMaxPoints + 1 : points * count;
      }
    }
    search.candidates = points <= kMaxPoints ? 0 : 5;
    if (!visit(search, 0)) {
      return std::nullopt;
    }
  }
  if (!search.found) {
    return std::nullopt;
  }
  Witness out{search.lowAt, search.highAt, describe(search.levels, search.at), {}};
  for (auto [number, level] : llvm::enumerate(levels_)) {
    if (search.levels >> number & 1) {
      out.loops.push_back(level.op);
    }
  }
  return out;
}

std::string IterationSpace::describe(uint64_t levels, ArrayRef<int64_t> point) {
  std::string out;
  auto say = [&](StringRef name, int64_t value) {
    out += (out.empty() ? "`" : ", `") + name.str() + " = " + std::to_string(value) + "`";
  };
  for (auto [number, level] : llvm::enumerate(levels_)) {
    if (!(levels >> number & 1)) {
      continue;
    }
    if (auto loop = dyn_cast<scf::ForOp>(level.op)) {
      Value variable = loop.getInductionVar();
      StringRef name = valueName(variable);
      std::optional<int64_t> value = point[number];
      // A loop that counts down runs over its round; the variable of that name is computed from it.
      for (Operation &inner : loop.getBody()->without_terminator()) {
        auto add = dyn_cast<arith::AddIOp>(inner);
        auto walk = add ? add.getRhs().getDefiningOp<arith::MulIOp>() : arith::MulIOp();
        if (!name.empty() && walk && walk.getLhs() == variable && valueName(add) == name) {
          Expr walked = build(add, 0);
          evaluate(point);
          value = values_[walked];
          break;
        }
      }
      if (value) {
        say(name.empty() ? "round" : name, *value);
      }
      continue;
    }
    StringRef name = "block index";
    level.op->walk([&](BlockIdxOp index) {
      if (!valueName(index).empty()) {
        name = valueName(index);
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    say(name, point[number]);
  }
  return out;
}

} // namespace placid::pl
