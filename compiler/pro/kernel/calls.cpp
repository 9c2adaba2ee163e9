// SPDX-License-Identifier: Apache-2.0
// Calls in a kernel: operations of pypto_pro through their rows, groups of tiles, helpers inlined, Python's own
// functions.
#include "compiler/pro/kernel/reader.h"
#include "compiler/pro/rules/rules.h"
#include "compiler/pro/rules/spelling.h"
#include "compiler/support/suggest.h"

#include <algorithm>

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr size_t kMaxFrames = 24;

} // namespace

Value KernelReader::call(const Expr &expr) {
  const Expr &callee = *expr.children[0];
  Value base;
  if (callee.kind == Expr::Kind::Attribute) {
    base = evaluate(*callee.children[0]);
    if (base.kind == ValueKind::Group) {
      return callGroup(*base.group, callee.text, expr);
    }
    if (base.kind == ValueKind::Sequence || base.structure != 0 || base.kind == ValueKind::Struct ||
        base.kind == ValueKind::Tile || base.kind == ValueKind::Tensor || base.kind == ValueKind::Scalar) {
      touchAll(expr);
      return Value::unknown("a method of " + describe(base));
    }
  }
  // Once: a chain of calls would be read twice as often with each link.
  Value function = callee.kind == Expr::Kind::Attribute ? attribute(callee, base) : evaluate(callee);
  if (!function.path().empty()) {
    return callPath(function.path(), expr);
  }
  if (function.isPython(py::Kind::Function) && function.python.as<py::FunctionObject>().definition) {
    return callHelper(function.python.as<py::FunctionObject>(), expr);
  }
  if (function.kind == ValueKind::Python) {
    return callPython(function, expr);
  }
  touchAll(expr);
  return Value::unknown(function.why.find("vector_function") != std::string::npos ||
                                function.why.find("simt") != std::string::npos
                            ? ""
                            : function.why);
}

Value KernelReader::callPython(const Value &callee, const Expr &expr) {
  py::Arguments arguments;
  bool known = true;
  bool numeric = true;
  std::vector<Value> values;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    Value value = evaluate(*expr.children[i]);
    std::optional<py::Value> one = toPython(value);
    known = known && one.has_value() && expr.children[i]->kind != Expr::Kind::Starred;
    numeric = numeric && (one ? one->isNumber() : value.kind == ValueKind::Scalar);
    arguments.positional.push_back(one.value_or(py::Value()));
    values.push_back(std::move(value));
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    std::optional<py::Value> one = toPython(evaluate(*keyword.value));
    known = known && one.has_value() && !keyword.name.empty();
    arguments.keywords.emplace_back(keyword.name, one.value_or(py::Value()));
  }
  std::string_view name = expr.children[0]->text;
  bool lengths = values.size() == 1 && values[0].kind == ValueKind::Sequence && name == "len";
  if (lengths) {
    return Value::ofPython(py::Value::ofInt(static_cast<int64_t>(values[0].items->size())));
  }
  bool pure = callee.python.is(py::Kind::Builtin) || callee.python.is(py::Kind::Class) ||
              callee.python.is(py::Kind::Method) || callee.python.is(py::Kind::Foreign) ||
              callee.python.is(py::Kind::Partial) || callee.python.is(py::Kind::Function);
  // What is written in Python, or calls what it is given, may run operations.
  bool plain = callee.python.is(py::Kind::Builtin) || callee.python.is(py::Kind::Class);
  auto silent = [](const Value &value) {
    return !value.isUnknown() && !value.isPython(py::Kind::Function) && !value.isPython(py::Kind::Method) &&
           !value.isPython(py::Kind::Partial);
  };
  plain = plain && std::all_of(values.begin(), values.end(), silent);
  if (known && pure) {
    Value out = fromPython(interpreter_.call(callee.python, arguments));
    if (tracer_ && !plain && out.isUnknown()) {
      tracer_->refuse(site(expr), "this call is not followed");
    }
    return out;
  }
  bool bound = numeric && callee.python.is(py::Kind::Builtin) && (name == "min" || name == "max");
  if (bound) {
    std::string own = spelledIn(frames_.back().module, name);
    report(diag::ProStatement, site(*expr.children[0]),
           "`" + std::string(name) + "` of Python takes constants alone: use `pl." + std::string(name) + "`")
        .fix("use `" + own + "`", site(*expr.children[0]), own);
  }
  if (bound && values.size() == 2 && expr.keywords.empty()) {
    Value out = Value::scalar(ScalarOrigin::Other); // `pl.min` and `pl.max`
    out.index = makeIndex(name, values[0].asIndex(), values[1].asIndex());
    return out;
  }
  order(); // its arguments are read above
  if (tracer_ && !plain) {
    tracer_->refuse(site(expr), "this call is not followed");
  }
  return numeric && callee.python.is(py::Kind::Class)
             ? Value::scalar(ScalarOrigin::Other)
             : Value::unknown("a call of `" + syntax::spell(*expr.children[0]) + "`");
}

