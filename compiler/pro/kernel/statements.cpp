// SPDX-License-Identifier: Apache-2.0
// Statements of a kernel: bindings, loops, branches, sections, returns.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/spelling.h"

#include <algorithm>
#include <set>
#include <utility>

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr uint64_t kMaxSteps = 400'000; ///< Statements of one kernel, helpers and both readings together.

} // namespace

void KernelReader::block(const Block &statements) {
  for (size_t i = 0; i < statements.size(); ++i) {
    if (ended_ || stopped_ || restUnderCondition(statements, i)) {
      return;
    }
    statement(*statements[i]);
  }
}

void KernelReader::statement(const Stmt &stmt) {
  if (++steps_ % 256 == 0 && stop_.stop_requested()) {
    stopped_ = true;
  }
  if (stopped_ || steps_ > kMaxSteps) {
    if (steps_ == kMaxSteps + 1) {
      reports_.unknown({frames_.back().module, stmt.nameRange.end > 0 ? stmt.nameRange : stmt.range}, kernel_.name,
                       "the kernel has more statements than are followed");
      if (tracer_) {
        tracer_->refuse({frames_.back().module, stmt.range}, "the kernel has more statements than are followed");
      }
    }
    return;
  }
  switch (stmt.kind) {
  case Stmt::Kind::Assign:
    return assign(stmt);
  case Stmt::Kind::AugAssign:
    return augment(stmt);
  case Stmt::Kind::Expr:
    if (stmt.value->kind != Expr::Kind::String) {
      const Expr *outer = std::exchange(bare_, stmt.value);
      evaluate(*stmt.value);
      bare_ = outer;
    }
    return;
  case Stmt::Kind::Return:
    return returnStatement(stmt);
  case Stmt::Kind::If:
    return ifStatement(stmt);
  case Stmt::Kind::For:
    return forLoop(stmt);
  case Stmt::Kind::While:
    return whileLoop(stmt);
  case Stmt::Kind::With:
    return withStatement(stmt);
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    leave(stmt.kind == Stmt::Kind::Break ? kBreak : kContinue, {frames_.back().module, stmt.range});
    return;
  case Stmt::Kind::Pass:
    return;
  default: {
    refused(stmt);
    bool declares = stmt.kind == Stmt::Kind::Function || stmt.kind == Stmt::Kind::Class;
    bool runs = !stmt.body.empty() || !stmt.orelse.empty() ||
                std::any_of(stmt.operands.begin(), stmt.operands.end(), [](const Expr *one) { return calls(*one); });
    bool matters = stmt.text == "`raise`" || stmt.text == "`global`" || stmt.text == "`nonlocal`";
    if (tracer_ && !declares && (runs || matters)) {
      tracer_->refuse({frames_.back().module, stmt.nameRange.end > 0 ? stmt.nameRange : stmt.range},
                      "this statement is not followed");
    }
    std::set<std::string_view> names;
    py::assignedNames({&stmt}, names);
    for (std::string_view one : names) {
      frames_.back().locals[one] = {Value::unknown("this statement is not followed"),
                                    {frames_.back().module, stmt.range}};
    }
    return;
  }
  }
}

/// A statement of Python that is none of a kernel.
void KernelReader::refused(const Stmt &stmt) {
  std::string what = stmt.kind == Stmt::Kind::Function                                        ? "a nested function"
                     : stmt.kind == Stmt::Kind::Class                                         ? "a class"
                     : stmt.kind == Stmt::Kind::Import || stmt.kind == Stmt::Kind::ImportFrom ? "an import"
                                                                                              : std::string(stmt.text);
  if (stmt.kind == Stmt::Kind::Error || what.empty()) {
    return; // a fault of the syntax
  }
  uint32_t end = std::min<uint32_t>(
      stmt.range.end, static_cast<uint32_t>(frames_.back().module->source->text.find('\n', stmt.range.begin)));
  report(diag::ProStatement,
         {frames_.back().module, stmt.nameRange.end > 0 ? stmt.nameRange : source::ByteRange{stmt.range.begin, end}},
         what + " is no statement of a kernel, which has assignments, `for`, `while`, `if`, `with`, `return`, `break`, "
                "`continue` and calls");
}

