// SPDX-License-Identifier: Apache-2.0
// Expressions of a kernel: names of the kernel first, then those around it with Python's own values.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <utility>

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr unsigned kMaxDepth = 200;

ScalarOrigin strongest(const Value &a, const Value &b) {
  ScalarOrigin x = a.kind == ValueKind::Scalar ? a.origin : ScalarOrigin::Other;
  ScalarOrigin y = b.kind == ValueKind::Scalar ? b.origin : ScalarOrigin::Other;
  return x != ScalarOrigin::Other ? x : y;
}

/// The number that an expression makes of numbers; null where it is not followed.
Index indexOf(const Expr &expr, const std::vector<Value> &operands) {
  if (expr.kind == Expr::Kind::Unary) {
    Index value = operands[0].asNumber();
    return expr.text == "-"     ? makeIndex(IndexNode::Kind::Sub, constantIndex(0), value)
           : expr.text == "not" ? makeIndex(IndexNode::Kind::Not, value)
                                : nullptr;
  }
  std::string_view op = expr.kind == Expr::Kind::Compare ? expr.operators[0] : expr.text;
  bool among = operands.size() == 2 && (op == "in" || op == "not in") && operands[1].kind == ValueKind::Sequence &&
               !operands[1].items->empty();
  if (among) {
    Index any;
    for (const Value &item : *operands[1].items) {
      Index same = makeIndex(IndexNode::Kind::Equal, operands[0].asNumber(), item.asNumber());
      any = &item == &operands[1].items->front() ? same : makeIndex(IndexNode::Kind::Or, any, same);
    }
    return op == "in" ? any : makeIndex(IndexNode::Kind::Not, any);
  }
  return operands.size() == 2 ? makeIndex(op, operands[0].asNumber(), operands[1].asNumber()) : nullptr;
}

/// `x is None` of something that surely is not None; nothing for other expressions.
std::optional<bool> isNoneTest(const Expr &expr, const std::vector<Value> &operands) {
  bool tests = expr.kind == Expr::Kind::Compare && operands.size() == 2 &&
               (expr.operators[0] == "is" || expr.operators[0] == "is not") &&
               (operands[0].isNone() || operands[1].isNone());
  const Value &other = tests && operands[0].isNone() ? operands[1] : operands[0];
  bool unsure = other.isUnknown() || other.kind == ValueKind::Python ||
                (other.kind == ValueKind::Scalar && !other.index && !other.dtype && other.real < 0);
  return tests && !unsure ? std::optional(expr.operators[0] == "is not") : std::nullopt;
}

} // namespace

bool calls(const Expr &expr) {
  auto any = [](const Expr *child) { return child && calls(*child); };
  auto anyKeyword = [&](const syntax::Keyword &keyword) { return any(keyword.value); };
  if (expr.kind == Expr::Kind::Call || std::any_of(expr.children.begin(), expr.children.end(), any) ||
      std::any_of(expr.keywords.begin(), expr.keywords.end(), anyKeyword)) {
    return true;
  }
  if (!expr.python) {
    return false;
  }
  auto anyClause = [&](const syntax::ComprehensionClause &clause) {
    return any(clause.iterable) || std::any_of(clause.conditions.begin(), clause.conditions.end(), any);
  };
  auto anyPiece = [&](const syntax::FormatPiece &piece) { return any(piece.value); };
  return std::any_of(expr.python->parts.begin(), expr.python->parts.end(), any) ||
         std::any_of(expr.python->clauses.begin(), expr.python->clauses.end(), anyClause) ||
         std::any_of(expr.python->pieces.begin(), expr.python->pieces.end(), anyPiece);
}

Value KernelReader::evaluate(const Expr &expr) {
  if (depth_ > kMaxDepth) {
    if (tracer_) {
      tracer_->refuse(site(expr), "this expression is nested too deep");
    }
    return Value::unknown("it is nested too deep");
  }
  if (++reads_ % 4096 == 0 && stop_.stop_requested()) {
    stopped_ = true;
  }
  if (stopped_) {
    return Value::unknown("");
  }
  ++depth_;
  Value out = evaluateInner(expr);
  --depth_;
  return out;
}