Value KernelReader::callPath(std::string_view full, const Expr &expr) {
  std::string_view path = full.starts_with("pro.") ? full.substr(4) : full;
  if (!full.starts_with("pro.")) {
    rules::otherDialect(*this, full, *expr.children[0]);
    touchAll(expr);
    return Value::unknown("`" + syntax::spell(*expr.children[0]) + "` belongs to the other dialect");
  }
  if (path == "TileType") {
    return rules::tileType(*this, expr);
  }
  if (path == "make_tile") {
    return rules::makeTile(*this, expr);
  }
  if (path == "make_tile_group") {
    Value made = rules::makeTileGroup(*this, expr);
    if (made.group) {
      declareCursor(*made.group, site(expr));
    }
    return made;
  }
  if (const OpRow *row = findOp(path)) {
    return runOp(*row, expr);
  }
  bool constant = path == "const" || path == "constexpr";
  if (constant && expr.children.size() >= 2) {
    Value value = evaluate(*expr.children[1]);
    return value;
  }
  if (path == "min" || path == "max") {
    std::vector<Value> values;
    for (size_t i = 1; i < expr.children.size(); ++i) {
      values.push_back(evaluate(*expr.children[i]));
    }
    auto known = [](const Value &value) { return value.kind == ValueKind::Python && value.python.isNumber(); };
    if (values.size() == 2 && known(values[0]) && known(values[1])) {
      py::Value less = interpreter_.compare("<", values[1].python, values[0].python);
      bool second = less.is(py::Kind::Bool) && (less.integer != 0) == (path == "min");
      return values[second ? 1 : 0];
    }
    Value out = Value::scalar(ScalarOrigin::Other);
    out.index = values.size() == 2 ? makeIndex(path, values[0].asNumber(), values[1].asNumber()) : nullptr;
    return out;
  }
  if (path == "make_tuple" || path == "struct" || path == "struct_array") {
    return structure(path, expr);
  }
  touchAll(expr);
  rules::unknownOperation(*this, path, expr);
  if (path == "make_tensor" || path == "make_ptr" || path == "addptr") {
    return rules::makeTensor(*this, path, expr);
  }
  return Value::unknown("");
}