void KernelReader::bind(const Expr &target, Value value) {
  switch (target.kind) {
  case Expr::Kind::Name: {
    bool shown = value.kind == ValueKind::TileType || value.kind == ValueKind::Tile || value.kind == ValueKind::Group;
    if (shown && bound_.size() < 4096) {
      bound_.push_back({std::string(target.text), boundFrom_.module ? boundFrom_ : site(target), value});
    }
    frames_.back().locals[target.text] = {std::move(value), site(target), ++bindings_};
    return;
  }
  case Expr::Kind::Tuple:
  case Expr::Kind::List: {
    std::optional<std::vector<Value>> values = itemsOf(value);
    bool fits = values && values->size() == target.children.size();
    for (size_t i = 0; i < target.children.size(); ++i) {
      Value item = fits                                    ? (*values)[i]
                   : value.isNumber() || value.isUnknown() ? value
                                                           : Value::unknown("it is a part of " + describe(value));
      bind(*target.children[i], std::move(item));
    }
    return;
  }
  case Expr::Kind::Attribute: {
    if (assignField(target, value)) {
      return;
    }
    // A field of a struct: a number is of run time from here on.
    const Expr *base = target.children.empty() ? nullptr : target.children[0];
    auto local =
        base && base->kind == Expr::Kind::Name ? frames_.back().locals.find(base->text) : frames_.back().locals.end();
    bool known = local != frames_.back().locals.end() && local->second.value.kind == ValueKind::Struct;
    if (known && value.isNumber()) {
      Value &held = local->second.value;
      std::vector<Value> items = *held.items;
      for (size_t i = 0; i < items.size() && i < held.fields->size(); ++i) {
        items[i] = (*held.fields)[i] == target.text ? Value::scalar(ScalarOrigin::Other, items[i].dtype) : items[i];
      }
      held.items = std::make_shared<const std::vector<Value>>(std::move(items));
    } else if (known) {
      local->second.value = Value::unknown("a field of it is assigned");
    }
    if (tracer_ && !(known && value.isNumber())) {
      bool open = !known && local != frames_.back().locals.end() && local->second.value.isUnknown();
      tracer_->refuse(site(target),
                      open ? "which struct `" + std::string(base->text) + "` is here is not known while compiling"
                           : "an attribute that is assigned is not followed");
    }
    return;
  }
  case Expr::Kind::Subscript: {
    if (assignElement(target, value)) {
      return;
    }
    // The list behind it holds something else now.
    const Expr *base = target.children.empty() ? nullptr : target.children[0];
    auto local =
        base && base->kind == Expr::Kind::Name ? frames_.back().locals.find(base->text) : frames_.back().locals.end();
    if (local != frames_.back().locals.end() && itemsOf(local->second.value)) {
      local->second.value = Value::unknown("an item of it is assigned");
    }
    if (tracer_) {
      tracer_->refuse(site(target), "an item that is assigned is not followed");
    }
    return;
  }
  default:
    return;
  }
}

void KernelReader::assign(const Stmt &stmt) {
  if (!stmt.value) {
    return;
  }
  bool named = stmt.targets.size() == 1 && stmt.targets[0]->kind == Expr::Kind::Name;
  target_ = named ? std::string(stmt.targets[0]->text) : std::string();
  const Expr &value = *stmt.value;
  if (value.kind == Expr::Kind::Call) {
    const Value callee = plainCallee(value);
    std::string_view path = callee.path();
    if (path == "pro.load" || path == "pro.load_tile") {
      resultless(path.substr(4), value);
      for (const Expr *target : stmt.targets) {
        bind(*target, Value::unknown(""));
      }
      return;
    }
  }
  Value made = evaluate(value);
  target_.clear();
  boundFrom_ = site(value);
  for (const Expr *target : stmt.targets) {
    bind(*target, made);
  }
  boundFrom_ = {};
}

void KernelReader::resultless(std::string_view path, const Expr &call) {
  std::string shown = "pl." + std::string(path);
  bool loads = path == "load" || path == "load_tile";
  report(diag::ProLoadResult, site(call),
         "`" + shown + "` returns nothing: " +
             (loads ? "declare the tile first, then call `" + shown + "(tile, tensor, offsets)`"
                    : "its first argument takes what it makes"));
}

