// SPDX-License-Identifier: Apache-2.0
// `match`: which case is taken, and what its pattern binds. A pattern that cannot be decided leaves its case and those
// after it as ways that all may be taken.
#include "compiler/syntax/patterns.h"

#include "compiler/evaluator/interpreter.h"

#include <algorithm>

namespace placid::py {

using syntax::Expr;
using syntax::Stmt;

namespace {

Value yes() { return Value::ofBool(true); }
Value no() { return Value::ofBool(false); }
bool holds(Value value) { return value.is(Kind::Bool) && value.integer != 0; }

/// The items of a value that a sequence pattern takes apart; null for any other.
const std::vector<Value> *itemsOf(Value value) {
  if (value.isSequence()) {
    return &value.as<SequenceObject>().items;
  }
  bool named = value.is(Kind::Instance) && value.as<InstanceObject>().type->isNamedTuple;
  return named ? &value.as<InstanceObject>().items : nullptr;
}

/// Classes whose one positional pattern is for the value itself.
bool matchesSelf(const ClassObject &type) {
  static constexpr std::string_view kNames[] = {"bool", "bytearray", "bytes", "dict", "float", "frozenset",
                                                "int",  "list",      "set",   "str",  "tuple"};
  return !type.definition && std::find(std::begin(kNames), std::end(kNames), type.name) != std::end(kNames);
}

} // namespace

Value Interpreter::matchesSequence(const Expr &pattern, Value value, Captures &out, Frame &frame) {
  std::vector<Value> items;
  if (value.is(Kind::Range)) {
    Value seen = iterate(value, items);
    if (!seen.isNone()) {
      return seen;
    }
  } else if (const std::vector<Value> *own = itemsOf(value)) {
    items = *own;
  } else {
    bool other = value.isNone() || value.isNumber() || value.is(Kind::Str) || value.is(Kind::Bytes) ||
                 value.is(Kind::Dict) || value.is(Kind::Set) || value.is(Kind::Function) || value.is(Kind::Class) ||
                 (value.is(Kind::Instance) && !value.as<InstanceObject>().type->open);
    return other ? no() : unknown("whether a value is a sequence", &pattern);
  }
  auto star = std::find_if(pattern.children.begin(), pattern.children.end(),
                           [](const Expr *part) { return part->text == syntax::kPatternStar; });
  bool open = star != pattern.children.end();
  size_t fixed = pattern.children.size() - (open ? 1 : 0);
  if (open ? items.size() < fixed : items.size() != fixed) {
    return no();
  }
  size_t before = static_cast<size_t>(star - pattern.children.begin());
  size_t rest = items.size() - fixed;
  for (size_t i = 0; i < pattern.children.size(); ++i) {
    const Expr &part = *pattern.children[i];
    if (open && i == before) {
      auto first = items.begin() + static_cast<std::ptrdiff_t>(before);
      if (!part.operators.empty()) {
        out.emplace_back(&part, list({first, first + static_cast<std::ptrdiff_t>(rest)}));
      }
      continue;
    }
    Value fits = matches(part, fetch(items[i < before || !open ? i : i - 1 + rest]), out, frame);
    if (!holds(fits)) {
      return fits;
    }
  }
  return yes();
}

Value Interpreter::matchesMapping(const Expr &pattern, Value value, Captures &out, Frame &frame) {
  if (!value.is(Kind::Dict)) {
    bool other = value.isNone() || value.isNumber() || value.is(Kind::Str) || value.isSequence() ||
                 value.is(Kind::Set) || (value.is(Kind::Instance) && !value.as<InstanceObject>().type->open);
    return other ? no() : unknown("whether a value is a mapping", &pattern);
  }
  std::vector<Value> taken;
  size_t i = 0;
  for (; i + 1 < pattern.children.size(); i += 2) {
    Value key = eval(*pattern.children[i], frame);
    if (key.isLost()) {
      return key;
    }
    Value problem;
    const DictObject::Entry *found = dictFind(value.as<DictObject>(), key, problem);
    if (!found) {
      return problem.isNone() ? no() : problem;
    }
    taken.push_back(key);
    Value fits = matches(*pattern.children[i + 1], fetch(found->value), out, frame);
    if (!holds(fits)) {
      return fits;
    }
  }
  if (i < pattern.children.size() && !pattern.children[i]->operators.empty()) {
    Value rest = makeDict();
    for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(value.as<DictObject>().entries)) {
      bool mentioned = std::any_of(taken.begin(), taken.end(), [&](Value key) { return holds(equal(key, entry.key)); });
      Value problem;
      if (entry.live && !mentioned) {
        dictSet(rest.as<DictObject>(), entry.key, entry.value, problem);
      }
    }
    out.emplace_back(pattern.children[i], rest);
  }
  return yes();
}