/// `pl.make_tuple(a=…, b=…)`, `pl.struct("Name", a=…)` and `pl.struct_array(4, "Name", a=…)`. The numbers of the last
/// two change at run time, also those in lists.
Value KernelReader::structure(std::string_view path, const Expr &expr) {
  std::vector<std::string> names;
  std::vector<Value> values;
  std::vector<Value> first; // of a struct, by field
  std::optional<int64_t> count = 1;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    Value value = evaluate(*expr.children[i]);
    count = path == "struct_array" && i == 1 ? value.integer() : count;
    if (path == "make_tuple") {
      names.emplace_back();
      values.push_back(std::move(value));
    }
  }
  bool named = !expr.keywords.empty();
  for (const syntax::Keyword &keyword : expr.keywords) {
    Value value = evaluate(*keyword.value);
    names.emplace_back(keyword.name);
    first.push_back(value);
    values.push_back(path != "make_tuple" && value.isNumber() ? Value::scalar(ScalarOrigin::Other, value.dtype)
                                                              : value);
  }
  if (!named && path == "make_tuple") {
    return Value::sequence(std::move(values));
  }
  constexpr int64_t kMost = 4096; ///< Structs of an array.
  if (path == "make_tuple") {
    return Value::ofFields(std::move(names), std::move(values));
  }
  if (!count || *count < 1 || *count > kMost) {
    return Value::unknown("how many structs this array has");
  }
  Value out;
  out.structures = static_cast<int>(*count);
  out.structure = structures_ + 1;
  structures_ += out.structures;
  for (size_t i = 0; i < first.size(); ++i) {
    std::optional<std::vector<Value>> items = itemsOf(first[i]);
    bool array = items && !items->empty() &&
                 std::all_of(items->begin(), items->end(), [](const Value &item) { return item.isNumber(); });
    if (array) {
      values[i] = Value::ofFields({names[i]}, std::move(*items));
      values[i].kind = ValueKind::FieldArray;
    }
    if (array || first[i].isNumber()) {
      declareCells(out, names[i], first[i], site(expr));
    }
  }
  Value made = Value::ofFields(std::move(names), std::move(values));
  made.kind = path == "struct_array" ? ValueKind::StructArray : ValueKind::Struct;
  made.structure = out.structure;
  made.structures = out.structures;
  return made;
}

/// An item of a group by subscript.
Value KernelReader::groupSlot(GroupInfo &group, const Expr &index) {
  bool slice = index.kind == Expr::Kind::Slice;
  Value value = slice ? Value::unknown("") : evaluate(index);
  bool number = value.integer() || value.kind == ValueKind::Scalar || value.isUnknown();
  if (slice || !number) {
    report(diag::ProGroupIndex, site(index),
           "a tile group is indexed by one integer, got " + (slice ? "a slice" : describe(value)))
        .note(group.at, "the group is made here");
    return Value::unknown("");
  }
  auto depth = static_cast<int64_t>(group.addresses.size());
  std::optional<int64_t> at = value.integer();
  if (at && depth > 0 && (*at < 0 || *at >= depth)) {
    report(diag::ProGroupIndex, site(index),
           "tile group index " + std::to_string(*at) + " is out of range: the group has " + std::to_string(depth) +
               (depth == 1 ? " tile" : " tiles") + ", valid indices are 0.." + std::to_string(depth - 1))
        .note(group.at, "the group is made here");
    return Value::unknown("");
  }
  Index changes = at || depth == 0 ? nullptr : value.asIndex();
  std::optional<Loops::Witness> wrong = loops_.above(changes, depth - 1);
  wrong = wrong ? wrong : loops_.below(changes, 0);
  if (wrong) {
    report(diag::ProGroupIndex, site(index),
           "tile group index " + std::to_string(wrong->value) + " with " + wrong->round +
               " is out of range: the group has " + std::to_string(depth) + (depth == 1 ? " tile" : " tiles"))
        .note(group.at, "the group is made here")
        .note(wrong->loop, "the loop");
  }
  TileInfo &made = newTile();
  made.type = group.type;
  made.group = &group;
  made.at = group.at;
  made.name = group.name;
  if (at && depth > 0) {
    made.slot = static_cast<int>(*at);
    made.address = group.addresses[static_cast<size_t>(*at)];
    // A slot that is named again is the same tile.
    made.id = group.slotIds.try_emplace(made.slot, made.id).first->second;
  } else if (depth == 1) {
    made.slot = 0;
    made.address = group.addresses[0];
  }
  made.index = value.asIndex();
  if (tracer_ && setup_.chooseSlots && made.slot < 0) {
    chooseSlot(made, group, made.index, site(index));
  }
  Value out;
  out.kind = ValueKind::Tile;
  out.tile = &made;
  return out;
}