void KernelReader::augment(const Stmt &stmt) {
  if (!stmt.value || stmt.targets.empty()) {
    return;
  }
  Value before = evaluate(*stmt.targets[0]);
  uint64_t writes = cellWrites_;
  Value by = evaluate(*stmt.value);
  if (tracer_ && writes != cellWrites_ && stmt.targets[0]->kind != Expr::Kind::Name) {
    tracer_->refuse(site(*stmt.value), "a helper that changes fields while one of them is changed is not followed");
  }
  std::string_view op = stmt.text;
  if (op.ends_with('=')) {
    op.remove_suffix(1);
  }
  Value after = Value::unknown("it is changed in place");
  std::optional<py::Value> a = toPython(before);
  std::optional<py::Value> b = toPython(by);
  if (a && b) {
    after = fromPython(interpreter_.binary(op, *a, *b));
  } else if (before.isNumber() || by.isNumber()) {
    after = Value::scalar(ScalarOrigin::Other);
    after.index = makeIndex(op, before.asNumber(), by.asNumber());
  } else if (tracer_) {
    tracer_->refuse(site(*stmt.targets[0]), "what is changed in place here is not followed");
  }
  bind(*stmt.targets[0], after);
}

void KernelReader::branch(const Block &statements, const Index &condition, bool expected) {
  loops_.guard(condition, expected);
  block(statements);
  loops_.unguard();
}

void KernelReader::ifStatement(const Stmt &stmt) {
  const Expr *condition = stmt.value;
  if (plainCallee(*condition).path() == "pro.constexpr" && condition->children.size() == 2) {
    condition = condition->children[1];
  }
  Value value = evaluate(*condition);
  if (std::optional<py::Value> known = toPython(value)) {
    py::Value truth = interpreter_.truth(*known);
    if (truth.is(py::Kind::Bool)) {
      block(truth.integer != 0 ? stmt.body : stmt.orelse);
      return;
    }
  }
  Flow before = save();
  Index chooses = value.asIndex();
  if (tracer_) {
    tracer_->beginBranch(chooses, site(*stmt.value));
  }
  branch(stmt.body, chooses, true);
  Flow first = save();
  restore(before);
  if (tracer_) {
    tracer_->otherwise();
  }
  branch(stmt.orelse, chooses, false);
  const std::string *outer = std::exchange(joinReason_, value.isUnknown() ? &value.why : nullptr);
  endWays(first, site(*stmt.value));
  joinReason_ = outer;
}

/// Statements that leave a round early, or the loop: then nobody knows which rounds run as a whole.
bool jumps(const std::vector<const Stmt *> &statements, bool inLoop) {
  return std::any_of(statements.begin(), statements.end(), [&](const Stmt *stmt) {
    if (stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class) {
      return false;
    }
    bool leaves = stmt->kind == Stmt::Kind::Break || stmt->kind == Stmt::Kind::Continue;
    bool nested = stmt->kind == Stmt::Kind::For || stmt->kind == Stmt::Kind::While;
    return stmt->kind == Stmt::Kind::Return || (leaves && inLoop) || jumps(stmt->body, inLoop && !nested) ||
           jumps(stmt->orelse, inLoop);
  });
}

/// What the body used of a name that it then binds to something else is not what the next round finds there.
void KernelReader::nextRound(const Flow &before) {
  Round done = std::move(rounds_.back());
  rounds_.pop_back();
  if (!tracer_) {
    return;
  }
  const std::map<std::string_view, Local> &locals = frames_.back().locals;
  for (const auto &[name, at] : done.used) {
    auto first = before.locals.find(name);
    auto last = locals.find(name);
    bool same = first == before.locals.end() || last == locals.end() || first->second.value.kind == ValueKind::Scalar ||
                sameValue(first->second.value, last->second.value);
    if (!same) {
      tracer_->refuse(at, "`" + std::string(name) + "` is another one in the next round");
    }
  }
}

