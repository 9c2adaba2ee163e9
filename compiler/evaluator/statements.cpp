// SPDX-License-Identifier: Apache-2.0
// Statements: modules, bindings, control flow whose conditions are known. What is not known is walked in ways.cpp.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>
#include <cassert>

namespace placid::py {

using syntax::Expr;
using syntax::Stmt;

namespace {

bool isMainGuard(const Stmt &stmt) {
  if (stmt.kind != Stmt::Kind::If || stmt.value->kind != Expr::Kind::Compare || stmt.value->children.size() != 2 ||
      stmt.value->operators != std::vector<std::string_view>{"=="}) {
    return false;
  }
  auto is = [&](size_t at, Expr::Kind kind, std::string_view text) {
    return stmt.value->children[at]->kind == kind && stmt.value->children[at]->text == text;
  };
  return (is(0, Expr::Kind::Name, "__name__") && is(1, Expr::Kind::String, "__main__")) ||
         (is(1, Expr::Kind::Name, "__name__") && is(0, Expr::Kind::String, "__main__"));
}

} // namespace

void assignedNames(const std::vector<const Stmt *> &statements, std::set<std::string_view> &out) {
  std::vector<const Expr *> targets;
  for (const Stmt *stmt : statements) {
    if (stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class) {
      out.insert(stmt->name);
      continue;
    }
    for (const syntax::ImportedName &name : stmt->imports) {
      bool dotted = stmt->kind == Stmt::Kind::Import && name.asName == name.name;
      out.insert(dotted ? name.asName.substr(0, name.asName.find('.')) : name.asName);
    }
    targets.insert(targets.end(), stmt->targets.begin(), stmt->targets.end());
    for (const syntax::WithItem &item : stmt->items) {
      if (item.target) {
        targets.push_back(item.target);
      }
    }
    assignedNames(stmt->body, out);
    assignedNames(stmt->orelse, out);
  }
  while (!targets.empty()) {
    const Expr *target = targets.back();
    targets.pop_back();
    if (target->kind == Expr::Kind::Name) {
      out.insert(target->text);
    } else if (target->kind == Expr::Kind::Tuple || target->kind == Expr::Kind::List ||
               target->kind == Expr::Kind::Starred) {
      targets.insert(targets.end(), target->children.begin(), target->children.end());
    }
  }
}

void Interpreter::runModule(ModuleObject *module) {
  Frame frame;
  frame.env = module->env;
  Frame *outer = frame_;
  frame_ = &frame;
  bool entry = module == entry_;
  const Stmt *before = entryStatement_;
  for (const Stmt *stmt : module->tree->body) {
    uint64_t unitBefore = unitLeft_;
    if (entry) {
      entryStatement_ = stmt;
      beginUnit(limits_.unit);
    } else if (spent()) {
      beginUnit(limits_.unit / 100); // the import used it up; a module's own small statements are still followed
    }
    if (!isMainGuard(*stmt) && statement(*stmt, frame) == Flow::Raise) {
      recover(*stmt, frame);
    }
    if (spent()) {
      loseChanged();
    }
    unitLeft_ = entry ? unitBefore : unitLeft_;
  }
  entryStatement_ = before;
  module->state = ModuleObject::State::Loaded;
  frame_ = outer;
}

/// A statement came to the end of its budget: what it had begun to change is not what Python would leave.
void Interpreter::loseChanged() {
  Value why = tooMuch();
  for (Object *object : changed_) {
    object->poison = object->poison ? object->poison : why.object;
  }
  for (const auto &[env, name] : changedNames_) {
    setSlot(env->names, name, {why, {}, {}, true});
  }
}

/// A statement of a module raised: Python would end here. What the statement binds is lost, the rest is still worth
/// reading.
void Interpreter::recover(const Stmt &stmt, Frame &frame) {
  std::string message = exceptionText();
  if (uncertain_ == 0) {
    Fault made;
    made.at = exceptionAt_.module ? exceptionAt_ : Place{currentTree(), stmt.range};
    made.message = message;
    made.entryAt = entryStatement_ ? Place{entry_->tree.get(), entryStatement_->range} : Place();
    made.assumed = assumed_;
    faults_.push_back(std::move(made));
  }
  forget({&stmt}, frame, unknown("the statement that sets it raises " + message));
}

void Interpreter::runMain() {
  journals_.emplace_back();
  Frame frame;
  frame.env = entry_->env;
  frame_ = &frame;
  ++uncertain_;
  for (const Stmt *stmt : entry_->tree->body) {
    if (isMainGuard(*stmt)) {
      entryStatement_ = stmt;
      for (const Stmt *inner : stmt->body) {
        beginUnit(limits_.main);
        if (statement(*inner, frame) == Flow::Raise) {
          break;
        }
      }
    }
  }
  --uncertain_;
  entryStatement_ = nullptr;
  frame_ = nullptr;
  Journal journal = std::move(journals_.back());
  journals_.pop_back();
  // The variables around a kernel that was made there stay with it.
  std::set<const Namespace *> kept;
  for (const KernelObject *kernel : kernels_) {
    for (Env *env = kernel->env; env && env->type != Env::Type::Module; env = env->parent) {
      kept.insert(&env->names);
    }
  }
  for (const Change &change : journal.changes) {
    Slot gone;
    gone.present = false;
    if (!kept.contains(change.names)) {
      change.names->set(change.name, change.before.value_or(gone));
    }
  }
}

Interpreter::Flow Interpreter::block(const Block &statements, Frame &frame) {
  for (const Stmt *stmt : statements) {
    Flow flow = statement(*stmt, frame);
    if (flow != Flow::Next) {
      return flow;
    }
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::statement(const Stmt &stmt, Frame &frame) {
  if (!spend(1)) {
    forget({&stmt}, frame, tooMuch());
    return Flow::Next;
  }
  if (depth_ >= limits_.depth) {
    forget({&stmt}, frame, unknown("the code around it is nested too deep"));
    return Flow::Next;
  }
  ++depth_;
  Flow flow = Flow::Next;
  switch (stmt.kind) {
  case Stmt::Kind::Assign:
    flow = assign(stmt, frame);
    break;
  case Stmt::Kind::AugAssign:
    flow = augment(stmt, frame);
    break;
  case Stmt::Kind::Expr:
    flow = eval(*stmt.value, frame).isRaised() ? Flow::Raise : Flow::Next;
    break;
  case Stmt::Kind::Return:
    frame.returned = stmt.value ? eval(*stmt.value, frame) : Value::none();
    flow = frame.returned.isRaised() ? Flow::Raise : Flow::Return;
    break;
  case Stmt::Kind::If:
    flow = ifStatement(stmt, frame);
    break;
  case Stmt::Kind::For:
    flow = forStatement(stmt, frame);
    break;
  case Stmt::Kind::While:
    flow = whileStatement(stmt, frame);
    break;
  case Stmt::Kind::With:
    flow = withStatement(stmt, frame);
    break;
  case Stmt::Kind::Function:
    flow = functionStatement(stmt, frame);
    break;
  case Stmt::Kind::Class:
    flow = classStatement(stmt, frame);
    break;
  case Stmt::Kind::Import:
    flow = importStatement(stmt, frame);
    break;
  case Stmt::Kind::ImportFrom:
    flow = importFrom(stmt, frame);
    break;
  case Stmt::Kind::Break:
    flow = Flow::Break;
    break;
  case Stmt::Kind::Continue:
    flow = Flow::Continue;
    break;
  case Stmt::Kind::Other:
    flow = otherStatement(stmt, frame);
    break;
  case Stmt::Kind::Pass:
  case Stmt::Kind::Error:
    break;
  }
  --depth_;
  return flow;
}

void Interpreter::setSlot(Namespace &names, std::string_view name, Slot slot) {
  assert((!slot.present || !slot.value.isRaised()) && "an exception is a result, no value to keep");
  if (!journals_.empty()) {
    Journal &journal = journals_.back();
    auto [at, added] = journal.index.try_emplace({&names, name}, journal.changes.size());
    if (added) {
      const Slot *before = names.find(name);
      journal.changes.push_back({&names, name, before ? std::optional<Slot>(*before) : std::nullopt});
      heap_.charge(sizeof(Change) + 64);
    }
  }
  heap_.charge(sizeof(Namespace::Entry));
  names.set(name, slot);
}

void Interpreter::bindSlot(Frame &frame, std::string_view name, Slot slot) {
  Env *env = frame.env;
  if (env->type == Env::Type::Function && env->facts) {
    if (env->facts->globals.contains(name)) {
      env = env->module->env;
      changedNames_.insert({env, name});
    } else if (env->facts->nonlocals.contains(name)) {
      for (Env *outer = env->parent; outer; outer = outer->parent) {
        if (outer->type == Env::Type::Function && outer->names.find(name)) {
          env = outer;
          break;
        }
      }
    }
  }
  if (env->type == Env::Type::Module && !defines_.empty()) {
    auto define = env->module == entry_ ? defines_.find(std::string(name))
                                        : defines_.find(env->module->name + "." + std::string(name));
    if (define != defines_.end()) {
      slot.value = define->second;
      usedDefines_.insert(define->first);
    }
  }
  noteChange(env);
  setSlot(env->names, name, slot);
}

void Interpreter::bind(Frame &frame, std::string_view name, Value value, source::ByteRange range) {
  bindSlot(frame, name, {value, range, {currentTree(), range}, true});
}

Interpreter::Flow Interpreter::bindTarget(const Expr &target, Value value, Frame &frame) {
  Value done = Value::none();
  switch (target.kind) {
  case Expr::Kind::Name:
    bind(frame, target.text, value, target.range);
    return Flow::Next;
  case Expr::Kind::Attribute: {
    Value base = eval(*target.children[0], frame);
    done = base.isRaised() ? base : setAttribute(base, target.text, value, target.range);
    break;
  }
  case Expr::Kind::Subscript: {
    Value base = eval(*target.children[0], frame);
    Value index = base.isRaised() ? base : indexOf(target, frame);
    done = index.isRaised() ? index : setItem(base, index, value);
    break;
  }
  case Expr::Kind::Tuple:
  case Expr::Kind::List: {
    std::vector<Value> items;
    Value seen = value.isUnknown() ? value : iterate(value, items, &target);
    if (seen.isRaised()) {
      return Flow::Raise;
    }
    const std::vector<const Expr *> &targets = target.children;
    auto star = std::find_if(targets.begin(), targets.end(),
                             [](const Expr *child) { return child->kind == Expr::Kind::Starred; });
    bool starred = star != targets.end();
    if (seen.isNone() && (starred ? items.size() + 1 < targets.size() : items.size() != targets.size())) {
      raise("ValueError",
            items.size() < targets.size()
                ? "not enough values to unpack (expected " + std::string(starred ? "at least " : "") +
                      std::to_string(targets.size() - (starred ? 1 : 0)) + ", got " + std::to_string(items.size()) + ")"
                : "too many values to unpack (expected " + std::to_string(targets.size()) + ")",
            &target);
      return Flow::Raise;
    }
    size_t next = 0;
    for (size_t i = 0; i < targets.size(); ++i) {
      Value item = seen;
      const Expr *to = targets[i];
      if (to->kind == Expr::Kind::Starred && !to->children.empty()) {
        to = to->children[0];
        if (seen.isNone()) {
          size_t count = items.size() - (targets.size() - 1);
          item = list({items.begin() + static_cast<std::ptrdiff_t>(next),
                       items.begin() + static_cast<std::ptrdiff_t>(next + count)});
          next += count;
        }
      } else if (seen.isNone()) {
        item = items[next++];
      }
      if (Flow flow = bindTarget(*to, item, frame); flow != Flow::Next) {
        return flow;
      }
    }
    return Flow::Next;
  }
  default:
    return Flow::Next;
  }
  return done.isRaised() ? Flow::Raise : Flow::Next;
}

Interpreter::Flow Interpreter::assign(const Stmt &stmt, Frame &frame) {
  if (!stmt.value) {
    return Flow::Next;
  }
  Value value = eval(*stmt.value, frame);
  if (value.isRaised()) {
    return Flow::Raise;
  }
  for (const Expr *target : stmt.targets) {
    if (Flow flow = bindTarget(*target, value, frame); flow != Flow::Next) {
      return flow;
    }
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::augment(const Stmt &stmt, Frame &frame) {
  const Expr &target = *stmt.targets[0];
  std::string_view op = stmt.text.empty() ? stmt.text : stmt.text.substr(0, stmt.text.size() - 1);
  Value base;
  Value index;
  Value before;
  if (target.kind == Expr::Kind::Attribute) {
    base = eval(*target.children[0], frame);
    before = base.isRaised() ? base : attribute(base, target.text, &target);
  } else if (target.kind == Expr::Kind::Subscript) {
    base = eval(*target.children[0], frame);
    index = base.isRaised() ? base : indexOf(target, frame);
    before = index.isRaised() ? index : subscript(base, index, &target);
  } else {
    before = eval(target, frame);
  }
  Value by = before.isRaised() ? before : eval(*stmt.value, frame);
  if (by.isRaised()) {
    return Flow::Raise;
  }
  bool changed = false;
  Value after = inPlace(op, before, by, stmt.value, changed);
  if (!changed) {
    after = binary(op, before, by, stmt.value);
  } else if (spent()) {
    after = tooMuch();
  }
  if (after.isRaised()) {
    return Flow::Raise;
  }
  if (target.kind == Expr::Kind::Attribute) {
    return setAttribute(base, target.text, after, target.range).isRaised() ? Flow::Raise : Flow::Next;
  }
  if (target.kind == Expr::Kind::Subscript) {
    return setItem(base, index, after).isRaised() ? Flow::Raise : Flow::Next;
  }
  return bindTarget(target, after, frame);
}

Interpreter::Flow Interpreter::ifStatement(const Stmt &stmt, Frame &frame) {
  Value value = eval(*stmt.value, frame);
  Value condition = value.isRaised() ? value : truth(value);
  if (condition.isRaised()) {
    return Flow::Raise;
  }
  if (condition.isUnknown()) {
    Value why = unknown("it depends on `" + spell(*stmt.value) + "`" +
                            (reasonOf(condition).empty() ? "" : ": " + std::string(reasonOf(condition))),
                        stmt.value);
    return ways({[&] { return block(stmt.body, frame); }, [&] { return block(stmt.orelse, frame); }}, frame, why);
  }
  return block(condition.integer ? stmt.body : stmt.orelse, frame);
}

Interpreter::Flow Interpreter::forStatement(const Stmt &stmt, Frame &frame) {
  Value iterable = eval(*stmt.value, frame);
  if (iterable.isRaised()) {
    return Flow::Raise;
  }
  iterable = fetch(iterable);
  std::vector<Value> items;
  // A long range is walked without making its items, and a list as it is at each step.
  RangeObject *range = iterable.is(Kind::Range) ? &iterable.as<RangeObject>() : nullptr;
  SequenceObject *list = iterable.is(Kind::List) ? &iterable.as<SequenceObject>() : nullptr;
  DictObject *dict = iterable.is(Kind::Dict) || iterable.is(Kind::Set) ? &iterable.as<DictObject>() : nullptr;
  SequenceObject *iterator = iterable.is(Kind::Iterator) ? &iterable.as<SequenceObject>() : nullptr;
  Value seen = range || list || iterator ? Value::none() : iterate(iterable, items, stmt.value);
  if (seen.isRaised()) {
    return Flow::Raise;
  }
  if (!seen.isNone()) {
    return unknownLoop(stmt, seen, frame);
  }
  const size_t size = dict ? dict->live : 0;
  for (uint64_t i = 0;; ++i) {
    if (dict && i > 0 && !fetch(iterable).isUnknown() && dict->live != size) {
      raise("RuntimeError",
            (iterable.is(Kind::Dict) ? "dictionary" : "Set") + std::string(" changed size during iteration"),
            stmt.value);
      return Flow::Raise;
    }
    if (list &&
        fetch(iterable).isUnknown()) { // changed in a way that may not be taken: any number of rounds may follow
      return unknownLoop(stmt, fetch(iterable), frame);
    }
    Value pulled;
    if (iterator) {
      Pull got = pull(*iterator, pulled);
      if (got == Pull::Lost) {
        return pulled.isRaised() ? Flow::Raise : unknownLoop(stmt, pulled, frame);
      }
      if (got == Pull::End) {
        break;
      }
    } else if (i >= (range ? range->size() : list ? list->items.size() : items.size())) {
      break;
    }
    if (!spend(1)) {
      forget({&stmt}, frame, tooMuch());
      return Flow::Next;
    }
    Value item = range      ? Value::ofInt(range->start + static_cast<int64_t>(i) * range->step)
                 : list     ? fetch(list->items[i])
                 : iterator ? pulled
                            : items[i];
    Flow flow = bindTarget(*stmt.targets[0], item, frame);
    flow = flow == Flow::Next ? block(stmt.body, frame) : flow;
    if (flow == Flow::Break) {
      return Flow::Next;
    }
    if (flow == Flow::Return || flow == Flow::Raise) {
      return flow;
    }
  }
  return block(stmt.orelse, frame);
}

Interpreter::Flow Interpreter::whileStatement(const Stmt &stmt, Frame &frame) {
  while (true) {
    if (!spend(1)) {
      forget({&stmt}, frame, tooMuch());
      return Flow::Next;
    }
    Value value = eval(*stmt.value, frame);
    Value condition = value.isRaised() ? value : truth(value);
    if (condition.isRaised()) {
      return Flow::Raise;
    }
    if (condition.isUnknown()) {
      return unknownLoop(stmt, condition, frame);
    }
    if (!condition.integer) {
      return block(stmt.orelse, frame);
    }
    Flow flow = block(stmt.body, frame);
    if (flow == Flow::Break) {
      return Flow::Next;
    }
    if (flow == Flow::Return || flow == Flow::Raise) {
      return flow;
    }
  }
}

Interpreter::Flow Interpreter::otherStatement(const Stmt &stmt, Frame &frame) {
  if (stmt.text == syntax::kTry) {
    return tryStatement(stmt, frame);
  }
  if (stmt.text == syntax::kMatch) {
    return matchStatement(stmt, frame);
  }
  if (stmt.text == "`assert`" && !stmt.operands.empty()) {
    return assertStatement(stmt, frame);
  }
  if (stmt.text == "`raise`") {
    return raiseStatement(stmt, frame);
  }
  if (stmt.text == "`del`") {
    for (const Expr *target : stmt.operands) {
      if (target->kind == Expr::Kind::Name) {
        Slot gone;
        gone.present = false;
        bindSlot(frame, target->text, gone);
      } else if (target->kind == Expr::Kind::Subscript) {
        Value base = eval(*target->children[0], frame);
        Value index = base.isRaised() ? base : indexOf(*target, frame);
        if (index.isRaised() || deleteItem(base, index).isRaised()) {
          return Flow::Raise;
        }
      }
    }
  }
  return Flow::Next;
}

} // namespace placid::py
