// SPDX-License-Identifier: Apache-2.0
// Statements that raise, and those that end what is raised: `assert`, `raise`, `with`, `try`. Apart from
// statements.cpp, which only hands exceptions on. Knows no library.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;
using syntax::Stmt;

Interpreter::Flow Interpreter::assertStatement(const Stmt &stmt, Frame &frame) {
  Value value = eval(*stmt.operands[0], frame);
  Value holds = value.isRaised() ? value : truth(value);
  if (holds.isRaised()) {
    return Flow::Raise;
  }
  if (holds.isUnknown() || holds.integer) {
    return Flow::Next;
  }
  std::string message;
  if (stmt.operands.size() > 1) {
    Value said = eval(*stmt.operands[1], frame);
    Value shown = said.isRaised() ? said : str(said);
    message = shown.is(Kind::Str) ? textOf(shown) : "";
  }
  raise("AssertionError", message.empty() ? "`" + spell(*stmt.operands[0]) + "` does not hold" : message,
        stmt.operands[0]);
  return Flow::Raise;
}

Interpreter::Flow Interpreter::raiseStatement(const Stmt &stmt, Frame &frame) {
  if (stmt.operands.empty()) {
    if (!exception_.is(Kind::Instance)) {
      raise("RuntimeError", "No active exception to reraise");
    }
    raisedNow_ = true;
    return Flow::Raise;
  }
  Value what = eval(*stmt.operands[0], frame);
  if (what.isRaised()) {
    return Flow::Raise;
  }
  if (what.is(Kind::Class)) {
    Arguments none;
    none.at = stmt.operands[0];
    what = call(what, none);
    if (what.isRaised()) {
      return Flow::Raise;
    }
  }
  if (what.is(Kind::Instance) && what.as<InstanceObject>().type->isException) {
    exception_ = what;
    exceptionAt_ = {currentTree(), stmt.range};
    raisedNow_ = true;
  } else {
    raise("Exception", "an exception that is not known", stmt.operands[0]);
  }
  return Flow::Raise;
}

Interpreter::Flow Interpreter::withStatement(const Stmt &stmt, Frame &frame) { return withItem(stmt, 0, frame); }

/// The contexts from `next` on, and the block inside them. The end of a context sees what the block raises.
Interpreter::Flow Interpreter::withItem(const Stmt &stmt, size_t next, Frame &frame) {
  if (next == stmt.items.size()) {
    return block(stmt.body, frame);
  }
  Deeper deeper(*this);
  if (!deeper) {
    forget({&stmt}, frame, tooMuch());
    return Flow::Next;
  }
  const syntax::WithItem &item = stmt.items[next];
  Value context = fetch(item.value ? eval(*item.value, frame) : unknown("an empty `with`"));
  if (context.isRaised()) {
    return Flow::Raise;
  }
  bool exits = false;
  Value entered = context;
  if (context.is(Kind::Instance)) {
    bool found = false;
    entered = dunder(context, "__enter__", {}, found);
    if (entered.isRaised()) {
      return Flow::Raise;
    }
    entered = found ? entered : unknown("`" + spell(*item.value) + "` is no context");
    exits = classAttribute(context.as<InstanceObject>().type, "__exit__") != nullptr;
  } else if (!context.isUnknown()) {
    entered = unknown("it is set by `with " + spell(*item.value) + "`", item.value);
  }
  Flow flow = item.target ? bindTarget(*item.target, entered, frame) : Flow::Next;
  const unsigned ends = exits || context.isUnknown() ? 1 : 0;
  contexts_ += ends;
  flow = flow == Flow::Next ? withItem(stmt, next + 1, frame) : flow;
  contexts_ -= ends;
  if (flow == Flow::Raise && context.isUnknown()) { // it may end what is raised
    forget(stmt.body, frame, unknown("whether `" + spell(*item.value) + "` ends an exception", item.value));
    mayRaise_ = true;
    return Flow::Next;
  }
  return exits ? exitContext(stmt, context, flow, frame) : flow;
}

Interpreter::Flow Interpreter::exitContext(const Stmt &stmt, Value context, Flow flow, Frame &frame) {
  Value exception = exception_;
  Place at = exceptionAt_;
  Value kept = frame.returned;
  bool raised = flow == Flow::Raise && exception.is(Kind::Instance);
  Value type = raised ? Value::make(Kind::Class, exception.as<InstanceObject>().type) : Value::none();
  bool found = false;
  Value out =
      dunder(context, "__exit__",
             {type, raised ? exception : Value::none(), raised ? unknown("a traceback") : Value::none()}, found);
  if (out.isRaised()) {
    return Flow::Raise;
  }
  frame.returned = kept;
  if (flow != Flow::Raise) {
    return flow;
  }
  Value swallows = found ? truth(out) : Value::ofBool(false);
  if (swallows.isRaised()) {
    return Flow::Raise;
  }
  exception_ = exception;
  exceptionAt_ = at;
  if (swallows.isUnknown()) {
    Value why = unknown("whether `__exit__` ends an exception");
    forget(stmt.body, frame, why);
    mayRaise_ = true;
    return Flow::Next;
  }
  return swallows.integer ? Flow::Next : Flow::Raise;
}