Value KernelReader::callGroup(GroupInfo &group, std::string_view method, const Expr &expr) {
  if (method != "next" && method != "current" && method != "previous") {
    const std::vector<std::string> methods{"next", "current", "previous"};
    std::string near = support::nearestName(method, methods);
    auto entry = report(diag::ProUnknownOperation, site(*expr.children[0]),
                        "a tile group has `next`, `current` and `previous`, no `" + std::string(method) + "`");
    entry.note(group.at, "the group is made here");
    if (!near.empty()) {
      entry.fix("use `" + near + "`", {site(expr).module, expr.children[0]->nameRange}, near);
    }
    touchAll(expr);
    return Value::unknown("");
  }
  TileInfo &made = newTile();
  made.type = group.type;
  made.group = &group;
  made.at = group.at;
  made.name = group.name;
  if (group.addresses.size() == 1) {
    made.slot = 0;
    made.address = group.addresses[0];
  }
  if (tracer_ && !takeByCursor(made, group, method, site(expr))) {
    tracer_->take(made, method, site(expr));
  }
  Value out;
  out.kind = ValueKind::Tile;
  out.tile = &made;
  return out;
}

Value KernelReader::heldType(const py::TypeObject &held) {
  if (!held.expr || held.expr->kind != Expr::Kind::Call || !held.env || !held.env->module || !held.env->module->tree) {
    return Value::ofPython(py::Value::make(py::Kind::PlType, const_cast<py::TypeObject *>(&held)));
  }
  auto known = heldTypes_.find(&held);
  if (known == heldTypes_.end()) {
    Value made = inModuleOf(held.env, [&] { return rules::tileType(*this, *held.expr); });
    known = heldTypes_.emplace(&held, made.type).first;
  }
  Value out;
  out.kind = ValueKind::TileType;
  out.type = known->second;
  return out;
}

KernelReader::HelperKind KernelReader::helperKind(const py::FunctionObject &function, py::Value &vf) {
  for (const Expr *decorator : function.definition->decorators) {
    const Expr &callee = decorator->kind == Expr::Kind::Call ? *decorator->children[0] : *decorator;
    py::Value value = interpreter_.evaluate(callee, function.env);
    if (!value.is(py::Kind::Pl) || py::textOf(value) != "pro.vector_function") {
      continue;
    }
    if (callee.kind == Expr::Kind::Attribute) {
      vf = interpreter_.attribute(interpreter_.evaluate(*callee.children[0], function.env), "Vf");
    }
    return decorator->kind == Expr::Kind::Call && !decorator->keywords.empty() ? HelperKind::Threads
                                                                               : HelperKind::Vector;
  }
  return HelperKind::Plain;
}

/// What the helper gives whose body was read last. A body that may end without `return` gives None then.
Value KernelReader::helperResult() {
  const Frame &frame = frames_.back();
  if (!frame.returned) {
    return Value::ofPython(py::Value::none());
  }
  bool always = ended_;
  Value out = frame.result;
  if (tracer_) {
    auto left = frame.locals.find(kLeftName);
    auto result = frame.locals.find(kResultName);
    always = left != frame.locals.end() && left->second.value.integer() == kReturn;
    out = result != frame.locals.end() ? result->second.value : out;
  }
  return always || out.isNone() ? out : Value::unknown("this helper may end without `return`, which gives None");
}