/// One reading of the body stands for every round: what it assigns is not known when it begins.
void KernelReader::loopBody(const Stmt &stmt, const Expr *index, const Index &variable) {
  std::set<std::string_view> assigned;
  py::assignedNames(stmt.body, assigned);
  std::map<std::string_view, Local> &locals = frames_.back().locals;
  Round round;
  beginRounds(stmt, round);
  beginCells(stmt, assigned, round);
  for (auto &[name, local] : locals) {
    if (!assigned.contains(name) || !local.value.isNumber()) {
      continue;
    }
    Index first = tracer_ ? local.value.asNumber() : nullptr;
    local.value = Value::scalar(ScalarOrigin::Other, local.value.dtype);
    if (first) {
      TraceCarried one;
      one.within = tracer_->variable(std::string(name), local.at);
      one.first = std::move(first);
      local.value.index = variableIndex(one.within);
      round.carried.emplace_back(name, std::move(one));
    }
  }
  order(); // what is pending when a round begins is the previous one's too
  Flow before = save();
  if (index) {
    Value made = Value::scalar(ScalarOrigin::LoopIndex, DType::Int64);
    made.index = variable;
    bind(*index, made);
  }
  bool whole = !jumps(stmt.body, true);
  if (!whole) {
    loops_.enterUnknown();
  }
  round.at = {frames_.back().module, stmt.value->range};
  round.frames = frames_.size();
  round.begun = bindings_;
  rounds_.push_back(std::move(round));
  block(stmt.body);
  if (!whole) {
    loops_.leave();
  }
  ended_ = false;
  std::vector<std::pair<std::string_view, Value>> behind = endRounds();
  std::vector<std::pair<int, Index>> cellsBehind = endCells();
  nextRound(before);
  for (auto &[name, local] : frames_.back().locals) {
    if (assigned.contains(name) && local.value.isNumber()) {
      local.value = Value::scalar(ScalarOrigin::Other);
    }
  }
  join(before);
  for (auto &[id, number] : cellsBehind) {
    cells_[id].value.index = std::move(number);
  }
  for (auto &[name, value] : behind) {
    auto local = frames_.back().locals.find(name);
    if (name == kLeftName || name == kResultName) {
      setPseudo(name, std::move(value));
    } else if (local != frames_.back().locals.end() && local->second.value.isNumber()) {
      local->second.value.index = value.index;
    }
  }
  order();
}

std::vector<Value> KernelReader::checkRange(const Expr &call) {
  for (const syntax::Keyword &keyword : call.keywords) {
    report(diag::ProRangeKwargs, {frames_.back().module, keyword.nameRange.end > 0 ? keyword.nameRange : call.range},
           "`pl.range` takes 1-3 positional arguments (stop; start, stop; start, stop, step) and no keyword");
  }
  if (call.keywords.empty() && (call.children.size() < 2 || call.children.size() > 4)) {
    report(diag::ProRangeKwargs, site(call),
           "`pl.range` takes 1-3 positional arguments, got " + std::to_string(call.children.size() - 1));
  }
  std::vector<Value> out;
  for (size_t i = 1; i < call.children.size(); ++i) {
    const Expr &written = *call.children[i];
    Value bound = evaluate(written);
    bool number = bound.integer() || (bound.kind == ValueKind::Scalar && bound.real < 0);
    if (!number && !bound.isUnknown()) {
      report(diag::ProRangeKwargs, site(written), "`pl.range` counts by integers, got " + describe(bound));
    } else if (i == 3 && bound.integer() == 0) {
      report(diag::ProRangeKwargs, site(written), "a loop whose step is 0 never ends");
    }
    out.push_back(std::move(bound));
  }
  if (out.size() == 1) {
    out.insert(out.begin(), Value::ofPython(py::Value::ofInt(0)));
  }
  if (out.size() == 2) {
    out.push_back(Value::ofPython(py::Value::ofInt(1)));
  }
  out.resize(3);
  return out;
}

void KernelReader::forLoop(const Stmt &stmt) {
  const Expr &iterator = *stmt.value;
  bool called = iterator.kind == Expr::Kind::Call;
  Value callee = plainCallee(iterator);
  std::vector<Value> rounds(3);
  const std::string loops = spelledIn(frames_.back().module, "range");
  if (called && callee.path() == "pro.range") {
    rounds = checkRange(iterator);
  } else if (called && callee.isPython(py::Kind::Class) && iterator.children[0]->text == "range") {
    report(diag::ProRangeBuiltin, site(iterator), "`range` of Python is no loop of a kernel: use `pl.range`")
        .fix("use `" + loops + "`", site(*iterator.children[0]), loops);
  } else if (called && callee.isPython(py::Kind::Builtin) && iterator.children[0]->text == "range") {
    report(diag::ProRangeBuiltin, site(iterator), "`range` of Python is no loop of a kernel: use `pl.range`")
        .fix("use `" + loops + "`", site(*iterator.children[0]), loops);
  } else if (!called || callee.kind != ValueKind::Unknown) {
    report(diag::ProRangeBuiltin, site(iterator), "a loop of a kernel counts: `for i in pl.range(stop)`, and so on");
  }
  const Expr *target = stmt.targets.empty() ? nullptr : stmt.targets[0];
  if (target && target->kind != Expr::Kind::Name) {
    report(diag::ProRangeBuiltin, site(*target), "a loop of a kernel binds one name");
  }
  std::string name(target && target->kind == Expr::Kind::Name ? target->text : "");
  Index variable = loops_.enter(std::move(name), rounds[0].asIndex(), rounds[1].asIndex(), rounds[2].asIndex(),
                                {frames_.back().module, iterator.range});
  if (tracer_) {
    tracer_->beginLoop(target && target->kind == Expr::Kind::Name ? std::string(target->text) : "", variable,
                       rounds[0].asIndex(), rounds[1].asIndex(), rounds[2].asIndex(), site(iterator));
  }
  loopBody(stmt, target, variable);
  if (tracer_) {
    tracer_->endLoop();
  }
  loops_.leave();
  if (target) {
    bind(*target, Value::scalar(ScalarOrigin::LoopIndex, DType::Int64)); // of the last round, if there was one
  }
  if (tracer_ && !stmt.orelse.empty()) {
    tracer_->refuse(site(iterator), "an `else` of a loop is not lowered");
  }
  block(stmt.orelse);
}

