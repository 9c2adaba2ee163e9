// SPDX-License-Identifier: Apache-2.0
// What leaves a loop or a function early, for a trace, which has neither: how the code was left is a number that
// branches join and loops carry, and what comes after runs where it is zero. Numbers that rounds change are carried
// alike. Without a trace a leaving statement only ends its way. One thread.
#include "compiler/pro/kernel/reader.h"

#include <algorithm>
#include <utility>

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr unsigned kMaxRests = 256; ///< Rests of blocks in each other that run where the code was not left.

bool isZero(const Index &index) { return index && index->range && index->range->isSingle() && index->range->low == 0; }

bool has(const std::vector<const Stmt *> &statements, Stmt::Kind kind, bool inLoop) {
  return std::any_of(statements.begin(), statements.end(), [&](const Stmt *stmt) {
    if (stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class) {
      return false;
    }
    bool nested = stmt->kind == Stmt::Kind::For || stmt->kind == Stmt::Kind::While;
    bool counts = kind == Stmt::Kind::Return || inLoop;
    return (stmt->kind == kind && counts) || has(stmt->body, kind, inLoop && !nested) ||
           has(stmt->orelse, kind, inLoop);
  });
}

Index constant(int64_t value) { return constantIndex(value); }

/// An expression over numbers and names that statements do not assign.
bool isSteady(const Expr &expr, const std::set<std::string_view> &assigned) {
  auto steady = [&](const Expr *child) { return isSteady(*child, assigned); };
  switch (expr.kind) {
  case Expr::Kind::Int:
    return true;
  case Expr::Kind::Name:
    return !assigned.contains(expr.text);
  case Expr::Kind::Binary:
  case Expr::Kind::Unary:
    return std::all_of(expr.children.begin(), expr.children.end(), steady);
  case Expr::Kind::Subscript:
    return expr.children[0]->kind == Expr::Kind::Attribute && expr.children[0]->text == "shape" &&
           steady(expr.children[0]->children[0]) && expr.children.size() == 2 && steady(expr.children[1]);
  default:
    return false;
  }
}

} // namespace

void KernelReader::leave(int64_t how, Site at) {
  if (tracer_) {
    setPseudo(kLeftName, Value::ofPython(py::Value::ofInt(how)));
    frames_.back().locals[kLeftName].at = at;
  }
  ended_ = true;
}

void KernelReader::setPseudo(std::string_view name, Value value) {
  if (value.kind == ValueKind::Unknown && value.why == "none") {
    frames_.back().locals.erase(name);
    return;
  }
  Local &local = frames_.back().locals[name];
  local.value = std::move(value);
}

Value KernelReader::joinedPseudo(std::string_view name, const Flow &first, std::vector<TraceJoined> &joins, Site at) {
  auto find = [&](const std::map<std::string_view, Local> &locals) {
    auto found = locals.find(name);
    bool counts = name == kLeftName;
    return found != locals.end() ? found->second.value
           : counts              ? Value::ofPython(py::Value::ofInt(0))
                                 : Value::unknown("none");
  };
  Value then = find(first.locals);
  Value otherwise = find(frames_.back().locals);
  auto none = [](const Value &value) { return value.isUnknown() && value.why == "none"; };
  if (none(then) && none(otherwise)) {
    return then;
  }
  if (none(then) || none(otherwise)) {
    // Who returned nothing does not come to where the result is looked at; but what the other way made ends with it.
    const Value &made = none(then) ? otherwise : then;
    Value nothing = Value::scalar(ScalarOrigin::Other, made.dtype);
    nothing.index = made.kind == ValueKind::Scalar && made.index ? constant(0) : nullptr;
    if (!nothing.index) {
      return made;
    }
    (none(then) ? then : otherwise) = std::move(nothing);
  }
  std::vector<TraceJoined> *outer = std::exchange(joins_, &joins);
  Site outerAt = std::exchange(joinsAt_, at);
  Value out = joined(otherwise, then);
  joins_ = outer;
  joinsAt_ = outerAt;
  return out;
}

