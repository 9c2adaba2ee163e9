// SPDX-License-Identifier: Apache-2.0
// Numbers in structs, for a trace: each is a local of the frame that makes the struct, so that branches join and loops
// carry it like other locals. Other frames read it; who changes it there is refused. One thread.
#include "compiler/pro/kernel/reader.h"

#include <algorithm>

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

std::string_view KernelReader::fieldKey(int structure, std::string_view field) {
  return *fieldKeys_.insert(" " + std::to_string(structure) + "." + std::string(field)).first;
}

/// A number as a field holds it: of run time, even a constant, as rules see it that know no trace.
Value KernelReader::fieldNumber(const Value &value) {
  Value out = Value::scalar(ScalarOrigin::Other, value.dtype);
  out.index = ofTrace(value.asNumber());
  return out;
}

/// Nothing where it is no number that is followed.
std::optional<Value> KernelReader::fieldOf(const Value &structure, std::string_view field) {
  if (!tracer_ || structure.structure == 0) {
    return std::nullopt;
  }
  std::string_view key = fieldKey(structure.structure, field);
  for (size_t i = frames_.size(); i-- > 0;) {
    auto found = frames_[i].locals.find(key);
    if (found != frames_[i].locals.end()) {
      return found->second.value;
    }
  }
  return std::nullopt;
}

void KernelReader::fieldsOf(const Value &value, std::vector<std::pair<std::string_view, Local>> &out) {
  if (!tracer_ || !value.items) {
    return;
  }
  const std::map<std::string_view, Local> &locals = frames_.back().locals;
  for (size_t i = 0; value.structure != 0 && i < value.fields->size(); ++i) {
    auto local = locals.find(fieldKey(value.structure, (*value.fields)[i]));
    if (local != locals.end()) {
      out.emplace_back(*local);
    }
  }
  for (const Value &item : *value.items) {
    fieldsOf(item, out);
  }
}

/// `s.field = value`; false where that is not a number of a struct that is followed.
bool KernelReader::assignField(const Expr &target, const Value &value) {
  const Expr *base = target.children.empty() ? nullptr : target.children[0];
  std::map<std::string_view, Local> &locals = frames_.back().locals;
  auto local = base && base->kind == Expr::Kind::Name ? locals.find(base->text) : locals.end();
  if (!tracer_ || local == locals.end() || local->second.value.structure == 0) {
    return false;
  }
  std::string_view key = fieldKey(local->second.value.structure, target.text);
  name(*base); // which struct that is, is asked in each round
  auto held = locals.find(key);
  if (held == locals.end() && !fieldOf(local->second.value, target.text)) {
    return false; // no integer; who asks for it does not know it
  }
  if (held == locals.end() || !value.asNumber()) {
    tracer_->refuse(site(target), "a field that a helper changes, or that is no integer, is not followed");
    return true;
  }
  for (const Round &round : rounds_) {
    bool before = round.frames == frames_.size() && held->second.bound <= round.begun;
    if (before && !round.fields.contains(key)) {
      tracer_->refuse(site(target), "which struct this field belongs to is not known when the loop begins");
    }
  }
  held->second.value = fieldNumber(value);
  held->second.at = site(target);
  return true;
}

void KernelReader::assignedFields(const Block &statements, std::set<std::string_view> &out) {
  if (!tracer_) {
    return;
  }
  const std::map<std::string_view, Local> &locals = frames_.back().locals;
  for (const Stmt *stmt : statements) {
    for (const Expr *target : stmt->targets) {
      const Expr *base = target->kind == Expr::Kind::Attribute ? target->children[0] : nullptr;
      auto local = base && base->kind == Expr::Kind::Name ? locals.find(base->text) : locals.end();
      if (local != locals.end() && local->second.value.structure != 0) {
        out.insert(fieldKey(local->second.value.structure, target->text));
      }
    }
    assignedFields(stmt->body, out);
    assignedFields(stmt->orelse, out);
  }
}

} // namespace placid::pro
