// SPDX-License-Identifier: Apache-2.0
// Numbers in structs, for a trace: each is a cell that branches join and loops carry as they do locals, whoever holds
// the struct. Where an index of run time says which struct or element it is, a read picks from all of them and a write
// gives each its old or the new number. One thread.
#include "compiler/pro/kernel/reader.h"

#include <algorithm>

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

namespace {

constexpr size_t kMaxChoices = 256; ///< Cells among which one access chooses.

/// A number as a field holds it: of run time, even a constant, as rules see it that know no trace.
Value fieldNumber(const Value &value) {
  Value out = Value::scalar(ScalarOrigin::Other, value.dtype);
  out.index = ofTrace(value.asNumber());
  return out;
}

/// What an index picks of `count`, each with its condition; null for the only one.
struct Choice {
  int64_t which = 0;
  Index when;
};
std::vector<Choice> choices(const Index &index, int64_t count) {
  std::vector<Choice> out;
  for (int64_t i = 0; i < count && index; ++i) {
    bool never = index->range && (i < index->range->low || i > index->range->high);
    bool only = index->range && index->range->isSingle();
    if (!never) {
      out.push_back({i, only ? nullptr : makeIndex(IndexNode::Kind::Equal, index, constantIndex(i))});
    }
  }
  return out;
}

} // namespace

int KernelReader::cell(int structure, std::string_view field, int64_t item) {
  auto [at, added] = cellIds_.try_emplace({structure, std::string(field), item}, static_cast<int>(cellFields_.size()));
  if (added) {
    cellFields_.push_back({structure, std::string(field)});
  }
  return at->second;
}

/// Makes the cells of one field of `structures` structs; what is no integer has none.
void KernelReader::declareCells(const Value &made, std::string_view field, const Value &first, Site at) {
  std::optional<std::vector<Value>> items = itemsOf(first);
  if (!tracer_) {
    return;
  }
  for (int i = 0; i < made.structures; ++i) {
    for (size_t item = 0; item < (items ? items->size() : 1); ++item) {
      const Value &value = items ? (*items)[item] : first;
      if (value.asNumber()) {
        int64_t number = items ? static_cast<int64_t>(item) : -1;
        cells_[cell(made.structure + i, field, number)] = {fieldNumber(value), at, ++bindings_};
      }
    }
  }
}

/// The cells that an access may mean. Empty where that is not known, or where there is none.
std::vector<KernelReader::CellChoice> KernelReader::cellsOf(const Value &owner, std::string_view field,
                                                            const Index *item, size_t length) {
  std::vector<CellChoice> out;
  std::vector<Choice> structs =
      owner.structures == 1 ? std::vector<Choice>{{0, nullptr}} : choices(owner.pick, owner.structures);
  std::vector<Choice> elements =
      item ? choices(*item, static_cast<int64_t>(length)) : std::vector<Choice>{{-1, nullptr}};
  if (structs.size() * elements.size() > kMaxChoices) {
    return out;
  }
  for (const Choice &one : structs) {
    for (const Choice &element : elements) {
      Index when = !one.when       ? element.when
                   : !element.when ? one.when
                                   : makeIndex(IndexNode::Kind::And, one.when, element.when);
      out.push_back({cell(owner.structure + static_cast<int>(one.which), field, element.which), std::move(when)});
    }
  }
  bool sure =
      out.size() == 1 || std::all_of(out.begin(), out.end(), [](const CellChoice &one) { return one.when != nullptr; });
  return sure ? out : std::vector<CellChoice>();
}

/// A number that a condition chooses.
Index KernelReader::chosen(const Index &when, const Index &then, const Index &otherwise, Site at) {
  if (!then || !otherwise || sameIndex(then, otherwise)) {
    return then ? otherwise : nullptr;
  }
  tracer_->beginBranch(when, at);
  tracer_->otherwise();
  int64_t behind = tracer_->variable("this field", at);
  tracer_->endBranch({{behind, then, otherwise}});
  return variableIndex(behind);
}

/// What a field, or with `item` an element of its array, holds; `held` where nobody follows it.
Value KernelReader::readCells(const Value &owner, std::string_view field, const Index *item, const Value &held,
                              size_t length, Site at) {
  if (!tracer_ || owner.structure == 0) {
    return held;
  }
  std::vector<CellChoice> found = cellsOf(owner, field, item, length);
  Index out;
  std::optional<DType> dtype;
  for (size_t i = found.size(); i-- > 0;) {
    auto local = cells_.find(found[i].cell);
    Index value = local != cells_.end() ? local->second.value.asNumber() : nullptr;
    if (!value) {
      return held;
    }
    bool last = i + 1 == found.size();
    dtype = last || dtype == local->second.value.dtype ? local->second.value.dtype : std::nullopt;
    out = last ? value : chosen(found[i].when, value, out, at);
  }
  if (!out) {
    return held;
  }
  Value made = Value::scalar(ScalarOrigin::Other, dtype);
  made.index = ofTrace(out);
  return made;
}