bool KernelReader::restUnderCondition(const Block &statements, size_t at) {
  if (!tracer_) {
    return false;
  }
  auto left = frames_.back().locals.find(kLeftName);
  if (left == frames_.back().locals.end() || isZero(left->second.value.asIndex())) {
    return false;
  }
  Index how = left->second.value.asIndex();
  Site site{frames_.back().module, statements[at]->range};
  if (!how) {
    tracer_->refuse(site, "whether this is reached is not known while compiling");
  }
  Index stays = makeIndex(IndexNode::Kind::Equal, how, constant(0));
  Flow before = save();
  tracer_->beginBranch(stays, site);
  // A loop that its body leaves has no rounds that rules judge; they judge the same with and without a trace.
  setPseudo(kLeftName, Value::ofPython(py::Value::ofInt(0)));
  ++rests_;
  if (rests_ > kMaxRests) {
    tracer_->refuse(site, "more statements that leave the code early than are followed");
  } else {
    block({statements.begin() + static_cast<std::ptrdiff_t>(at), statements.end()});
  }
  --rests_;
  Flow first = save();
  restore(before);
  tracer_->otherwise();
  bool inLoop =
      std::any_of(rounds_.begin(), rounds_.end(), [&](const Round &round) { return round.frames == frames_.size(); });
  if (!inLoop) {
    setPseudo(kLeftName, Value::ofPython(py::Value::ofInt(kReturn))); // nothing else leaves the body of a function
  }
  endWays(first, site);
  return true;
}

/// A loop that may be left begins each round by asking whether it was.
void KernelReader::beginRounds(const Stmt &stmt, Round &round) {
  bool leaves = tracer_ && (has(stmt.body, Stmt::Kind::Break, true) || has(stmt.body, Stmt::Kind::Return, true));
  if (!leaves) {
    return;
  }
  Site at{frames_.back().module, stmt.value->range};
  round.returns = has(stmt.body, Stmt::Kind::Return, true);
  TraceCarried one;
  one.within = tracer_->variable("whether the loop was left", at);
  one.first = constant(0);
  Value value = Value::scalar(ScalarOrigin::Other);
  value.index = variableIndex(one.within);
  setPseudo(kLeftName, std::move(value));
  round.carried.emplace_back(kLeftName, std::move(one));
  // What a round returns is there behind the loop; before, it may be the result of a way that was left, or nothing.
  const Frame &frame = frames_.back();
  auto result = frame.locals.find(kResultName);
  Index first = result == frame.locals.end() ? constant(0) : result->second.value.asNumber();
  if (frame.helper && first && has(stmt.body, Stmt::Kind::Return, true)) {
    TraceCarried returned;
    returned.within = tracer_->variable("the result", at);
    returned.first = std::move(first);
    Value held = Value::scalar(ScalarOrigin::Other);
    held.index = variableIndex(returned.within);
    setPseudo(kResultName, std::move(held));
    round.carried.emplace_back(kResultName, std::move(returned));
  }
}