/// A helper's body is read where it is called.
Value KernelReader::callHelper(const py::FunctionObject &function, const Expr &expr) {
  bool recursive = std::any_of(frames_.begin(), frames_.end(),
                               [&](const Frame &frame) { return frame.function == function.definition; });
  if (recursive || frames_.size() >= kMaxFrames || !function.env || !function.env->module) {
    touchAll(expr);
    return Value::unknown(recursive ? "the helper calls itself" : "helpers are nested too deep");
  }
  Frame made;
  HelperKind kind = helperKind(function, made.vf);
  if (kind == HelperKind::Threads) {
    touchAll(expr);
    return Value::unknown("");
  }
  made.vector = kind == HelperKind::Vector;
  if (frames_.back().vector && !made.vector) {
    report(diag::ProVfBody, site(expr),
           "`" + syntax::spell(*expr.children[0]) +
               "` is no vector function: the body of one calls `vf` operations and other vector functions");
  }
  made.env = function.env;
  made.module = function.env->module->tree.get();
  made.function = function.definition;
  made.helper = true;
  std::vector<std::pair<std::string_view, Local>> given;
  bool open = false;
  size_t next = 0;
  const auto &parameters = *function.parameters;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    const Expr &child = *expr.children[i];
    if (child.kind == Expr::Kind::Starred) {
      std::optional<std::vector<Value>> spread = itemsOf(evaluate(*child.children[0]));
      open = open || !spread;
      for (const Value &value : spread.value_or(std::vector<Value>())) {
        if (next < parameters.size() && !parameters[next].variadic) {
          made.locals[parameters[next++].name] = {value, site(child)};
        }
      }
      continue;
    }
    Value value = evaluate(child);
    if (next < parameters.size() && !parameters[next].variadic) {
      made.locals[parameters[next++].name] = {std::move(value), site(child)};
    } else {
      open = true;
    }
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    Value value = evaluate(*keyword.value);
    auto named = std::find_if(parameters.begin(), parameters.end(),
                              [&](const syntax::Parameter &parameter) { return parameter.name == keyword.name; });
    if (named != parameters.end()) {
      made.locals[named->name] = {std::move(value), site(*keyword.value)};
    } else {
      open = true;
    }
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::string_view name = parameters[i].name;
    if (parameters[i].variadic) {
      open = open || name.size() > 1; // `*args`
      continue;
    }
    if (!made.locals.contains(name)) {
      bool has = i < function.defaults.size() && !function.defaults[i].isRaised();
      made.locals[name] = {has ? fromPython(function.defaults[i]) : Value::unknown("an argument that is not given"),
                           {}};
    }
  }
  if (open) {
    order();
    if (tracer_) {
      tracer_->refuse(site(expr), "the arguments of this call are not followed");
    }
    return Value::unknown("the arguments of this call are not followed");
  }
  std::string target = std::exchange(target_, std::string());
  unsigned depth = std::exchange(depth_, 0);
  if (kind == HelperKind::Vector) {
    order(); // how it waits for its tiles is the runtime's business
  }
  frames_.push_back(std::move(made));
  // A return anywhere but at the end: nobody knows how much of the body a round runs.
  const auto &body = function.definition->body;
  bool ends = !body.empty() && body.back()->kind == Stmt::Kind::Return;
  Block before(body.begin(), body.end() - (ends ? 1 : 0));
  bool whole = !jumps(before, false);
  if (!whole) {
    loops_.guard(nullptr, true);
  }
  block(body);
  if (!whole) {
    loops_.unguard();
  }
  Value out = helperResult();
  ended_ = false;
  frames_.pop_back();
  depth_ = depth;
  target_ = target;
  if (kind == HelperKind::Vector) {
    order();
  }
  return out;
}

Call KernelReader::bindArguments(const OpRow &row, const Expr &expr) {
  Call out;
  out.row = &row;
  out.expr = &expr;
  out.at = site(expr);
  out.arguments.resize(row.parameters.size());
  size_t next = 0;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    const Expr &child = *expr.children[i];
    if (child.kind == Expr::Kind::Starred) {
      out.open = true;
      noteUnknown({&child, Value::unknown("arguments that are unpacked are not followed"), site(child)});
      break;
    }
    Value value = evaluate(child);
    if (next < row.parameters.size() && !row.parameters[next].keywordOnly) {
      out.arguments[next] = {&child, std::move(value), site(child)};
      if (row.parameters[next].variadic) {
        out.variadic.push_back(out.arguments[next]);
      }
      next += row.parameters[next].variadic ? 0 : 1;
    } else {
      out.extra.push_back(&child);
    }
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    if (keyword.name.empty()) {
      out.open = true;
      noteUnknown({keyword.value, Value::unknown("keywords that are unpacked are not followed"), site(*keyword.value)});
      continue;
    }
    Value value = evaluate(*keyword.value);
    bool known = false;
    for (size_t i = 0; i < row.parameters.size(); ++i) {
      bool same = row.parameters[i].name == keyword.name;
      known = known || same;
      if (same && out.arguments[i].given()) {
        out.repeated.push_back(&keyword);
      }
      if (same && !(value.isNone() && row.parameters[i].optional)) {
        out.arguments[i] = {keyword.value, value, site(*keyword.value)};
      }
    }
    out.foreign = out.foreign || !known;
    if (!known) {
      out.unexpected.push_back(&keyword);
    }
  }
  return out;
}