Value KernelReader::fromPython(py::Value value) {
  if (value.isUnknown()) {
    return Value::unknown(std::string(py::reasonOf(value)));
  }
  if (value.isRaised()) {
    return Value::unknown("Python refuses it");
  }
  if (value.is(py::Kind::PlType)) {
    return heldType(value.as<py::TypeObject>());
  }
  return Value::ofPython(value);
}

std::optional<py::Value> KernelReader::toPython(const Value &value) {
  if (value.kind == ValueKind::Python) {
    return value.python;
  }
  if (value.kind != ValueKind::Sequence) {
    return std::nullopt;
  }
  std::vector<py::Value> out;
  for (const Value &item : *value.items) {
    std::optional<py::Value> one = toPython(item);
    if (!one) {
      return std::nullopt;
    }
    out.push_back(*one);
  }
  return interpreter_.tuple(std::move(out));
}

bool KernelReader::mentionsLocal(const Expr &expr) const {
  if (expr.kind == Expr::Kind::Name && frames_.back().locals.contains(expr.text)) {
    return true;
  }
  auto any = [&](const Expr *child) { return child && mentionsLocal(*child); };
  auto anyKeyword = [&](const syntax::Keyword &keyword) { return any(keyword.value); };
  if (std::any_of(expr.children.begin(), expr.children.end(), any) ||
      std::any_of(expr.keywords.begin(), expr.keywords.end(), anyKeyword)) {
    return true;
  }
  if (!expr.python) {
    return false;
  }
  const syntax::PythonExpr &parts = *expr.python;
  auto anyClause = [&](const syntax::ComprehensionClause &clause) {
    return any(clause.iterable) || std::any_of(clause.conditions.begin(), clause.conditions.end(), any);
  };
  auto anyPiece = [&](const syntax::FormatPiece &piece) { return any(piece.value); };
  return std::any_of(parts.parts.begin(), parts.parts.end(), any) ||
         std::any_of(parts.clauses.begin(), parts.clauses.end(), anyClause) ||
         std::any_of(parts.pieces.begin(), parts.pieces.end(), anyPiece);
}

Value KernelReader::name(const Expr &expr) {
  auto local = frames_.back().locals.find(expr.text);
  if (local != frames_.back().locals.end()) {
    for (Round &round : rounds_) {
      if (round.frames == frames_.size() && local->second.bound <= round.begun) {
        round.used.emplace(expr.text, site(expr));
      }
    }
    return local->second.value;
  }
  py::Value found = interpreter_.evaluate(expr, frames_.back().env);
  bool reserved = frames_.back().vector && expr.text == "vf" && !found.is(py::Kind::Pl);
  if (!reserved && found.isUnknown() && py::reasonOf(found) == "`" + std::string(expr.text) + "` is not defined" &&
      !setup_.dtypeNames.contains(expr.text) && !bindsLater(expr.text)) {
    std::vector<std::string> beside;
    for (const auto &[name, held] : frames_.back().locals) {
      beside.emplace_back(name);
    }
    rules::undefinedName(*this, expr, beside);
    return Value::unknown("");
  }
  return fromPython(reserved ? frames_.back().vf : found);
}

/// Some statement of the function around binds the name, on a way or in a section that is not read.
bool KernelReader::bindsLater(std::string_view name) const {
  std::set<std::string_view> names;
  if (const Stmt *function = frames_.back().function) {
    py::assignedNames(function->body, names);
  }
  return names.contains(name);
}