void KernelReader::writeCells(const Value &owner, std::string_view field, const Index *item, const Value &value,
                              size_t length, Site at) {
  if (!tracer_) {
    return;
  }
  ++cellWrites_;
  tracer_->acted();
  std::vector<CellChoice> found = cellsOf(owner, field, item, length);
  if (found.empty()) {
    tracer_->refuse(at, "which struct or element this is, is not known while compiling");
  }
  for (const CellChoice &one : found) {
    auto local = cells_.find(one.cell);
    if (local == cells_.end()) {
      continue; // no integer; who asks for it does not know it
    }
    Local &held = local->second;
    for (const Round &round : rounds_) {
      bool carried = std::any_of(round.cells.begin(), round.cells.end(),
                                 [&](const auto &carries) { return carries.first == one.cell; });
      if (held.bound <= round.begun && !carried) {
        tracer_->refuse(at, "which struct this field belongs to is not known when the loop begins");
      }
    }
    Value made = fieldNumber(value);
    if (found.size() > 1) {
      made.index = ofTrace(chosen(one.when, made.index, held.value.index, at));
      made.dtype = made.dtype == held.value.dtype ? made.dtype : std::nullopt;
    }
    if (!made.index) {
      tracer_->refuse(at, "a field that holds something else than an integer is not followed");
      return;
    }
    held.value = std::move(made);
    held.at = at;
  }
}

/// `s.field = value`; false where that is not a number of a struct.
bool KernelReader::assignField(const Expr &target, const Value &value) {
  const Expr *base = target.children.empty() ? nullptr : target.children[0];
  bool held = base && (base->kind == Expr::Kind::Name || base->kind == Expr::Kind::Subscript ||
                       base->kind == Expr::Kind::Attribute);
  Value owner = held ? evaluate(*base) : Value();
  if (owner.kind != ValueKind::Struct || owner.structure == 0) {
    return false;
  }
  auto at = std::find(owner.fields->begin(), owner.fields->end(), target.text);
  if (at == owner.fields->end()) {
    return false;
  }
  const Value &item = (*owner.items)[static_cast<size_t>(at - owner.fields->begin())];
  if (item.kind == ValueKind::Scalar && (value.isNumber() || tracer_)) {
    writeCells(owner, target.text, nullptr, value, 0, site(target));
    return true;
  }
  std::optional<std::vector<Value>> items = item.kind == ValueKind::FieldArray ? itemsOf(value) : std::nullopt;
  if (!items || items->size() != item.items->size()) {
    return false;
  }
  for (size_t i = 0; i < items->size(); ++i) {
    Index which = constantIndex(static_cast<int64_t>(i));
    writeCells(owner, target.text, &which, (*items)[i], items->size(), site(target));
  }
  return true;
}

/// The struct of an array, or the number in an array of a struct, that an index says.
Value KernelReader::structItem(const Value &base, const Value &which, Site at) {
  bool number = which.integer() || which.kind == ValueKind::Scalar;
  auto count = base.kind == ValueKind::StructArray ? static_cast<int64_t>(base.structures)
                                                   : static_cast<int64_t>(base.items->size());
  std::optional<int64_t> constant = which.integer();
  if (!number || (constant && (*constant < 0 || *constant >= count))) {
    std::string why = describe(base) + " has no item of this index";
    if (tracer_) {
      tracer_->refuse(at, why);
    }
    return Value::unknown(std::move(why));
  }
  Index index = which.asIndex();
  if (base.kind == ValueKind::StructArray) {
    Value out = base;
    out.kind = ValueKind::Struct;
    out.pick = std::move(index);
    return out;
  }
  Value held = Value::scalar(ScalarOrigin::Other);
  if (index) {
    return readCells(base, base.fields->front(), &index, held, base.items->size(), at);
  }
  return held;
}

//===-- Loops -----------------------------------------------------------------------------------------------------===//

