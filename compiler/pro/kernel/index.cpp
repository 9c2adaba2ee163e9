// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/kernel/index.h"

#include <algorithm>

namespace placid::pro {

namespace {

using Kind = IndexNode::Kind;
using pl::IndexRange;

constexpr unsigned kMaxNodes = 512;
constexpr int64_t kBudget = 4096; ///< Rounds looked at for one question.

int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

std::optional<IndexRange> rangeOf(Kind kind, const std::optional<IndexRange> &a, const std::optional<IndexRange> &b) {
  if (!a || !b) {
    return std::nullopt;
  }
  bool divides = b->isSingle() && b->low > 0;
  switch (kind) {
  case Kind::Add:
    return pl::addRanges(*a, *b);
  case Kind::Sub:
    return pl::subRanges(*a, *b);
  case Kind::Mul:
    return pl::mulRanges(*a, *b);
  case Kind::FloorDiv:
    return divides ? std::optional(pl::floorDivRange(*a, b->low)) : std::nullopt;
  case Kind::FloorMod:
    return divides ? std::optional(pl::floorModRange(*a, b->low)) : std::nullopt;
  case Kind::Min:
    return pl::minRanges(*a, *b);
  case Kind::Max:
    return pl::maxRanges(*a, *b);
  default:
    return std::nullopt;
  }
}

/// What all rounds together give, or nothing where a bound is not known.
std::optional<IndexRange> rangeOfLoop(const Index &first, const Index &end, const Index &step) {
  if (!first || !end || !step || !first->range || !end->range || !step->range || !step->range->isSingle() ||
      step->range->low <= 0) {
    return std::nullopt;
  }
  const IndexRange &low = *first->range;
  int64_t last = end->range->high;
  if (last <= low.low) {
    return IndexRange::single(low.low); // no round at all
  }
  return IndexRange::stepped(low.low, last - 1, low.isSingle() ? step->range->low : 1);
}

} // namespace

Index constantIndex(int64_t value) {
  auto made = std::make_shared<IndexNode>();
  made->constant = value;
  made->range = IndexRange::single(value);
  return made;
}

Index symbolIndex(IndexNode::Origin origin, size_t first, size_t second) {
  auto made = std::make_shared<IndexNode>();
  made->kind = Kind::Symbol;
  made->symbol = origin;
  made->first = static_cast<uint16_t>(first);
  made->second = static_cast<uint16_t>(second);
  return made;
}

Index variableIndex(int64_t number) {
  auto made = std::make_shared<IndexNode>();
  made->kind = Kind::Symbol;
  made->symbol = IndexNode::Origin::Variable;
  made->constant = number;
  return made;
}

Index ofTrace(const Index &index) {
  if (!index || index->traceOnly) {
    return index;
  }
  auto made = std::make_shared<IndexNode>(*index);
  made->traceOnly = true;
  return made;
}

bool sameIndex(const Index &a, const Index &b) {
  if (a == b || !a || !b) {
    return a == b;
  }
  if (a->range && a->range->isSingle()) {
    return b->range && b->range->isSingle() && a->range->low == b->range->low;
  }
  return a->kind == b->kind && a->constant == b->constant && a->symbol == b->symbol && a->first == b->first &&
         a->second == b->second && sameIndex(a->a, b->a) && sameIndex(a->b, b->b);
}

Index makeIndex(Kind kind, const Index &a, const Index &b) {
  bool unary = kind == Kind::Not;
  if (!a || (!b && !unary) || a->size + (b ? b->size : 0) >= kMaxNodes) {
    return nullptr;
  }
  auto made = std::make_shared<IndexNode>();
  made->kind = kind;
  made->a = a;
  made->b = b;
  made->size = a->size + (b ? b->size : 0) + 1;
  made->traceOnly = a->traceOnly || (b && b->traceOnly);
  made->range = unary ? std::nullopt : rangeOf(kind, a->range, b->range);
  return made;
}

Index makeIndex(std::string_view op, const Index &a, const Index &b) {
  struct Row {
    std::string_view op;
    Kind kind;
    bool turned; ///< `a > b` is `b < a`.
  };
  static constexpr Row kRows[] = {
      {"+", Kind::Add, false},       {"-", Kind::Sub, false},       {"*", Kind::Mul, false},
      {"//", Kind::FloorDiv, false}, {"%", Kind::FloorMod, false},  {"==", Kind::Equal, false},
      {"!=", Kind::NotEqual, false}, {"<", Kind::Less, false},      {"<=", Kind::LessEqual, false},
      {">", Kind::Less, true},       {">=", Kind::LessEqual, true}, {"and", Kind::And, false},
      {"or", Kind::Or, false},       {"min", Kind::Min, false},     {"max", Kind::Max, false},
  };
  for (const Row &row : kRows) {
    if (row.op == op) {
      return row.turned ? makeIndex(row.kind, b, a) : makeIndex(row.kind, a, b);
    }
  }
  return nullptr;
}

Index Loops::enter(std::string name, Index first, Index end, Index step, py::Place at) {
  std::optional<IndexRange> range = rangeOfLoop(first, end, step);
  Level level;
  level.number = next_++;
  level.name = std::move(name);
  level.first = std::move(first);
  level.end = std::move(end);
  level.step = std::move(step);
  level.at = at;
  level.known = range.has_value();
  bool bounded = level.first && level.end && level.step;
  bool traceOnly = bounded && (level.first->traceOnly || level.end->traceOnly || level.step->traceOnly);
  level.known = level.known && !traceOnly;
  levels_.push_back(std::move(level));
  if (!bounded) {
    return nullptr;
  }
  auto made = std::make_shared<IndexNode>();
  made->kind = Kind::Loop;
  made->constant = levels_.back().number;
  made->range = range;
  made->traceOnly = traceOnly;
  return made;
}

void Loops::enterUnknown() {
  Level level;
  level.number = next_++;
  level.opaque = true;
  levels_.push_back(std::move(level));
}

std::optional<int64_t> Loops::evaluate(const IndexNode &node, const Point &point) {
  if (node.kind == Kind::Constant) {
    return node.constant;
  }
  if (node.kind == Kind::Loop) {
    auto found = point.find(node.constant);
    return found != point.end() ? std::optional(found->second) : std::nullopt; // its loop is over
  }
  if (node.kind == Kind::Symbol) {
    return std::nullopt;
  }
  std::optional<int64_t> a = evaluate(*node.a, point);
  if (node.kind == Kind::Not) {
    return a ? std::optional<int64_t>(*a == 0) : std::nullopt;
  }
  std::optional<int64_t> b = evaluate(*node.b, point);
  if (!a || !b) {
    return std::nullopt;
  }
  int64_t out = 0;
  switch (node.kind) {
  case Kind::Add:
    return __builtin_add_overflow(*a, *b, &out) ? std::nullopt : std::optional(out);
  case Kind::Sub:
    return __builtin_sub_overflow(*a, *b, &out) ? std::nullopt : std::optional(out);
  case Kind::Mul:
    return __builtin_mul_overflow(*a, *b, &out) ? std::nullopt : std::optional(out);
  case Kind::FloorDiv:
    return *b > 0 ? std::optional(floorDiv(*a, *b)) : std::nullopt;
  case Kind::FloorMod:
    return *b > 0 ? std::optional(*a - floorDiv(*a, *b) * *b) : std::nullopt;
  case Kind::Min:
    return std::min(*a, *b);
  case Kind::Max:
    return std::max(*a, *b);
  case Kind::Equal:
    return *a == *b;
  case Kind::NotEqual:
    return *a != *b;
  case Kind::Less:
    return *a < *b;
  case Kind::LessEqual:
    return *a <= *b;
  case Kind::And: // Python's: the operand that decides
    return *a == 0 ? a : b;
  case Kind::Or:
    return *a != 0 ? a : b;
  default:
    return std::nullopt;
  }
}

struct Loops::Search {
  const Index &index;
  std::vector<bool> needed; ///< By level.
  Point point;
  int64_t budget = kBudget;
  bool all = true; ///< Every round, not only the first and last ones.
  const std::function<bool(int64_t, const std::optional<int64_t> &)> &worse;
  bool first = false; ///< One is enough.
  std::optional<int64_t> best;
  Point bestPoint;
};

void Loops::collect(const IndexNode &node, std::vector<bool> &needed) const {
  if (node.kind == Kind::Loop) {
    for (size_t i = 0; i < levels_.size(); ++i) {
      if (levels_[i].number == node.constant && !needed[i]) {
        needed[i] = true;
        for (const Index &bound : {levels_[i].first, levels_[i].end, levels_[i].step}) {
          if (bound) {
            collect(*bound, needed);
          }
        }
      }
    }
  }
  for (const Index &child : {node.a, node.b}) {
    if (child) {
      collect(*child, needed);
    }
  }
}

/// The loops that the value or a condition depends on; nothing when one cannot be followed.
std::optional<std::vector<bool>> Loops::neededLevels(const IndexNode &node) const {
  std::vector<bool> needed(levels_.size(), false);
  collect(node, needed);
  for (const Guard &guard : guards_) {
    if (guard.depth == 0) {
      // Chosen before the loops: the same for every round, and where it never holds nobody comes here.
      std::optional<int64_t> holds = guard.condition ? evaluate(*guard.condition, {}) : std::nullopt;
      if (holds && (*holds != 0) != guard.expected) {
        return std::nullopt;
      }
      continue;
    }
    if (!guard.condition) {
      return std::nullopt;
    }
    collect(*guard.condition, needed);
  }
  for (size_t i = 0; i < levels_.size(); ++i) {
    if (levels_[i].opaque || (needed[i] && !levels_[i].known)) {
      return std::nullopt;
    }
  }
  return needed;
}

/// False: enough.
bool Loops::visit(Search &search, size_t level) const {
  if (level == levels_.size()) {
    if (--search.budget < 0) {
      return false;
    }
    for (const Guard &guard : guards_) {
      std::optional<int64_t> holds =
          guard.depth == 0 ? std::optional<int64_t>(guard.expected) : evaluate(*guard.condition, search.point);
      if (!holds || (*holds != 0) != guard.expected) {
        return true;
      }
    }
    std::optional<int64_t> value = evaluate(*search.index, search.point);
    if (value && search.worse(*value, search.best)) {
      search.best = value;
      search.bestPoint = search.point;
      return !search.first;
    }
    return true;
  }
  if (!search.needed[level]) {
    return visit(search, level + 1);
  }
  const Level &loop = levels_[level];
  std::optional<int64_t> first = evaluate(*loop.first, search.point);
  std::optional<int64_t> end = evaluate(*loop.end, search.point);
  std::optional<int64_t> step = evaluate(*loop.step, search.point);
  if (!first || !end || !step || *step <= 0 || *end <= *first) {
    return true;
  }
  int64_t length = 0;
  if (__builtin_sub_overflow(*end, *first, &length)) {
    return true;
  }
  int64_t count = (length - 1) / *step + 1;
  bool more = true;
  for (int64_t round = 0; round < count && more; ++round) {
    bool edge = round < 2 || round + 2 >= count;
    if (!search.all && !edge) {
      round = count - 3; // the last two are next
      continue;
    }
    search.point[loop.number] = *first + round * *step;
    more = visit(search, level + 1);
  }
  search.point.erase(loop.number);
  return more;
}

std::optional<Loops::Witness> Loops::search(const Index &index,
                                            const std::function<bool(int64_t, const std::optional<int64_t> &)> &worse,
                                            bool first) const {
  std::optional<std::vector<bool>> needed = index && !index->traceOnly ? neededLevels(*index) : std::nullopt;
  if (!needed) {
    return std::nullopt;
  }
  Search state{index, *needed, {}, kBudget, false, worse, first, std::nullopt, {}};
  visit(state, 0);
  state.all = true;
  state.budget = kBudget;
  state.point.clear();
  if (!(first && state.best)) {
    visit(state, 0);
  }
  if (!state.best) {
    return std::nullopt;
  }
  Witness out;
  out.value = *state.best;
  for (size_t i = 0; i < levels_.size(); ++i) {
    if ((*needed)[i]) {
      out.round += (out.round.empty() ? "`" : ", `") + levels_[i].name + " = " +
                   std::to_string(state.bestPoint.find(levels_[i].number)->second) + "`";
      out.loop = levels_[i].at;
    }
  }
  return out;
}

std::optional<Loops::Witness> Loops::above(const Index &index, int64_t limit) const {
  if (!index || (index->range && index->range->high <= limit)) {
    return std::nullopt; // proven
  }
  return search(
      index,
      [&](int64_t value, const std::optional<int64_t> &best) { return value > limit && (!best || value > *best); },
      false);
}

std::optional<Loops::Witness> Loops::below(const Index &index, int64_t limit) const {
  if (!index || (index->range && index->range->low >= limit)) {
    return std::nullopt;
  }
  return search(
      index,
      [&](int64_t value, const std::optional<int64_t> &best) { return value < limit && (!best || value < *best); },
      false);
}

std::optional<Loops::Witness> Loops::unaligned(const Index &index, int64_t factor) const {
  if (!index || (index->range && index->range->low % factor == 0 && index->range->stride % factor == 0)) {
    return std::nullopt;
  }
  return search(
      index, [&](int64_t value, const std::optional<int64_t> &best) { return value % factor != 0 && !best; }, true);
}

} // namespace placid::pro