Value KernelReader::evaluateInner(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Name:
    return name(expr);
  case Expr::Kind::Int:
  case Expr::Kind::Float:
  case Expr::Kind::String:
  case Expr::Kind::Bool:
  case Expr::Kind::None:
    return fromPython(interpreter_.evaluate(expr, frames_.back().env));
  case Expr::Kind::Attribute:
    return attribute(expr);
  case Expr::Kind::Call:
    return call(expr);
  case Expr::Kind::Subscript:
    return subscript(expr);
  case Expr::Kind::List:
  case Expr::Kind::Tuple: {
    std::vector<Value> items;
    for (const Expr *child : expr.children) {
      if (child->kind == Expr::Kind::Starred && !child->children.empty()) {
        std::optional<std::vector<Value>> spread = itemsOf(evaluate(*child->children[0]));
        if (!spread) {
          return Value::unknown("it unpacks what is not known");
        }
        items.insert(items.end(), spread->begin(), spread->end());
        continue;
      }
      items.push_back(evaluate(*child));
    }
    return Value::sequence(std::move(items));
  }
  case Expr::Kind::Binary:
  case Expr::Kind::Unary:
  case Expr::Kind::Compare:
  case Expr::Kind::Bool2:
    return arithmetic(expr);
  case Expr::Kind::Other:
    return python(expr);
  default:
    if (tracer_ && calls(expr)) {
      tracer_->refuse(site(expr), "this expression is not followed");
    }
    return Value::unknown("this expression is not followed");
  }
}

Value KernelReader::plainCallee(const Expr &expr) {
  const Expr *at = expr.kind == Expr::Kind::Call ? expr.children[0] : nullptr;
  while (at && at->kind == Expr::Kind::Attribute) {
    at = at->children[0];
  }
  if (!at || at->kind != Expr::Kind::Name) {
    return {};
  }
  const Expr &callee = *expr.children[0];
  // What is called and is none of the language is told by the call.
  return callee.kind == Expr::Kind::Attribute ? attribute(callee, evaluate(*callee.children[0])) : evaluate(callee);
}

Value KernelReader::attribute(const Expr &expr) {
  Value out = attribute(expr, evaluate(*expr.children[0]));
  rules::unknownMember(*this, out.path(), expr);
  return out;
}

Value KernelReader::attribute(const Expr &expr, const Value &base) {
  switch (base.kind) {
  case ValueKind::Python:
    return fromPython(interpreter_.attribute(base.python, expr.text));
  case ValueKind::Tensor:
    if (expr.text == "shape" && base.tensor->rankKnown) {
      std::vector<Value> extents;
      // Numbers of run time, even where the annotation fixes them.
      for (size_t axis = 0; axis < base.tensor->shape.size(); ++axis) {
        const Extent &extent = base.tensor->shape[axis];
        Value made = Value::scalar(ScalarOrigin::TensorShape, DType::Int64);
        if (extent) {
          made.index = constantIndex(*extent);
        } else if (base.tensor->number >= 0) {
          made.index = symbolIndex(IndexNode::Origin::Extent, static_cast<size_t>(base.tensor->number), axis);
        }
        extents.push_back(made);
      }
      return Value::sequence(std::move(extents));
    }
    return Value::unknown("`" + std::string(expr.text) + "` of a tensor");
  case ValueKind::Tile:
  case ValueKind::TileType: {
    const TileTypeInfo *type = base.kind == ValueKind::Tile ? base.tile->type : base.type;
    if (expr.text == "shape" && type->isStatic()) {
      std::vector<Value> extents;
      for (const Extent &extent : type->shape) {
        extents.push_back(Value::ofPython(py::Value::ofInt(*extent)));
      }
      return Value::sequence(std::move(extents));
    }
    return Value::unknown("`" + std::string(expr.text) + "` of " + describe(base));
  }
  case ValueKind::Struct: {
    auto at = std::find(base.fields->begin(), base.fields->end(), expr.text);
    if (at == base.fields->end()) {
      return Value::unknown("`" + std::string(expr.text) + "` of a struct");
    }
    Value held = (*base.items)[static_cast<size_t>(at - base.fields->begin())];
    if (base.structure == 0 || held.kind == ValueKind::Scalar) {
      return readCells(base, expr.text, nullptr, held, 0, site(expr));
    }
    if (held.kind == ValueKind::FieldArray) {
      held.structure = base.structure;
      held.structures = base.structures;
      held.pick = base.pick;
    }
    return held;
  }
  case ValueKind::Unknown:
    return base;
  default:
    return Value::unknown("`" + std::string(expr.text) + "` of " + describe(base));
  }
}