void KernelReader::assignedFields(const Block &statements, py::Env *env, bool ofFrame, AssignedFields &out) {
  for (const Stmt *stmt : statements) {
    if (stmt->kind == Stmt::Kind::Function || stmt->kind == Stmt::Kind::Class) {
      continue; // read where it is called
    }
    for (const Expr *target : stmt->targets) {
      assignedField(*target, ofFrame, out);
      assignedFields(target, env, ofFrame, out);
    }
    assignedFields(stmt->value, env, ofFrame, out);
    assignedFields(stmt->body, env, ofFrame, out);
    assignedFields(stmt->orelse, env, ofFrame, out);
  }
}

void KernelReader::assignedField(const Expr &target, bool ofFrame, AssignedFields &out) {
  if (target.kind == Expr::Kind::Tuple || target.kind == Expr::Kind::List) {
    for (const Expr *child : target.children) {
      assignedField(*child, ofFrame, out);
    }
    return;
  }
  bool element = target.kind == Expr::Kind::Subscript && target.children[0]->kind == Expr::Kind::Attribute;
  const Expr &field = element ? *target.children[0] : target;
  if (field.kind != Expr::Kind::Attribute) {
    return;
  }
  // One of this frame that the loop does not bind anew is known already.
  const Expr *root = field.children[0];
  root = root->kind == Expr::Kind::Subscript ? root->children[0] : root;
  const std::map<std::string_view, Local> &locals = frames_.back().locals;
  bool named = ofFrame && root->kind == Expr::Kind::Name && !out.bound.contains(root->text);
  auto local = named ? locals.find(root->text) : locals.end();
  if (local == locals.end() || local->second.value.structure == 0) {
    out.anywhere.insert(field.text);
    return;
  }
  const Value &value = local->second.value;
  for (int i = 0; i < value.structures; ++i) {
    out.known.insert({value.structure + i, field.text});
  }
}

/// Those that the helpers assign which an expression calls.
void KernelReader::assignedFields(const Expr *expr, py::Env *env, bool ofFrame, AssignedFields &out) {
  if (!expr) {
    return;
  }
  for (const Expr *child : expr->children) {
    assignedFields(child, env, ofFrame, out);
  }
  for (const syntax::Keyword &keyword : expr->keywords) {
    assignedFields(keyword.value, env, ofFrame, out);
  }
  if (expr->kind == Expr::Kind::Call && !expr->children.empty()) {
    notesTurn(*expr, out);
  }
  if (expr->python) {
    for (const Expr *part : expr->python->parts) {
      assignedFields(part, env, ofFrame, out);
    }
  }
  if (expr->kind != Expr::Kind::Call || expr->children.empty() || expr->children[0]->kind != Expr::Kind::Name) {
    return;
  }
  const std::map<std::string_view, Local> &locals = frames_.back().locals;
  auto local = ofFrame ? locals.find(expr->children[0]->text) : locals.end();
  py::Value callee = local == locals.end()                           ? interpreter_.evaluate(*expr->children[0], env)
                     : local->second.value.kind == ValueKind::Python ? local->second.value.python
                                                                     : py::Value();
  if (!callee.is(py::Kind::Function)) {
    return;
  }
  const auto &function = callee.as<py::FunctionObject>();
  if (function.definition && function.env && out.seen.insert(function.definition).second) {
    assignedFields(function.definition->body, function.env, false, out);
  }
}

/// Numbers in structs that rounds change begin each one as the last round left them.
void KernelReader::beginCells(const Stmt &stmt, const std::set<std::string_view> &bound, Round &round) {
  if (!tracer_ || cells_.empty()) {
    return;
  }
  AssignedFields assigned;
  assigned.bound = bound;
  assignedFields(stmt.body, frames_.back().env, true, assigned);
  for (auto &[id, local] : cells_) {
    const auto &[structure, field] = cellFields_[static_cast<size_t>(id)];
    if (!assigned.anywhere.contains(field) && !assigned.known.contains({structure, field})) {
      continue;
    }
    TraceCarried one;
    one.within = tracer_->variable(field, local.at);
    one.first = local.value.asNumber();
    local.value.index = ofTrace(variableIndex(one.within));
    round.cells.emplace_back(id, std::move(one));
  }
}

/// Hands them to the trace; what they are behind the loop.
std::vector<std::pair<int, Index>> KernelReader::endCells() {
  std::vector<std::pair<int, Index>> out;
  for (auto &[id, carried] : rounds_.back().cells) {
    carried.next = cells_[id].value.asNumber();
    carried.behind = tracer_->variable(tracer_->variableName(carried.within), rounds_.back().at, true);
    out.emplace_back(id, ofTrace(variableIndex(carried.behind)));
    tracer_->carry(carried);
  }
  return out;
}

} // namespace placid::pro