/// Hands what the trace carries to it; the names with their values behind the loop.
std::vector<std::pair<std::string_view, Value>> KernelReader::endRounds() {
  std::vector<std::pair<std::string_view, Value>> out;
  if (!tracer_) {
    return out;
  }
  std::map<std::string_view, Local> &locals = frames_.back().locals;
  bool carriesLeft = false;
  for (auto &[name, carried] : rounds_.back().carried) {
    auto local = locals.find(name);
    bool leaves = name == kLeftName;
    carriesLeft = carriesLeft || leaves;
    carried.next = local != locals.end() ? local->second.value.asNumber() : leaves ? constant(0) : nullptr;
    carried.behind = tracer_->variable(tracer_->variableName(carried.within), rounds_.back().at, true);
    Value value = Value::scalar(ScalarOrigin::Other);
    value.index = variableIndex(carried.behind);
    if (leaves) {
      using Kind = IndexNode::Kind;
      // A round that was continued is over; a loop that was broken too, behind it.
      carried.next = makeIndex(Kind::Mul, carried.next, makeIndex(Kind::NotEqual, carried.next, constant(kContinue)));
      value.index = makeIndex(Kind::Mul, value.index, makeIndex(Kind::Equal, value.index, constant(kReturn)));
      value = rounds_.back().returns ? value : Value::ofPython(py::Value::ofInt(0)); // what is behind is reached
    }
    tracer_->carry(carried);
    out.emplace_back(name, std::move(value));
  }
  if (!carriesLeft) {
    locals.erase(kLeftName); // it was only continued
  } else {
    setPseudo(kLeftName, Value::ofPython(py::Value::ofInt(0)));
  }
  return out;
}

/// `i += 2` or `i = i + 2`, the only assignment to `i`, in the body itself; the end is a name or number that the body
/// does not assign, or an expression of such.
std::optional<KernelReader::Counted> KernelReader::countedWhile(const Stmt &stmt) {
  const Expr &condition = *stmt.value;
  bool compares = condition.kind == Expr::Kind::Compare && condition.children.size() == 2 &&
                  condition.children[0]->kind == Expr::Kind::Name &&
                  (condition.operators[0] == "<" || condition.operators[0] == "<=");
  if (!compares || has(stmt.body, Stmt::Kind::Continue, true) || !stmt.orelse.empty()) {
    return std::nullopt;
  }
  Counted out;
  out.name = condition.children[0]->text;
  out.end = condition.children[1];
  out.inclusive = condition.operators[0] == "<=";
  std::set<std::string_view> others;
  for (const Stmt *one : stmt.body) {
    std::set<std::string_view> names;
    py::assignedNames({one}, names);
    if (names.contains(out.name) && !out.increment && one->targets.size() == 1 &&
        one->targets[0]->kind == Expr::Kind::Name) {
      out.increment = one;
      continue;
    }
    others.insert(names.begin(), names.end());
  }
  if (!out.increment || others.contains(out.name)) {
    return std::nullopt;
  }
  others.insert(out.name);
  if (!isSteady(*out.end, others)) {
    return std::nullopt;
  }
  const Stmt &increment = *out.increment;
  const Expr *by = nullptr;
  if (increment.kind == Stmt::Kind::AugAssign && (increment.text == "+=" || increment.text == "+")) {
    by = increment.value;
  } else if (increment.kind == Stmt::Kind::Assign && increment.value && increment.value->kind == Expr::Kind::Binary &&
             increment.value->text == "+" && increment.value->children[0]->kind == Expr::Kind::Name &&
             increment.value->children[0]->text == out.name) {
    by = increment.value->children[1];
  }
  std::optional<int64_t> step = by && isSteady(*by, others) ? evaluate(*by).integer() : std::nullopt;
  if (!step || *step <= 0) {
    return std::nullopt;
  }
  out.step = *step;
  out.leaves = jumps(stmt.body, true);
  return out;
}

