// SPDX-License-Identifier: Apache-2.0
// Control flow that is not known: every way starts from the same bindings, and afterwards a name keeps the value on
// which the ways agree. Objects that existed before and change in one way are lost, for all who hold them.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;
using syntax::Stmt;

namespace {

/// How much a value counts when ways disagree: a module that is only sometimes there is there wherever it is used.
bool isStandIn(Value value) { return value.isNone() || value.is(Kind::Foreign) || value.isUnknown(); }

bool isDialect(Value value) { return value.is(Kind::Pl) && textOf(value).find('.') == std::string::npos; }

/// `left` bounds the comparison of nested tuples; beyond it they count as different.
bool same(Value a, Value b, unsigned &left) {
  if (a.kind != b.kind || left == 0) {
    return false;
  }
  --left;
  switch (a.kind) {
  case Kind::Unknown:
  case Kind::None:
  case Kind::Ellipsis:
    return true;
  case Kind::Bool:
  case Kind::Int:
    return a.integer == b.integer;
  case Kind::Float:
    return a.real == b.real;
  case Kind::Big:
    return BigInt::compare(bigOf(a), bigOf(b)) == 0;
  case Kind::Str:
  case Kind::Bytes:
  case Kind::Pl:
  case Kind::DynDim:
  case Kind::Foreign:
    return textOf(a) == textOf(b);
  case Kind::Tuple: {
    const std::vector<Value> &x = a.as<SequenceObject>().items;
    const std::vector<Value> &y = b.as<SequenceObject>().items;
    return a.object == b.object ||
           (x.size() == y.size() &&
            std::equal(x.begin(), x.end(), y.begin(), [&](Value p, Value q) { return same(p, q, left); }));
  }
  default:
    return a.object == b.object;
  }
}

bool same(Value a, Value b) {
  unsigned left = 4096;
  return same(a, b, left);
}

} // namespace

void Interpreter::touch(Object *object) {
  noteChange(object);
  if (uncertain_ > 0 && object->serial <= mark_ && !object->poison) {
    object->poison = unknown("it may have been changed in a branch that is not known to be taken").object;
  }
}

void Interpreter::touchDict(DictObject &dict) {
  touch(&dict);
  if (!dict.shows.isNone() && !dict.shows.object->poison) {
    dict.shows.object->poison = unknown("its attributes are changed through `__dict__`").object;
  }
}

Value Interpreter::fetch(Value value) {
  bool holder = value.is(Kind::List) || value.is(Kind::Dict) || value.is(Kind::Set) || value.is(Kind::Iterator) ||
                value.is(Kind::Instance);
  return holder && value.object->poison ? Value::make(Kind::Unknown, value.object->poison) : value;
}

void Interpreter::lose(Value argument, Value why) {
  bool holder =
      argument.is(Kind::List) || argument.is(Kind::Dict) || argument.is(Kind::Set) || argument.is(Kind::Iterator);
  if (argument.is(Kind::Iterator) && !argument.object->poison && argument.as<SequenceObject>().lazy &&
      argument.as<SequenceObject>().lazy->type != LazyItems::Type::Walk) {
    argument.object->poison = why.isUnknown() && why.object ? why.object : unknown("it may have been changed").object;
    for (Value source : argument.as<SequenceObject>().lazy->sources) {
      lose(source, why); // what takes from it takes from these
    }
  }
  if (holder && !argument.object->poison) {
    argument.object->poison = why.isUnknown() && why.object ? why.object : unknown("it may have been changed").object;
  }
}

void Interpreter::forget(const Block &statements, Frame &frame, Value why) {
  std::set<std::string_view> names;
  assignedNames(statements, names);
  for (std::string_view name : names) {
    bindSlot(frame, name, {why, {}, {}, true});
  }
}

/// What one way made of the names; `before` of its changes holds what they are after it.
struct Interpreter::Way {
  std::vector<Change> changes;
  std::map<std::pair<const Namespace *, std::string_view>, size_t> index;
  Flow flow = Flow::Next;
};

Interpreter::Way Interpreter::walk(const std::function<Flow()> &run) {
  uint64_t outerMark = mark_;
  journals_.emplace_back();
  mark_ = heap_.serial();
  ++uncertain_;
  ++ways_;
  Way way;
  way.flow = run();
  --ways_;
  --uncertain_;
  mark_ = outerMark;
  Journal journal = std::move(journals_.back());
  journals_.pop_back();
  for (Change &change : journal.changes) {
    const Slot *now = change.names->find(change.name);
    std::optional<Slot> after = now ? std::optional<Slot>(*now) : std::nullopt;
    Slot gone;
    gone.present = false;
    change.names->set(change.name, change.before.value_or(gone));
    change.before = after;
  }
  way.changes = std::move(journal.changes);
  way.index = std::move(journal.index);
  return way;
}