void KernelReader::whileLoop(const Stmt &stmt) {
  if (countedLoop(stmt) || boundedLoop(stmt)) {
    return;
  }
  std::set<std::string_view> assigned;
  py::assignedNames(stmt.body, assigned);
  for (auto &[name, local] : frames_.back().locals) {
    if (assigned.contains(name) && local.value.isNumber()) {
      local.value = Value::scalar(ScalarOrigin::Other, local.value.dtype);
    }
  }
  Value condition = evaluate(*stmt.value);
  std::optional<py::Value> known = toPython(condition);
  py::Value truth = known ? interpreter_.truth(*known) : py::Value();
  if (truth.is(py::Kind::Bool) && truth.integer == 0) {
    return;
  }
  loops_.enterUnknown();
  if (tracer_) {
    tracer_->refuse(site(*stmt.value), "a `while` loop that does not count is not lowered");
    tracer_->beginLoop("", nullptr, nullptr, nullptr, nullptr, site(*stmt.value));
  }
  loopBody(stmt, nullptr);
  if (tracer_) {
    tracer_->endLoop();
  }
  loops_.leave();
  block(stmt.orelse);
}

void KernelReader::withStatement(const Stmt &stmt) {
  std::string_view path;
  bool called = stmt.items.size() == 1 && stmt.items[0].value->kind == Expr::Kind::Call;
  Value callee = called ? plainCallee(*stmt.items[0].value) : Value();
  path = callee.path();
  bool isSection = path == "pro.section_cube" || path == "pro.section_vector";
  if (isSection && section_ != Core::Any) {
    report(diag::ProWithForm, site(*stmt.items[0].value), "a section stands in no other one");
  }
  if (isSection && stmt.items[0].target) {
    report(diag::ProWithForm, site(*stmt.items[0].target), "a section has no value: leave `as` out");
  }
  if (!isSection) {
    if (!stmt.items.empty()) {
      Site first = site(*stmt.items[0].value);
      Site all{first.module, {first.range.begin, stmt.items.back().value->range.end}};
      report(diag::ProWithForm, all,
             "`with` takes exactly one of `pl.section_cube()` and `pl.section_vector()`" +
                 std::string(stmt.items.size() > 1 ? ", got " + std::to_string(stmt.items.size()) : ""));
    }
    // One of several sections decides nothing about the core.
    if (tracer_) {
      tracer_->refuse(site(*stmt.items[0].value), "a `with` that is no section is not followed");
    }
    block(stmt.body);
    return;
  }
  Core wanted = path == "pro.section_cube" ? Core::Cube : Core::Vector;
  (wanted == Core::Cube ? sections_.cube : sections_.vector) = true;
  if (core_ != Core::Any && core_ != wanted) {
    return; // the other reading's
  }
  Core outer = section_;
  section_ = wanted;
  block(stmt.body);
  section_ = outer;
}

void KernelReader::returnStatement(const Stmt &stmt) {
  Frame &frame = frames_.back();
  if (!frame.helper) {
    if (stmt.value && stmt.value->kind != Expr::Kind::None) {
      report(diag::ProReturnValue, site(*stmt.value),
             "a kernel returns nothing: results are written through an output tensor");
    }
    leave(kReturn, {frame.module, stmt.range});
    return;
  }
  Value value = stmt.value ? evaluate(*stmt.value) : Value::ofPython(py::Value::none());
  frame.result = frame.returned ? joined(frame.result, value) : value;
  frame.returned = true;
  if (tracer_) {
    setPseudo(kResultName, value);
  }
  leave(kReturn, {frame.module, stmt.range});
}

} // namespace placid::pro