int Interpreter::handles(const Stmt &clause, Frame &frame) {
  if (!clause.value) {
    return 1;
  }
  std::vector<const Expr *> types{clause.value};
  if (clause.value->kind == Expr::Kind::Tuple) {
    types = clause.value->children;
  }
  const ClassObject *raised = exception_.is(Kind::Instance) ? exception_.as<InstanceObject>().type : nullptr;
  int out = 0;
  for (const Expr *expr : types) {
    Value type = eval(*expr, frame);
    if (!type.is(Kind::Class) || !raised) {
      out = -1;
    } else if (raised->derives(&type.as<ClassObject>())) {
      return 1;
    }
  }
  return out;
}

Interpreter::Flow Interpreter::handlerBlock(const Stmt &clause, Value exception, Frame &frame) {
  for (const Expr *target : clause.targets) {
    bindTarget(*target, exception, frame);
  }
  Flow end = block(clause.body, frame);
  for (const Expr *target : clause.targets) { // the clause takes its name back
    if (target->kind == Expr::Kind::Name) {
      Slot gone;
      gone.present = false;
      bindSlot(frame, target->text, gone);
    }
  }
  return end;
}

Interpreter::Flow Interpreter::anyHandler(const std::vector<const Stmt *> &handlers, bool orNone, Frame &frame) {
  std::vector<std::function<Flow()>> all;
  if (orNone) {
    all.emplace_back([] { return Flow::Next; });
  }
  for (const Stmt *clause : handlers) {
    all.emplace_back([&, clause] { return handlerBlock(*clause, unknown("it is an exception"), frame); });
  }
  return ways(all, frame, unknown("it is set in a `try` block"));
}

Interpreter::Flow Interpreter::handleRaised(const std::vector<const Stmt *> &handlers, Value outer, Frame &frame) {
  Value exception = exception_;
  for (const Stmt *clause : handlers) {
    int fits = handles(*clause, frame);
    if (fits == 0) {
      continue;
    }
    exception_ = exception;
    Flow flow = fits == 1 ? handlerBlock(*clause, exception, frame)
                          : ways({[&] { return handlerBlock(*clause, exception, frame); }, [] { return Flow::Raise; }},
                                 frame, unknown("it is set in a `try` block"));
    if (flow != Flow::Raise) {
      exception_ = outer;
    }
    return flow;
  }
  exception_ = exception;
  return Flow::Raise;
}

Interpreter::Flow Interpreter::tryStatement(const Stmt &stmt, Frame &frame) {
  bool outerMay = mayRaise_;
  mayRaise_ = false;
  Value outerException = exception_;
  auto clauses = [&](std::string_view text) {
    std::vector<const Stmt *> out;
    std::copy_if(stmt.orelse.begin(), stmt.orelse.end(), std::back_inserter(out),
                 [&](const Stmt *clause) { return clause->text == text; });
    return out;
  };
  std::vector<const Stmt *> handlers = clauses(syntax::kExcept);
  ++tries_;
  Flow flow = block(stmt.body, frame);
  --tries_;
  bool mayRaise = mayRaise_;
  mayRaise_ = outerMay;
  if (flow == Flow::Raise && mayRaise && !handlers.empty()) {
    // Something unknown ran before: what is raised may be another exception.
    flow = anyHandler(handlers, false, frame);
    exception_ = flow != Flow::Raise ? outerException : exception_;
  } else if (flow == Flow::Raise) {
    flow = handleRaised(handlers, outerException, frame);
  } else {
    for (const Stmt *clause : clauses(syntax::kElse)) {
      flow = flow == Flow::Next ? block(clause->body, frame) : flow;
    }
    if (!mayRaise) {
      // Kernels are found wherever they stand, also in handlers that nothing leads to.
      std::erase_if(handlers, [&](const Stmt *clause) { return !holdsNewKernel(clause->body); });
    }
    if (flow == Flow::Next && !handlers.empty()) {
      // Something unknown ran: its exception may have led here instead. The body's bindings are one way.
      flow = anyHandler(handlers, true, frame);
    }
  }
  for (const Stmt *clause : clauses(syntax::kFinally)) {
    Value kept = frame.returned;
    Value exception = exception_;
    Flow last = block(clause->body, frame);
    if (last != Flow::Next) {
      flow = last;
    } else {
      frame.returned = kept;
      exception_ = exception;
    }
  }
  return flow;
}

} // namespace placid::py
