// SPDX-License-Identifier: Apache-2.0
// Set-up of a reading, and what rules ask of it.
#include "compiler/pro/kernel/reader.h"

#include <algorithm>

namespace placid::pro {

using syntax::Expr;
using syntax::Stmt;

const Argument &Call::get(std::string_view wanted) const {
  static const Argument kNone;
  for (size_t i = 0; i < row->parameters.size() && i < arguments.size(); ++i) {
    if (row->parameters[i].name == wanted) {
      return arguments[i];
    }
  }
  return kNone;
}

KernelReader::KernelReader(const frontend::Program &program, const frontend::KernelDecl &kernel, Setup setup,
                           std::vector<diag::Diagnostic> &out, std::stop_token stop)
    : program_(program), kernel_(kernel), setup_(setup), reports_(kernel.qualifiedName, out), stop_(std::move(stop)),
      interpreter_(frontend::interpreterOf(program)) {}

std::string KernelReader::CrossCore::message(std::string_view missing) const {
  return "no " + std::string(missing) + (sets ? " section waits" : " section sets the event") +
         ": synchronisation between cores needs a cube and a vector section, and this kernel has only one of them";
}

void KernelReader::read() {
  const Expr *result = kernel_.function->annotation;
  bool none =
      !result || result->kind == Expr::Kind::None || (result->kind == Expr::Kind::String && result->text == "None");
  if (!none) {
    report(diag::ProReturnValue, {kernel_.module, result->range},
           "a kernel returns nothing: its result is declared `None`, or not at all");
  }
  std::set<const Stmt *> seen{kernel_.function};
  findSections(kernel_.function->body, kernel_.scope->env, seen);
  bool split = sections_.cube || sections_.vector;
  readOnce(split ? Core::Cube : Core::Any);
  if (split && !stopped_) {
    readOnce(Core::Vector);
  }
  if (sections_.cube != sections_.vector) {
    for (const CrossCore &one : crossCores_) {
      report(diag::ProCrossCore, one.at, one.message(sections_.cube ? "vector" : "cube"));
    }
  }
  for (const Suspect &one : suspects_) {
    if (!settled_.contains(one.type)) {
      report(diag::ProTileAlign, one.at, one.message);
    }
  }
}

void KernelReader::suspectShape(const TileTypeInfo &type, std::string message) {
  suspects_.push_back({{type.at.module, type.at.range.begin}, type.shapeAt, std::move(message)});
}

void KernelReader::readOnce(Core core) {
  core_ = core;
  section_ = Core::Any;
  ended_ = false;
  tiles_.clear();
  looked_.clear();
  placed.clear();
  frames_.clear();
  tensors_.clear();
  loops_ = Loops();
  rounds_.clear();
  cells_.clear();
  tracer_.reset();
  if (setup_.traces) {
    tracer_.emplace(setup_.traces->emplace_back());
  }
  Frame &frame = frames_.emplace_back();
  frame.env = kernel_.scope->env;
  frame.module = kernel_.module;
  frame.function = kernel_.function;
  declareParameters();
  block(kernel_.function->body);
}

const TileTypeInfo *KernelReader::Bound::type() const {
  return value.type ? value.type : value.tile ? value.tile->type : value.group ? value.group->type : nullptr;
}

std::vector<KernelReader::Bound> KernelReader::bound() const {
  std::vector<size_t> order(bound_.size());
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(bound_[a].at.range.begin, bound_[a].name, a) <
           std::tie(bound_[b].at.range.begin, bound_[b].name, b);
  });
  std::vector<Bound> out;
  size_t first = 0; // of those of one place
  for (size_t i : order) {
    const Bound &one = bound_[i];
    auto same = [&](const Bound &other) { return other.at.range == one.at.range && other.name == one.name; };
    first = out.empty() || !same(out.back()) ? out.size() : first;
    bool known = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), [&](const Bound &other) {
      return other.type() == one.type() || (other.type() && one.type() && sameType(*other.type(), *one.type()));
    });
    if (!known) {
      out.push_back(one);
    }
  }
  return out;
}

void KernelReader::noteAccess(NzAccess access) {
  constexpr size_t kMost = 1024;
  auto known = std::find_if(accesses_.begin(), accesses_.end(), [&](const NzAccess &other) {
    return other.at.module == access.at.module && other.at.range == access.at.range;
  });
  if (known == accesses_.end() && accesses_.size() < kMost) {
    accesses_.push_back(std::move(access));
  } else if (known != accesses_.end() && known->offsets.empty()) {
    *known = std::move(access); // another reading got further
  }
}

Site KernelReader::site(const Expr &expr) const { return {frames_.back().module, expr.range}; }

