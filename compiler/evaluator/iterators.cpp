// SPDX-License-Identifier: Apache-2.0
// Iterators: what iter(), zip(), map() and generator expressions give. Each makes its items as they are asked for, so
// that iterators which share a source take turns, and what a later item raises or changes does not come too early.
// Apart from containers.cpp, which reads whole containers. Knows no library.
#include "compiler/evaluator/interpreter.h"

#include <utility>

namespace placid::py {

using syntax::Expr;
using syntax::PythonExpr;

Value Interpreter::lazyIterator(LazyItems::Type type, std::vector<Value> sources) {
  auto *lazy = heap_.make<LazyItems>();
  lazy->type = type;
  heap_.charge(sources.size() * sizeof(Value));
  lazy->sources = std::move(sources);
  auto *made = heap_.make<SequenceObject>();
  made->lazy = lazy;
  return Value::make(Kind::Iterator, made);
}

Value Interpreter::startIterator(SequenceObject &iterator, bool whole) {
  FunctionObject *function = std::exchange(iterator.pending, nullptr);
  if (!function) {
    return Value::none();
  }
  // Whoever takes one item after the other goes on in between, and sees some of its changes only: those are lost.
  const uint64_t outer = mark_;
  const Value before = exception_;
  const bool raisedBefore = raisedNow_;
  if (!whole) {
    mark_ = heap_.serial();
    ++uncertain_;
  }
  Value out = runFunction(*function, iterator.env, iterator.self, &iterator.items);
  if (!whole) {
    --uncertain_;
    mark_ = outer;
  }
  if (out.isRaised() && !whole && !iterator.items.empty()) { // it comes after the items
    exception_ = before;
    raisedNow_ = raisedBefore;
    iterator.tail = unknown("a generator that raises");
    return Value::none();
  }
  if (out.isUnknown()) {
    iterator.poison = out.object;
  }
  return out;
}

Value Interpreter::iteratorOf(Value iterable, const Expr *at) {
  iterable = fetch(iterable);
  switch (iterable.kind) {
  case Kind::Iterator:
    return iterable;
  case Kind::Dict:
  case Kind::Set:
    if (iterable.is(Kind::Set) && iterable.as<DictObject>().live > 1) {
      return unknown("the order of a set", at);
    }
    [[fallthrough]];
  case Kind::List:
  case Kind::Tuple:
  case Kind::Range: {
    Value made = lazyIterator(LazyItems::Type::Walk, {iterable});
    made.as<SequenceObject>().lazy->changes =
        iterable.is(Kind::Dict) || iterable.is(Kind::Set) ? iterable.as<DictObject>().changes : 0;
    return made;
  }
  case Kind::Instance: {
    if (iterable.as<InstanceObject>().type->isNamedTuple) {
      break;
    }
    bool found = false;
    Value made = dunder(iterable, "__iter__", {}, found);
    if (!found || made.is(Kind::Instance)) {
      return unknown("the items of " + typeName(iterable), at);
    }
    if (made.isLost() || made.is(Kind::Iterator)) {
      return made;
    }
    iterable = made;
    break;
  }
  default:
    break;
  }
  std::vector<Value> items;
  Value seen = iterate(iterable, items, at);
  return seen.isNone() ? heap_.sequence(std::move(items), Kind::Iterator) : seen;
}

Interpreter::Pull Interpreter::pull(SequenceObject &iterator, Value &item) {
  auto lost = [&](Value why) {
    item = why;
    return Pull::Lost;
  };
  if (iterator.poison) {
    return lost(Value::make(Kind::Unknown, iterator.poison));
  }
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    iterator.poison = tooMuch().object;
    return lost(Value::make(Kind::Unknown, iterator.poison));
  }
  if (Value begun = startIterator(iterator, /*whole=*/false); !begun.isNone()) {
    return lost(begun);
  }
  touch(&iterator); // in a way that may not be taken this item is still the one
  if (!iterator.lazy) {
    if (iterator.next < iterator.items.size()) {
      item = iterator.items[iterator.next++];
      return Pull::Item;
    }
    if (iterator.tail.isUnknown()) {
      iterator.poison = iterator.tail.object;
      return lost(iterator.tail);
    }
    return Pull::End;
  }
  LazyItems &lazy = *iterator.lazy;
  if (lazy.running) {
    return lost(unknown("an iterator that asks itself"));
  }
  lazy.running = true;
  Pull got = pullLazy(iterator, lazy, item);
  lazy.running = false;
  if (got == Pull::Lost && item.isRaised() && raises("StopIteration")) {
    // What map() and filter() call ends them; in a generator it is an error.
    item = lazy.type == LazyItems::Type::Generator ? raise("RuntimeError", "generator raised StopIteration")
                                                   : unknown("a function that raises StopIteration");
  }
  if (got == Pull::End) {
    if (lazy.type == LazyItems::Type::Walk || lazy.type == LazyItems::Type::Generator) { // it has ended for good
      iterator.lazy = nullptr;
      iterator.next = 0;
    }
  } else if (got == Pull::Lost && item.isUnknown() && !iterator.poison) {
    iterator.poison = item.object ? item.object : unknown("an item that is not known").object;
  }
  return got;
}