void Interpreter::joinWays(const std::vector<Way> &taken, Namespace &names, std::string_view name, Value why) {
  const Slot *outside = names.find(name);
  std::optional<Slot> chosen;
  bool agree = true;
  for (const Way &way : taken) {
    auto found = way.index.find({&names, name});
    std::optional<Slot> candidate = found != way.index.end() ? way.changes[found->second].before
                                    : outside                ? std::optional<Slot>(*outside)
                                                             : std::nullopt;
    if (!candidate || !candidate->present || (chosen && same(chosen->value, candidate->value))) {
      continue; // a way that leaves the name unbound is not the one its users come from
    }
    if (!chosen || (isStandIn(chosen->value) && isDialect(candidate->value))) {
      chosen = candidate;
    } else if (!(isStandIn(candidate->value) && isDialect(chosen->value))) {
      agree = false;
    }
  }
  if (chosen) {
    chosen->value = agree ? chosen->value : why;
    setSlot(names, name, *chosen);
  }
}

void Interpreter::joinWays(const std::vector<Way> &taken, Value why) {
  std::vector<std::pair<Namespace *, std::string_view>> order;
  std::set<std::pair<const Namespace *, std::string_view>> listed;
  for (const Way &way : taken) {
    for (const Change &change : way.changes) {
      if (listed.insert({change.names, change.name}).second) {
        order.emplace_back(change.names, change.name);
      }
    }
  }
  for (const auto &[names, name] : order) {
    joinWays(taken, *names, name, why);
  }
}

Interpreter::Flow Interpreter::ways(const std::vector<std::function<Flow()>> &all, Frame &frame, Value why) {
  std::vector<Way> taken;
  Value returned;
  bool anyReturned = false;
  bool returnsAgree = true;
  bool anyRaised = false;
  bool anyLoopExit = false;
  Value lostException = exception_;
  spend(4 * all.size());
  for (const std::function<Flow()> &run : all) {
    Way way = walk(run);
    if (way.flow == Flow::Return) {
      returnsAgree = returnsAgree && (!anyReturned || same(returned, frame.returned));
      returned = frame.returned;
      anyReturned = true;
    } else if (way.flow == Flow::Raise) {
      anyRaised = true;
    } else {
      anyLoopExit |= way.flow != Flow::Next;
      taken.push_back(std::move(way));
    }
  }
  if (taken.empty()) {
    if (anyReturned) {
      frame.returned = returnsAgree ? returned : why;
      return Flow::Return;
    }
    return Flow::Raise;
  }
  exception_ = lostException;
  mayRaise_ |= anyRaised;
  if (anyReturned) {
    // The function may be over; what follows is what happens when it is not.
    bool agrees = returnsAgree && (!frame.mayHaveReturned || same(frame.mayReturn, returned));
    frame.mayReturn = agrees ? returned : why;
    frame.mayHaveReturned = true;
  }
  joinWays(taken, why);
  // One `break` or `continue` among the ways: the loop around cannot tell which; its own ways decide.
  if (anyLoopExit &&
      std::all_of(taken.begin(), taken.end(), [&](const Way &way) { return way.flow == taken[0].flow; })) {
    return taken[0].flow;
  }
  if (anyLoopExit) {
    frame.returned = why;
    frame.mayHaveReturned = frame.env->type == Env::Type::Function;
    frame.mayReturn = why;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::unknownLoop(const Stmt &stmt, Value why, Frame &frame) {
  Value inLoop = unknown("it is set in a loop" + (reasonOf(why).empty() ? "" : ": " + std::string(reasonOf(why))));
  Flow flow = ways({[&] {
                      if (stmt.kind == Stmt::Kind::For) {
                        bindTarget(*stmt.targets[0], unknown("it is a loop variable"), frame);
                      }
                      forget(stmt.body, frame, inLoop); // a round begins with what the one before left
                      Flow end = block(stmt.body, frame);
                      forget(stmt.body, frame, inLoop);
                      return end == Flow::Return || end == Flow::Raise ? end : Flow::Next;
                    },
                    [] { return Flow::Next; }},
                   frame, inLoop);
  if (flow != Flow::Next || stmt.orelse.empty()) {
    return flow;
  }
  return ways({[&] { return block(stmt.orelse, frame); }, [] { return Flow::Next; }}, frame, inLoop);
}

} // namespace placid::py