Value Interpreter::matchesClass(const Expr &pattern, Value value, Captures &out, Frame &frame) {
  Value type = eval(*pattern.children[0], frame);
  if (type.isRaised()) {
    return type;
  }
  if (!type.is(Kind::Class)) {
    return unknown("whether a value is a `" + spell(*pattern.children[0]) + "`", &pattern);
  }
  auto &wanted = type.as<ClassObject>();
  ClassObject *own = typeOf(value);
  if (!own || (own->open && !own->derives(&wanted)) || value.isUnknown()) {
    return unknown("whether a value is a `" + std::string(wanted.name) + "`", &pattern);
  }
  if (!own->derives(&wanted)) {
    return no();
  }
  std::vector<std::string_view> names;
  if (const Slot *given = classAttribute(&wanted, "__match_args__")) {
    if (!given->value.is(Kind::Tuple)) {
      return unknown("`__match_args__`", &pattern);
    }
    for (Value name : given->value.as<SequenceObject>().items) {
      if (!name.is(Kind::Str)) {
        return unknown("`__match_args__`", &pattern);
      }
      names.push_back(heap_.intern(textOf(name)));
    }
  } else {
    for (const DataclassField &field : wanted.fields) {
      if (field.init && !field.keywordOnly && !field.classVariable) {
        names.push_back(field.name);
      }
    }
  }
  size_t positional = pattern.children.size() - 1;
  if (matchesSelf(wanted) ? positional > 1 : positional > names.size()) {
    size_t most = matchesSelf(wanted) ? 1 : names.size();
    return raise("TypeError",
                 std::string(wanted.name) + "() accepts " + std::to_string(most) + " positional sub-pattern" +
                     (most == 1 ? "" : "s") + " (" + std::to_string(positional) + " given)",
                 &pattern);
  }
  for (size_t i = 0; i < positional; ++i) {
    Value part = matchesSelf(wanted) ? value : attribute(value, names[i], &pattern);
    Value fits = part.isLost() ? part : matches(*pattern.children[i + 1], fetch(part), out, frame);
    if (!holds(fits)) {
      return fits;
    }
  }
  for (const syntax::Keyword &keyword : pattern.keywords) {
    Value part = attributeOr(value, keyword.name, Value::make(Kind::Ellipsis, nullptr), &pattern);
    if (part.is(Kind::Ellipsis)) {
      return no();
    }
    Value fits = part.isLost() ? part : matches(*keyword.value, fetch(part), out, frame);
    if (!holds(fits)) {
      return fits;
    }
  }
  return yes();
}

Value Interpreter::matches(const Expr &pattern, Value value, Captures &out, Frame &frame) {
  Deeper deeper(*this);
  if (!deeper || !spend(1)) {
    return tooMuch();
  }
  std::string_view kind = pattern.text;
  if (kind == syntax::kPatternAny) {
    return yes();
  }
  if (kind == syntax::kPatternCapture) {
    out.emplace_back(&pattern, value);
    return yes();
  }
  if (kind == syntax::kPatternAs || kind == syntax::kPatternOr) {
    Value fits = no();
    bool whole = kind == syntax::kPatternAs;
    for (size_t i = 0; i < (whole ? 1 : pattern.children.size()) && fits.is(Kind::Bool) && !fits.integer; ++i) {
      size_t mark = out.size();
      fits = matches(*pattern.children[i], value, out, frame);
      out.resize(holds(fits) ? out.size() : mark);
    }
    return whole && holds(fits) ? matches(*pattern.children[1], value, out, frame) : fits;
  }
  if (value.isUnknown()) {
    return value;
  }
  if (kind == syntax::kPatternValue || kind == syntax::kPatternIs) {
    Value wanted = eval(*pattern.children[0], frame);
    return wanted.isLost()              ? wanted
           : kind == syntax::kPatternIs ? identical(value, wanted)
                                        : truth(equal(value, wanted));
  }
  Value fits = kind == syntax::kPatternSequence  ? matchesSequence(pattern, value, out, frame)
               : kind == syntax::kPatternMapping ? matchesMapping(pattern, value, out, frame)
               : kind == syntax::kPatternClass   ? matchesClass(pattern, value, out, frame)
                                                 : unknown(std::string(kind), &pattern);
  return fits;
}

Interpreter::Flow Interpreter::unknownMatch(const Stmt &stmt, size_t from, Value why, Frame &frame) {
  std::vector<std::function<Flow()>> all{[] { return Flow::Next; }}; // no case
  for (size_t i = from; i < stmt.orelse.size(); ++i) {
    all.emplace_back([&, i] {
      const Stmt *clause = stmt.orelse[i];
      for (const Expr *target : clause->targets) {
        bindTarget(*target, unknown("it is set by a `case`"), frame);
      }
      return block(clause->body, frame);
    });
  }
  return ways(all, frame, why);
}

Interpreter::Flow Interpreter::matchStatement(const Stmt &stmt, Frame &frame) {
  Value subject = stmt.value ? eval(*stmt.value, frame) : unknown("a `match` of nothing");
  if (subject.isRaised()) {
    return Flow::Raise;
  }
  subject = fetch(subject);
  for (size_t i = 0; i < stmt.orelse.size(); ++i) {
    const Stmt &clause = *stmt.orelse[i];
    Captures captures;
    Value fits = clause.value ? matches(*clause.value, subject, captures, frame) : unknown("a pattern");
    if (fits.isRaised()) {
      return Flow::Raise;
    }
    if (fits.isUnknown()) {
      return unknownMatch(stmt, i, unknown("it is set in a `match` block", stmt.value), frame);
    }
    if (!fits.integer) {
      continue;
    }
    for (const auto &[pattern, value] : captures) {
      bind(frame, pattern->operators[0], value, pattern->nameRange);
    }
    if (!clause.operands.empty()) {
      Value guard = eval(*clause.operands[0], frame);
      guard = guard.isRaised() ? guard : truth(guard);
      if (guard.isRaised()) {
        return Flow::Raise;
      }
      if (guard.isUnknown()) {
        return unknownMatch(stmt, i, unknown("it is set in a `match` block", stmt.value), frame);
      }
      if (!guard.integer) {
        continue;
      }
    }
    return block(clause.body, frame);
  }
  return Flow::Next;
}

} // namespace placid::py