std::string_view KernelReader::textOf(Site at) const {
  if (!at.module) {
    return {};
  }
  return std::string_view(at.module->source->text).substr(at.range.begin, at.range.end - at.range.begin);
}

TileInfo &KernelReader::newTile() {
  TileInfo &made = tileInfos_.emplace_back();
  made.id = static_cast<unsigned>(tileInfos_.size());
  return made;
}

TileState &KernelReader::state(const TileInfo &tile) {
  auto [at, added] = tiles_.try_emplace(tile.id);
  bool first = looked_.insert(tile.id).second;
  if (added && first && tile.group && tile.group->validChanged) {
    at->second.valid = TileState::Valid::Unknown; // some slot has another part in use: which, nobody knows
  }
  return at->second;
}

std::vector<Extent> KernelReader::validOf(const TileInfo &tile) {
  const TileState &now = state(tile);
  if (now.valid == TileState::Valid::Set) {
    return now.extents;
  }
  std::vector<Extent> out = tile.type->shape;
  if (now.valid == TileState::Valid::Unknown) {
    std::fill(out.begin(), out.end(), std::nullopt);
  } else if (tile.type->valid.size() == out.size()) {
    out = tile.type->valid;
  }
  return out;
}

/// Two ways that both set the part of a tile in use: its extents are numbers like others.
bool KernelReader::joinPart(TileState &ours, const TileState &theirs) {
  bool sets = ours.valid == TileState::Valid::Set && theirs.valid == TileState::Valid::Set && joins_ && !joinReason_ &&
              ours.indices.size() == theirs.indices.size();
  auto known = [](const TileState &state) {
    return std::all_of(state.indices.begin(), state.indices.end(), [](const Index &one) { return one != nullptr; });
  };
  if (!sets || !known(ours) || !known(theirs)) {
    return false;
  }
  for (size_t i = 0; i < ours.indices.size(); ++i) {
    if (sameIndex(ours.indices[i], theirs.indices[i])) {
      continue;
    }
    auto same = std::find_if(joins_->begin(), joins_->end(), [&](const TraceJoined &one) {
      return sameIndex(one.then, theirs.indices[i]) && sameIndex(one.otherwise, ours.indices[i]);
    });
    int64_t behind = same != joins_->end() ? same->behind : tracer_->variable("this part", joinsAt_);
    if (same == joins_->end()) {
      joins_->push_back({behind, theirs.indices[i], ours.indices[i]});
    }
    ours.indices[i] = variableIndex(behind);
    ours.extents[i] = std::nullopt;
  }
  return true;
}

void KernelReader::order() {
  for (auto &[id, tile] : tiles_) {
    tile.loading = false;
    tile.unsynced = false;
  }
  forgetPlain();
}

void KernelReader::noteUnknown(const Argument &argument) {
  if (argument.expr && argument.value.isUnknown() && !argument.value.why.empty()) {
    reports_.unknown(argument.at, syntax::spell(*argument.expr), argument.value.why);
  }
}

Site KernelReader::bindingOf(const Expr &expr) const {
  if (expr.kind != Expr::Kind::Name) {
    return {};
  }
  auto local = frames_.back().locals.find(expr.text);
  if (local != frames_.back().locals.end()) {
    return local->second.at;
  }
  for (py::Env *env = frames_.back().env; env; env = env->parent) {
    if (const py::Slot *slot = env->names.find(expr.text)) {
      if (slot->origin.module) {
        return slot->origin;
      }
      return env->module && env->module->tree ? Site{env->module->tree.get(), slot->bound} : Site();
    }
  }
  return {};
}

std::optional<std::vector<Value>> KernelReader::itemsOf(const Value &value) {
  if (value.kind == ValueKind::Sequence) {
    return *value.items;
  }
  if (value.kind == ValueKind::Python && value.python.isSequence()) {
    std::vector<Value> out;
    for (py::Value item : value.python.as<py::SequenceObject>().items) {
      out.push_back(fromPython(item));
    }
    return out;
  }
  return std::nullopt;
}

std::optional<std::vector<KernelReader::Item>> KernelReader::items(const Argument &argument) {
  std::optional<std::vector<Value>> values = itemsOf(argument.value);
  if (!values) {
    return std::nullopt;
  }
  bool written = argument.expr &&
                 (argument.expr->kind == Expr::Kind::List || argument.expr->kind == Expr::Kind::Tuple) &&
                 argument.expr->children.size() == values->size();
  std::vector<Item> out;
  for (size_t i = 0; i < values->size(); ++i) {
    Site at = written ? Site{argument.at.module, argument.expr->children[i]->range} : argument.at;
    out.push_back({(*values)[i], at, written ? argument.expr->children[i] : nullptr});
  }
  return out;
}

} // namespace placid::pro