namespace {

/// What a block does to a number that a loop counts with, on the ways that do not leave the loop.
struct Advance {
  bool counts = false; ///< Every way to the end has added to it.
  bool ends = true;    ///< No way comes to the end.
  bool fails = false;  ///< It is changed otherwise, or a round may go on without.
};

bool adds(const Stmt &stmt, std::string_view name) {
  const Expr *by = nullptr;
  bool own = stmt.targets.size() == 1 && stmt.targets[0]->kind == Expr::Kind::Name && stmt.targets[0]->text == name;
  if (own && stmt.kind == Stmt::Kind::AugAssign && (stmt.text == "+=" || stmt.text == "+")) {
    by = stmt.value;
  } else if (own && stmt.kind == Stmt::Kind::Assign && stmt.value && stmt.value->kind == Expr::Kind::Binary &&
             stmt.value->text == "+" && stmt.value->children[0]->kind == Expr::Kind::Name &&
             stmt.value->children[0]->text == name) {
    by = stmt.value->children[1];
  }
  return by && by->kind == Expr::Kind::Int && by->text.find_first_of("123456789") != std::string_view::npos;
}

Advance advanceOf(const std::vector<const Stmt *> &statements, std::string_view name, bool counts) {
  Advance out{counts, false, false};
  for (const Stmt *stmt : statements) {
    std::set<std::string_view> assigned;
    py::assignedNames({stmt}, assigned);
    switch (stmt->kind) {
    case Stmt::Kind::Break:
    case Stmt::Kind::Return:
      out.ends = true;
      return out;
    case Stmt::Kind::Continue:
      out.fails = out.fails || !out.counts;
      out.ends = true;
      return out;
    case Stmt::Kind::If: {
      Advance one = advanceOf(stmt->body, name, out.counts);
      Advance other = advanceOf(stmt->orelse, name, out.counts);
      out.fails = out.fails || one.fails || other.fails;
      out.ends = one.ends && other.ends;
      out.counts = (one.ends || one.counts) && (other.ends || other.counts);
      if (out.ends) {
        return out;
      }
      break;
    }
    default:
      out.fails = out.fails || (assigned.contains(name) && !adds(*stmt, name));
      out.counts = out.counts || adds(*stmt, name);
    }
  }
  return out;
}

} // namespace

/// `i < end` in a condition that holds as a whole only where that does: the number that counts, and how large it is at
/// most in a round, plus one. `i * 4 < end` says it of a quarter.
bool KernelReader::boundOf(const Expr &condition, std::string_view &name, const Expr *&end, int64_t &factor,
                           int64_t &more) {
  bool negated = condition.kind == Expr::Kind::Unary && condition.text == "not";
  const Expr &compared = negated ? *condition.children[0] : condition;
  if (condition.kind == Expr::Kind::Bool2 && condition.text == "and") {
    return boundOf(*condition.children[0], name, end, factor, more) ||
           boundOf(*condition.children[1], name, end, factor, more);
  }
  if (compared.kind != Expr::Kind::Compare || compared.children.size() != 2) {
    return false;
  }
  std::string_view op = compared.operators[0];
  bool below = negated ? op == ">=" || op == ">" : op == "<" || op == "<=";
  bool above = negated ? op == "<=" || op == "<" : op == ">" || op == ">=";
  if (!below && !above) {
    return false;
  }
  const Expr *small = compared.children[below ? 0 : 1];
  end = compared.children[below ? 1 : 0];
  more = (op.size() == 2) != negated ? 1 : 0;
  factor = 1;
  if (small->kind == Expr::Kind::Binary && small->text == "*") {
    const Expr &by = *small->children[1];
    bool fixed =
        by.kind == Expr::Kind::Int || (by.kind == Expr::Kind::Name && !frames_.back().locals.contains(by.text));
    factor = fixed ? evaluate(by).integer().value_or(0) : 0;
    small = small->children[0];
  }
  name = small->text;
  return small->kind == Expr::Kind::Name && factor > 0;
}