/// `tile[2:6, 16:50]`: the same memory and dtype, an extent of its own.
Value KernelReader::part(const Value &tile) {
  TileTypeInfo &type = newTileType();
  type = *tile.tile->type;
  type.shape.clear();
  type.shapeKnown = false;
  type.valid.clear();
  TileInfo &made = newTile();
  made.type = &type;
  made.group = tile.tile->group;
  made.at = tile.tile->at;
  made.name = tile.tile->name;
  Value out = tile;
  out.tile = &made;
  return out;
}

/// The indices of one element; empty where the subscript picks more than one, or its rank is another.
std::vector<Index> KernelReader::elementIndices(const Expr &subscript) {
  std::vector<Value> values;
  for (size_t i = 1; i < subscript.children.size(); ++i) {
    const Expr &child = *subscript.children[i];
    if (child.kind == Expr::Kind::Tuple) {
      for (const Expr *one : child.children) {
        values.push_back(evaluate(*one));
      }
    } else {
      values.push_back(evaluate(child));
    }
  }
  std::vector<Index> out;
  for (const Value &value : values) {
    bool number = value.integer() || value.kind == ValueKind::Scalar;
    if (!number) {
      return {};
    }
    out.push_back(value.asIndex());
  }
  return out;
}

bool KernelReader::assignElement(const Expr &target, const Value &value) {
  Value base = evaluate(*target.children[0]);
  if (base.kind == ValueKind::FieldArray && target.children.size() == 2) {
    Index which = evaluate(*target.children[1]).asIndex();
    if (tracer_ && !which) {
      tracer_->refuse(site(target), "which element this is, is not known while compiling");
    } else {
      writeCells(base, base.fields->front(), &which, value, base.items->size(), site(target));
    }
    return true;
  }
  if (!tracer_) {
    return false;
  }
  if (base.kind != ValueKind::Tile && base.kind != ValueKind::Tensor) {
    return false;
  }
  std::vector<Index> indices = elementIndices(target);
  if (indices.empty()) {
    return false;
  }
  tracer_->element(*this, base, std::move(indices), &value, site(target));
  return true;
}

Value KernelReader::subscript(const Expr &expr) {
  Value base = evaluate(*expr.children[0]);
  if (base.kind == ValueKind::Tensor || (tracer_ && base.kind == ValueKind::Tile)) {
    std::vector<Index> indices = elementIndices(expr);
    size_t rank = base.kind == ValueKind::Tile ? base.tile->type->shape.size() : base.tensor->shape.size();
    if (indices.size() == rank && rank > 0) {
      return tracer_ ? tracer_->element(*this, base, std::move(indices), nullptr, site(expr))
                     : Value::scalar(ScalarOrigin::Other, base.tensor->dtype);
    }
  }
  if (base.kind == ValueKind::Tile && expr.children.size() > 1) {
    return part(base);
  }
  if (expr.children.size() != 2) {
    return base.kind == ValueKind::Python ? fromPython(interpreter_.evaluate(expr, frames_.back().env))
                                          : Value::unknown("this subscript is not followed");
  }
  if (base.kind == ValueKind::Group) {
    return groupSlot(*base.group, *expr.children[1]);
  }
  Value index = evaluate(*expr.children[1]);
  if (base.kind == ValueKind::StructArray || base.kind == ValueKind::FieldArray) {
    return structItem(base, index, site(expr));
  }
  std::optional<std::vector<Value>> items = tracer_ && !index.integer() ? itemsOf(base) : std::nullopt;
  if (std::optional<Value> one = items ? pickItem(*items, index.asIndex(), site(expr)) : std::nullopt) {
    return *one;
  }
  if (base.kind == ValueKind::Sequence) {
    std::optional<int64_t> at = index.integer();
    auto size = static_cast<int64_t>(base.items->size());
    if (at && *at >= -size && *at < size) {
      return (*base.items)[static_cast<size_t>(*at < 0 ? *at + size : *at)];
    }
    Value out = base.items->empty() ? Value::unknown("an item of an empty list") : (*base.items)[0];
    for (const Value &item : *base.items) {
      out = joined(out, item);
    }
    return out;
  }
  std::optional<py::Value> key = toPython(index);
  if (base.kind == ValueKind::Python && key && !base.path().empty()) {
    return Value::unknown("a type");
  }
  if (base.kind == ValueKind::Python && key) {
    return fromPython(interpreter_.subscript(base.python, *key));
  }
  if (base.kind == ValueKind::Python && base.python.isSequence()) {
    return Value::scalar(ScalarOrigin::Other); // numbers picked at run time
  }
  return base.isUnknown() ? base : Value::unknown("an item of " + describe(base));
}