Value KernelReader::runOp(const OpRow &row, const Expr &expr) {
  Call made = bindArguments(row, expr);
  made.bound = &expr != bare_;
  bool transfer = row.path == "move" || row.path.starts_with("load") || row.path.starts_with("store");
  if (made.bound && transfer) {
    resultless(row.path, expr);
  }
  if (!made.open) {
    rules::check(*this, made);
  }
  if (frames_.back().vector) {
    rules::inVectorFunction(*this, made);
  }
  bool pairs = sections_.cube && sections_.vector && core_ == Core::Vector;
  if (tracer_ && pairs && row.path.starts_with("store") && made.get("atomic").given()) {
    tracer_->refuse(made.at, "an atomic store of both vector cores of a pair is not lowered");
  }
  Value read = tracer_ ? tracer_->operation(*this, made) : Value();
  touch(made);
  if (read.kind == ValueKind::Scalar) {
    return read;
  }
  Value out = row.effect == Effect::Scalar ? Value::scalar(ScalarOrigin::Other) : Value::unknown("");
  if (row.path.starts_with("get_")) {
    out.index = identity(row.path);
  }
  return out;
}

/// Which core this is. A kernel of one core has no part cores; in one of both, two vector cores share a block, and
/// count on from core to core.
Index KernelReader::identity(std::string_view path) const {
  using Origin = IndexNode::Origin;
  bool pairs = sections_.cube && sections_.vector && core_ == Core::Vector;
  if (path == "get_block_num") {
    return symbolIndex(Origin::BlockCount);
  }
  if (path == "get_subblock_num") {
    return constantIndex(pairs ? 2 : 1);
  }
  if (path == "get_subblock_idx") {
    return pairs ? symbolIndex(Origin::Subblock) : constantIndex(0);
  }
  if (path != "get_block_idx") {
    return nullptr;
  }
  Index block = symbolIndex(Origin::BlockIndex);
  return pairs ? makeIndex(IndexNode::Kind::Add, makeIndex(IndexNode::Kind::Mul, block, constantIndex(2)),
                           symbolIndex(Origin::Subblock))
               : block;
}

/// What the operation does to what is pending.
void KernelReader::touch(const Call &call) {
  if (call.row->effect == Effect::Orders) {
    order();
    return;
  }
  bool load = call.row->path == "load" || call.row->path == "load_tile";
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Value &value = call.arguments[i].value;
    if (value.kind != ValueKind::Tile || call.row->effect == Effect::None) {
      continue;
    }
    TileState &now = state(*value.tile);
    bool written = i == 0 && call.row->effect == Effect::Writes;
    now.loading = load && written;
    now.unsynced = load && written;
    now.loadAt = load && written ? call.at : now.loadAt;
  }
}

/// A call of which nothing is known: it may wait for what is pending. Its arguments are read all the same.
void KernelReader::touchAll(const Expr &expr) {
  order();
  if (tracer_) {
    tracer_->refuse(site(expr), "this call is not followed");
  }
  for (size_t i = 1; i < expr.children.size(); ++i) {
    evaluate(*expr.children[i]);
  }
  for (const syntax::Keyword &keyword : expr.keywords) {
    evaluate(*keyword.value);
  }
}

} // namespace placid::pro
