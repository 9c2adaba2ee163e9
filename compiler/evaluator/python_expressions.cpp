// SPDX-License-Identifier: Apache-2.0
// Expressions that only Python has: lambdas, comprehensions, f-strings, dict and set displays, `:=`.
#include "compiler/evaluator/interpreter.h"

#include <algorithm>
#include <utility>

namespace placid::py {

using syntax::Expr;
using syntax::PythonExpr;

namespace {

constexpr size_t kMaxTextBytes = size_t{1} << 20;

} // namespace

Value Interpreter::conditional(const PythonExpr &parts, Frame &frame) {
  Value condition = eval(*parts.parts[1], frame);
  Value truthy = condition.isRaised() ? condition : truth(condition);
  if (truthy.isRaised()) {
    return truthy;
  }
  if (truthy.isUnknown()) {
    return unknown("it depends on `" + spell(*parts.parts[1]) + "`", parts.parts[1]);
  }
  return eval(*parts.parts[truthy.integer ? 0 : 2], frame);
}

Value Interpreter::dictDisplay(const PythonExpr &parts, Frame &frame) {
  Value out = makeDict();
  for (size_t i = 0; i + 1 < parts.parts.size(); i += 2) {
    Value key = parts.parts[i] ? eval(*parts.parts[i], frame) : Value::none();
    Value value = key.isRaised() ? key : eval(*parts.parts[i + 1], frame);
    if (value.isRaised()) {
      return value;
    }
    Value problem;
    if (parts.parts[i]) {
      if (!dictSet(out.as<DictObject>(), key, value, problem)) {
        return problem;
      }
      continue;
    }
    value = fetch(value);
    if (!value.is(Kind::Dict)) {
      return value.isUnknown() ? value : unknown("`**` of a value that is no dict", parts.parts[i + 1]);
    }
    for (const DictObject::Entry &entry : std::vector<DictObject::Entry>(value.as<DictObject>().entries)) {
      if (entry.live && !dictSet(out.as<DictObject>(), entry.key, entry.value, problem)) {
        return problem;
      }
    }
  }
  return out;
}

Value Interpreter::yieldExpression(const PythonExpr &parts, Frame &frame, const Expr &expr) {
  Value value = parts.parts.empty() ? Value::none() : eval(*parts.parts[0], frame);
  if (parts.text == "from") {
    Value seen = value.isRaised() ? value : iterate(value, frame.yielded, &expr);
    if (seen.isUnknown()) {
      frame.yielded.push_back(seen);
      return unknown("what `yield from` gives", &expr);
    }
    return seen.isRaised() ? seen : unknown("what `yield from` gives", &expr);
  }
  if (!value.isRaised()) {
    frame.yielded.push_back(value);
    heap_.charge(sizeof(Value));
  }
  return value.isRaised() ? value : Value::none();
}

Value Interpreter::python(const Expr &expr, Frame &frame) {
  if (!expr.python) {
    return unknown(std::string(expr.text), &expr);
  }
  const PythonExpr &parts = *expr.python;
  switch (parts.kind) {
  case PythonExpr::Kind::Conditional:
    return conditional(parts, frame);
  case PythonExpr::Kind::Lambda:
    return makeFunction(nullptr, &parts, "<lambda>", frame);
  case PythonExpr::Kind::ListComprehension:
  case PythonExpr::Kind::SetComprehension:
  case PythonExpr::Kind::Generator:
  case PythonExpr::Kind::DictComprehension:
    return comprehension(expr, frame);
  case PythonExpr::Kind::Dict:
    return dictDisplay(parts, frame);
  case PythonExpr::Kind::Set: {
    std::vector<Value> items;
    for (const Expr *part : parts.parts) {
      items.push_back(eval(*part, frame));
      if (items.back().isRaised()) {
        return items.back();
      }
    }
    Value problem;
    Value out = makeSet(items, problem);
    return out.isLost() ? problem : out;
  }
  case PythonExpr::Kind::FString:
    return fString(parts, frame, expr);
  case PythonExpr::Kind::Concatenated: {
    std::string all;
    for (const Expr *part : parts.parts) {
      Value piece = eval(*part, frame);
      if (!piece.is(Kind::Str)) {
        return piece.isLost() ? piece : unknown("a concatenated literal", &expr);
      }
      all += textOf(piece);
    }
    return text(std::move(all));
  }
  case PythonExpr::Kind::Walrus: {
    Value value = eval(*parts.parts[1], frame);
    if (!value.isRaised()) {
      // In a comprehension it binds around all of them.
      Frame *around = &frame;
      while (around->comprehensionOf) {
        around = around->comprehensionOf;
      }
      bindTarget(*parts.parts[0], value, *around);
    }
    return value;
  }
  case PythonExpr::Kind::Bytes:
    return heap_.text(std::string(parts.text), Kind::Bytes);
  case PythonExpr::Kind::Yield:
    return yieldExpression(parts, frame, expr);
  case PythonExpr::Kind::Ellipsis:
    return Value::make(Kind::Ellipsis, nullptr);
  case PythonExpr::Kind::Splat:
    break;
  }
  return unknown(std::string(expr.text), &expr);
}

Value Interpreter::fString(const PythonExpr &parts, Frame &frame, const Expr &at) {
  std::string out;
  for (const syntax::FormatPiece &piece : parts.pieces) {
    out += piece.text;
    if (!piece.value) {
      continue;
    }
    Value value = eval(*piece.value, frame);
    if (value.isRaised()) {
      return value;
    }
    if (value.isUnknown()) {
      return value;
    }
    char conversion = piece.named && !piece.conversion && !piece.spec ? 'r' : piece.conversion;
    if (conversion) {
      value = conversion == 's' ? str(value) : repr(value);
    }
    std::string spec;
    if (piece.spec && !value.isLost()) {
      Value made = fString(*piece.spec->python, frame, at);
      if (made.isLost()) {
        return made;
      }
      spec = textOf(made);
    }
    Value shown = value.isLost() ? value : format(value, spec, piece.value);
    if (shown.isLost()) {
      return shown;
    }
    out += textOf(shown);
    if (out.size() > kMaxTextBytes || !spend(textOf(shown).size() / 64)) {
      return tooMuch();
    }
  }
  return text(std::move(out));
}

bool Interpreter::comprehend(const PythonExpr &parts, size_t clause, Frame &frame, const std::function<bool()> &emit,
                             Value &problem) {
  if (clause == parts.clauses.size()) {
    return emit();
  }
  Deeper deeper(*this);
  if (!deeper) {
    problem = tooMuch();
    return false;
  }
  const syntax::ComprehensionClause &at = parts.clauses[clause];
  // The first iterable belongs to the code around, the only one that sees the names of a class body.
  Value iterable = eval(*at.iterable, clause == 0 ? *frame.comprehensionOf : frame);
  bool unordered = parts.kind == PythonExpr::Kind::SetComprehension && fetch(iterable).is(Kind::Set);
  std::vector<Value> items;
  Value seen = unordered ? iterateUnordered(iterable, items, at.iterable) : Value::none();
  Value from = iterable.isLost() ? iterable
               : !seen.isNone()  ? seen
               : unordered       ? heap_.sequence(std::move(items), Kind::Iterator)
                                 : iteratorOf(iterable, at.iterable);
  if (from.isLost()) {
    problem = from;
    return false;
  }
  while (true) {
    Value item;
    Pull got = pull(from.as<SequenceObject>(), item);
    if (got != Pull::Item) {
      problem = got == Pull::Lost ? item : problem;
      return got == Pull::End;
    }
    Value truthy = beginRound(at, item, frame);
    if (truthy.isLost()) {
      problem = truthy;
      return false;
    }
    const bool wanted = truthy.integer != 0;
    if (wanted && !comprehend(parts, clause + 1, frame, emit, problem)) {
      return false;
    }
  }
}

Value Interpreter::comprehension(const Expr &expr, Frame &frame) {
  const PythonExpr &parts = *expr.python;
  if (parts.clauses.empty()) {
    return unknown(std::string(expr.text), &expr);
  }
  // Its targets are its own.
  static const FunctionFacts kNoFacts;
  Env *env = heap_.make<Env>();
  env->parent = frame.env;
  env->module = frame.env->module;
  env->facts = &kNoFacts;
  if (parts.kind == PythonExpr::Kind::Generator) { // only its first iterable is asked for at once
    const Expr *first = parts.clauses[0].iterable;
    Value iterable = eval(*first, frame);
    Value source = iterable.isLost() ? iterable : iteratorOf(iterable, first);
    if (source.isLost()) {
      return source;
    }
    const Frame *around = &frame;
    while (around->comprehensionOf) {
      around = around->comprehensionOf;
    }
    Value made = lazyIterator(LazyItems::Type::Generator, {source});
    LazyItems &lazy = *made.as<SequenceObject>().lazy;
    lazy.generator = &expr;
    lazy.env = env;
    lazy.outer = around->env;
    lazy.self = frame.self;
    lazy.inside = frame.function;
    return made;
  }
  Frame inner;
  inner.env = env;
  inner.self = frame.self;
  inner.function = frame.function;
  inner.prefix = frame.prefix;
  inner.comprehensionOf = &frame;
  std::vector<Value> items;
  Value dict = parts.kind == PythonExpr::Kind::DictComprehension ? makeDict() : Value();
  Value problem;
  bool good = comprehend(
      parts, 0, inner,
      [&] {
        Value value = eval(*parts.parts[0], inner);
        Value second = dict.is(Kind::Dict) && !value.isRaised() ? eval(*parts.parts[1], inner) : value;
        if (second.isRaised()) {
          problem = second;
          return false;
        }
        if (dict.is(Kind::Dict)) {
          return dictSet(dict.as<DictObject>(), value, second, problem);
        }
        items.push_back(value);
        heap_.charge(sizeof(Value));
        return true;
      },
      problem);
  if (!good) {
    return problem.isUnknown() && reasonOf(problem).empty() ? unknown(std::string(expr.text), &expr) : problem;
  }
  switch (parts.kind) {
  case PythonExpr::Kind::DictComprehension:
    return dict;
  case PythonExpr::Kind::SetComprehension: {
    Value out = makeSet(items, problem);
    return out.isLost() ? problem : out;
  }
  default:
    return list(std::move(items));
  }
}

} // namespace placid::py