Value KernelReader::arithmetic(const Expr &expr) {
  std::vector<Value> operands;
  uint64_t reached = 0; // what the first operands did: they are evaluated in any case
  for (const Expr *child : expr.children) {
    operands.push_back(evaluate(*child));
    bool always = operands.size() <= (expr.kind == Expr::Kind::Bool2 ? 1U : 2U);
    reached = tracer_ && always ? tracer_->activity() : reached;
  }
  bool decides = expr.kind == Expr::Kind::Bool2 || expr.kind == Expr::Kind::Compare;
  if (tracer_ && decides && tracer_->activity() != reached) {
    tracer_->refuse(site(expr), "an operation that may not be reached is not lowered");
  }
  std::vector<py::Value> known;
  for (const Value &operand : operands) {
    if (operand.isUnknown()) {
      Value out = operand;
      out.index = tracer_ ? ofTrace(indexOf(expr, operands)) : nullptr;
      return out;
    }
    if (std::optional<py::Value> one = toPython(operand)) {
      known.push_back(*one);
    }
  }
  if (known.size() == operands.size()) {
    switch (expr.kind) {
    case Expr::Kind::Binary:
      return fromPython(interpreter_.binary(expr.text, known[0], known[1]));
    case Expr::Kind::Unary:
      return fromPython(interpreter_.unary(expr.text, known[0]));
    case Expr::Kind::Bool2: {
      py::Value first = interpreter_.truth(known[0]);
      if (!first.is(py::Kind::Bool)) {
        return Value::scalar(ScalarOrigin::Other);
      }
      return fromPython((first.integer != 0) == (expr.text == "or") ? known[0] : known[1]);
    }
    default: {
      for (size_t i = 0; i + 1 < known.size(); ++i) {
        py::Value one = interpreter_.compare(expr.operators[i], known[i], known[i + 1]);
        py::Value truth = one.isLost() ? one : interpreter_.truth(one);
        if (!truth.is(py::Kind::Bool)) {
          return Value::unknown("this comparison is not followed");
        }
        if (truth.integer == 0) {
          return Value::ofPython(py::Value::ofBool(false));
        }
      }
      return Value::ofPython(py::Value::ofBool(true));
    }
    }
  }
  if (expr.kind == Expr::Kind::Binary && expr.text == "+" && operands[0].kind == ValueKind::Sequence &&
      operands[1].kind == ValueKind::Sequence) {
    std::vector<Value> all = *operands[0].items;
    all.insert(all.end(), operands[1].items->begin(), operands[1].items->end());
    return Value::sequence(std::move(all));
  }
  if (std::optional<bool> is = isNoneTest(expr, operands)) {
    return Value::ofPython(py::Value::ofBool(*is));
  }
  Value out = Value::scalar(strongest(operands[0], operands.back()));
  out.index = indexOf(expr, operands);
  return out;
}

/// `[element for target in iterable if condition]` with one clause, over what is known.
Value KernelReader::comprehension(const syntax::PythonExpr &parts) {
  constexpr size_t kMaxItems = 1024;
  const Value lost = Value::unknown("this comprehension is not followed");
  if (parts.clauses.size() != 1 || !parts.clauses[0].target || !parts.clauses[0].iterable) {
    return lost;
  }
  const syntax::ComprehensionClause &clause = parts.clauses[0];
  Value over = evaluate(*clause.iterable);
  std::optional<std::vector<Value>> items = itemsOf(over);
  if (std::optional<py::Value> known = items ? std::nullopt : toPython(over)) {
    std::vector<py::Value> found;
    if (interpreter_.iterate(*known, found).isNone()) {
      items.emplace();
      std::transform(found.begin(), found.end(), std::back_inserter(*items),
                     [&](py::Value item) { return fromPython(item); });
    }
  }
  if (!items || items->size() > kMaxItems) {
    return over.isUnknown() ? over : lost;
  }
  std::map<std::string_view, Local> outer = frames_.back().locals;
  std::vector<Value> out;
  bool sure = true;
  for (const Value &item : *items) {
    bind(*clause.target, item);
    bool kept = true;
    for (const Expr *condition : clause.conditions) {
      std::optional<py::Value> tested = toPython(evaluate(*condition));
      py::Value truth = tested ? interpreter_.truth(*tested) : py::Value();
      sure = sure && truth.is(py::Kind::Bool);
      kept = kept && truth.is(py::Kind::Bool) && truth.integer != 0;
    }
    if (kept) {
      out.push_back(evaluate(*parts.parts[0]));
    }
  }
  frames_.back().locals = std::move(outer);
  return sure ? Value::sequence(std::move(out)) : lost;
}