/// A `while` of which every round adds to a number that its condition bounds: at most so many rounds as there are up to
/// the bound, each of which asks the condition first.
bool KernelReader::boundedLoop(const Stmt &stmt) {
  std::string_view name;
  const Expr *bound = nullptr;
  int64_t factor = 1;
  int64_t more = 0;
  if (!tracer_ || !stmt.orelse.empty() || !boundOf(*stmt.value, name, bound, factor, more)) {
    return false;
  }
  std::set<std::string_view> assigned;
  py::assignedNames(stmt.body, assigned);
  Advance advance = advanceOf(stmt.body, name, false);
  auto local = frames_.back().locals.find(name);
  bool counts = !advance.fails && (advance.ends || advance.counts) && local != frames_.back().locals.end();
  if (!counts || !isSteady(*bound, assigned)) {
    return false;
  }
  using Kind = IndexNode::Kind;
  Index end = makeIndex(Kind::Add, evaluate(*bound).asIndex(), constantIndex(more));
  end = factor == 1
            ? end
            : makeIndex(Kind::FloorDiv, makeIndex(Kind::Add, end, constantIndex(factor - 1)), constantIndex(factor));
  Index rounds = makeIndex(Kind::Sub, end, local->second.value.asIndex());
  if (!rounds) {
    return false;
  }
  Expr &over = madeExprs_.emplace_back();
  over.kind = Expr::Kind::Unary;
  over.text = "not";
  over.range = stmt.value->range;
  over.children.push_back(stmt.value);
  Stmt &leaves = madeStmts_.emplace_back();
  leaves.kind = Stmt::Kind::Break;
  leaves.range = stmt.value->range;
  Stmt &asks = madeStmts_.emplace_back();
  asks.kind = Stmt::Kind::If;
  asks.range = stmt.value->range;
  asks.value = &over;
  asks.body.push_back(&leaves);
  Stmt &made = madeStmts_.emplace_back(stmt);
  made.body.insert(made.body.begin(), &asks);
  Index one = constantIndex(1);
  Site at = site(*stmt.value);
  Index variable = loops_.enter("", constantIndex(0), rounds, one, at);
  loops_.enterUnknown();
  tracer_->beginLoop("", variable, constantIndex(0), rounds, one, at);
  loopBody(made, nullptr);
  tracer_->endLoop();
  loops_.leave();
  loops_.leave();
  return true;
}

/// Joins the two ways of a branch, of which `first` is one and the other was read last.
void KernelReader::endWays(const Flow &first, Site at) {
  if (!tracer_) {
    join(first);
    return;
  }
  // A way that leaves the code has numbers too, which the next round finds.
  bool ended = ended_ && first.ended;
  Flow one = first;
  one.ended = ended_ = false;
  std::vector<TraceJoined> joins;
  Value left = joinedPseudo(kLeftName, first, joins, at);
  Value result = joinedPseudo(kResultName, first, joins, at);
  std::vector<TraceJoined> *outer = std::exchange(joins_, &joins);
  Site outerAt = std::exchange(joinsAt_, at);
  join(one);
  ended_ = ended;
  joins_ = outer;
  joinsAt_ = outerAt;
  setPseudo(kLeftName, std::move(left));
  setPseudo(kResultName, std::move(result));
  tracer_->endBranch(std::move(joins));
}

/// A `while` that counts is traced as the loop it is. Its rounds are not judged, as those of others.
bool KernelReader::countedLoop(const Stmt &stmt) {
  std::optional<Counted> counted = tracer_ ? countedWhile(stmt) : std::nullopt;
  auto local = counted ? frames_.back().locals.find(counted->name) : frames_.back().locals.end();
  Index first = local != frames_.back().locals.end() ? local->second.value.asIndex() : nullptr;
  Index end = first ? evaluate(*counted->end).asIndex() : nullptr;
  end = end && counted->inclusive ? makeIndex(IndexNode::Kind::Add, end, constantIndex(1)) : end;
  if (!end) {
    return false;
  }
  Index step = constantIndex(counted->step);
  Site at = site(*stmt.value);
  Index variable = loops_.enter(std::string(counted->name), first, end, step, at);
  loops_.enterUnknown();
  tracer_->beginLoop(std::string(counted->name), variable, first, end, step, at);
  // Rounds after the loop was left change nothing, the number that counts included: then it is carried as others are.
  loopBody(stmt, counted->leaves ? nullptr : stmt.value->children[0], variable);
  tracer_->endLoop();
  loops_.leave();
  loops_.leave();
  return true;
}

} // namespace placid::pro