Interpreter::Pull Interpreter::pullWalk(SequenceObject &iterator, LazyItems &lazy, Value &item) {
  Value whole = fetch(lazy.sources[0]);
  if (whole.isUnknown()) {
    item = whole;
    return Pull::Lost;
  }
  if (whole.is(Kind::Range)) {
    auto &range = whole.as<RangeObject>();
    if (iterator.next >= range.size()) {
      return Pull::End;
    }
    item = Value::ofInt(range.start + static_cast<int64_t>(iterator.next++) * range.step);
    return Pull::Item;
  }
  if (whole.is(Kind::Dict) || whole.is(Kind::Set)) {
    auto &dict = whole.as<DictObject>();
    if (dict.changes != lazy.changes) {
      item = unknown("a dict that changes while its items are asked for");
      return Pull::Lost;
    }
    while (iterator.next < dict.entries.size() && !dict.entries[iterator.next].live) {
      ++iterator.next;
    }
    if (iterator.next >= dict.entries.size()) {
      return Pull::End;
    }
    item = dict.entries[iterator.next++].key;
    return Pull::Item;
  }
  const std::vector<Value> &items = whole.as<SequenceObject>().items;
  if (iterator.next >= items.size()) {
    return Pull::End;
  }
  item = fetch(items[iterator.next++]);
  return Pull::Item;
}

Interpreter::Pull Interpreter::pullLazy(SequenceObject &iterator, LazyItems &lazy, Value &item) {
  using Type = LazyItems::Type;
  if (lazy.type == Type::Walk) {
    return pullWalk(iterator, lazy, item);
  }
  if (lazy.type == Type::Generator) {
    return pullGenerator(lazy, item);
  }
  while (true) {
    std::vector<Value> row;
    for (Value source : lazy.sources) {
      Value next;
      Pull got = pull(source.as<SequenceObject>(), next);
      if (got == Pull::Lost) {
        item = next;
        return got;
      }
      if (got == Pull::End && lazy.strict) {
        // All end together, or Python raises.
        for (size_t k = row.size() + 1; row.empty() && k < lazy.sources.size() && got == Pull::End; ++k) {
          got = pull(lazy.sources[k].as<SequenceObject>(), next);
        }
        if (!row.empty() || got != Pull::End) {
          item = unknown("`zip` of iterables that differ in length");
          return Pull::Lost;
        }
      }
      if (got == Pull::End) {
        return got;
      }
      row.push_back(next);
    }
    if (lazy.type == Type::Zip && row.empty()) {
      return Pull::End; // of nothing
    }
    if (lazy.type == Type::Zip) {
      item = tuple(std::move(row));
      return Pull::Item;
    }
    if (lazy.type == Type::Enumerate) {
      item = tuple({lazy.number, row[0]});
      lazy.number = binary("+", lazy.number, Value::ofInt(1));
      return Pull::Item;
    }
    if (lazy.type == Type::Map) {
      item = call(lazy.function, std::move(row));
      return item.isRaised() ? Pull::Lost : Pull::Item;
    }
    Value verdict = lazy.function.isNone() ? row[0] : call(lazy.function, {row[0]});
    Value truthy = verdict.isRaised() ? verdict : truth(verdict);
    if (truthy.isLost()) {
      item = truthy;
      return Pull::Lost;
    }
    if (truthy.integer) {
      item = row[0];
      return Pull::Item;
    }
  }
}

Value Interpreter::beginRound(const syntax::ComprehensionClause &clause, Value item, Frame &frame) {
  if (bindTarget(*clause.target, item, frame) != Flow::Next) {
    return Value::raised();
  }
  for (const Expr *condition : clause.conditions) {
    Value value = eval(*condition, frame);
    Value truthy = value.isRaised() ? value : truth(value);
    if (truthy.isLost() || !truthy.integer) {
      return truthy;
    }
  }
  return Value::ofBool(true);
}

Interpreter::Pull Interpreter::pullGenerator(LazyItems &lazy, Value &item) {
  const PythonExpr &parts = *lazy.generator->python;
  Frame outer;
  outer.env = lazy.outer;
  outer.self = lazy.self;
  outer.function = lazy.inside;
  Frame inner = outer;
  inner.env = lazy.env;
  inner.comprehensionOf = &outer;
  Frame *caller = std::exchange(frame_, &inner);
  Pull out = Pull::End;
  while (!lazy.sources.empty()) {
    out = pull(lazy.sources.back().as<SequenceObject>(), item);
    if (out == Pull::Lost) {
      break;
    }
    if (out == Pull::End) {
      lazy.sources.pop_back();
      continue;
    }
    out = Pull::Lost;
    Value wanted = beginRound(parts.clauses[lazy.sources.size() - 1], item, inner);
    if (wanted.isLost()) {
      item = wanted;
      break;
    }
    if (!wanted.integer) {
      continue;
    }
    if (lazy.sources.size() < parts.clauses.size()) {
      const Expr *next = parts.clauses[lazy.sources.size()].iterable;
      Value iterable = eval(*next, inner);
      Value made = iterable.isLost() ? iterable : iteratorOf(iterable, next);
      if (made.isLost()) {
        item = made;
        break;
      }
      lazy.sources.push_back(made);
      continue;
    }
    item = eval(*parts.parts[0], inner);
    out = item.isRaised() ? Pull::Lost : Pull::Item;
    break;
  }
  frame_ = caller;
  if (out == Pull::Lost) {
    lazy.sources.clear(); // an exception ends a generator
  }
  return lazy.sources.empty() && out != Pull::Lost ? Pull::End : out;
}

} // namespace placid::py