/// `a if chooses else b`, of which one way is evaluated: a branch.
Value KernelReader::tracedConditional(const Expr &expr, const Value &tested, const Index &chooses) {
  const auto &parts = expr.python->parts;
  Flow before = save();
  tracer_->beginBranch(chooses, site(*parts[1]));
  Value first = evaluate(*parts[0]);
  Flow one = save();
  restore(before);
  tracer_->otherwise();
  Value second = evaluate(*parts[2]);
  std::vector<TraceJoined> joins;
  std::vector<TraceJoined> *outer = std::exchange(joins_, &joins);
  Site outerAt = std::exchange(joinsAt_, site(expr));
  join(one);
  Value out = joined(second, first);
  joins_ = outer;
  joinsAt_ = outerAt;
  tracer_->endBranch(std::move(joins));
  if (tested.isUnknown() && !sameValue(first, second)) { // rules see no number where the key would make it a constant
    Index held = ofTrace(out.asNumber());
    out = tested;
    out.index = std::move(held);
  }
  return out;
}

Value KernelReader::python(const Expr &expr) {
  using Kind = syntax::PythonExpr::Kind;
  if (expr.python && expr.python->kind == Kind::Conditional && expr.python->parts.size() == 3) {
    const auto &parts = expr.python->parts;
    const Expr *test = parts[1];
    if (plainCallee(*test).path() == "pro.constexpr" && test->children.size() == 2) {
      test = test->children[1];
    }
    Value tested = evaluate(*test);
    std::optional<py::Value> condition = toPython(tested);
    py::Value truth = condition ? interpreter_.truth(*condition) : py::Value();
    if (truth.is(py::Kind::Bool)) {
      return evaluate(*parts[truth.integer != 0 ? 0 : 2]);
    }
    if (Index chooses = tracer_ ? tested.asIndex() : nullptr) {
      return tracedConditional(expr, tested, chooses);
    }
    uint64_t before = tracer_ ? tracer_->activity() : 0;
    Value first = evaluate(*parts[0]);
    Value second = evaluate(*parts[2]);
    if (tracer_ && tracer_->activity() != before) {
      tracer_->refuse(site(expr), "an operation in one way of a conditional expression is not lowered");
    }
    return tested.isUnknown() && !sameValue(first, second) ? tested : joined(first, second);
  }
  bool list = expr.python && (expr.python->kind == Kind::ListComprehension || expr.python->kind == Kind::Generator);
  if (list && mentionsLocal(expr) && expr.python->parts.size() == 1) {
    uint64_t before = tracer_ ? tracer_->activity() : 0;
    Value out = comprehension(*expr.python);
    bool lazy = expr.python->kind == Kind::Generator && tracer_ && tracer_->activity() != before;
    if (tracer_ && (lazy || (out.isUnknown() && calls(expr)))) {
      tracer_->refuse(site(expr), "this comprehension is not followed");
    }
    return out;
  }
  bool later = expr.python && expr.python->kind == Kind::Lambda;
  if (tracer_ && !later && mentionsLocal(expr) && calls(expr)) {
    tracer_->refuse(site(expr), "this expression is not followed");
  }
  return mentionsLocal(expr) ? Value::unknown("this expression is not followed")
                             : fromPython(interpreter_.evaluate(expr, frames_.back().env));
}

} // namespace placid::pro
