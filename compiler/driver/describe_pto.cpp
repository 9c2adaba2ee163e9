// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/describe_pto.h"

#include "compiler/interpreter/interpret.h"

#include <charconv>
#include <set>

namespace placid::compiler {

namespace {

using interp::Block;
using interp::Function;
using interp::Statement;
using interp::Type;
using Argument = LoweredKernel::Argument;

struct Facts {
  std::map<int, const Statement *> makers; ///< Slot to the statement that made it.
  std::vector<const Statement *> views;
  std::vector<const Statement *> stores;
};

void gather(const Block &block, Facts &out) {
  for (const Statement &statement : block.body) {
    for (int slot : statement.results) {
      out.makers[slot] = &statement;
    }
    if (statement.op == "pto.make_tensor_view") {
      out.views.push_back(&statement);
    } else if (statement.op == "pto.tstore") {
      out.stores.push_back(&statement);
    }
    for (const Block &region : statement.regions) {
      gather(region, out);
    }
  }
}

std::optional<Expr> extentOf(const Function &function, const Facts &facts, int slot) {
  if (slot < static_cast<int>(function.arguments.size())) {
    return Expr(function.argumentLabel(slot));
  }
  auto maker = facts.makers.find(slot);
  if (maker == facts.makers.end() || maker->second->op != "arith.constant" || maker->second->words.empty()) {
    return std::nullopt;
  }
  const std::string &text = maker->second->words[0];
  int64_t value = 0;
  auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::optional<Expr>(value) : std::nullopt;
}

/// The logical shape behind a blocked one.
bool unblock(std::vector<Expr> &shape) {
  if (shape.size() != 5) {
    return false;
  }
  auto product = [](const Expr &a, const Expr &b) -> std::optional<Expr> {
    const auto *x = std::get_if<int64_t>(&a);
    const auto *y = std::get_if<int64_t>(&b);
    int64_t out = 0;
    bool known = x != nullptr && y != nullptr && !__builtin_mul_overflow(*x, *y, &out);
    return known ? std::optional<Expr>(out) : std::nullopt;
  };
  std::optional<Expr> rows = product(shape[2], shape[3]);
  std::optional<Expr> cols = product(shape[1], shape[4]);
  if (!rows || !cols) {
    return false;
  }
  std::vector<Expr> logical;
  if (shape[0] != Expr(int64_t{1})) {
    logical.push_back(shape[0]);
  }
  logical.push_back(*rows);
  logical.push_back(*cols);
  shape = std::move(logical);
  return true;
}

/// The pointer behind a window, through partitions and views.
int rootOf(const Facts &facts, int slot) {
  for (auto maker = facts.makers.find(slot); maker != facts.makers.end(); maker = facts.makers.find(slot)) {
    const Statement &statement = *maker->second;
    if (statement.operands.empty() ||
        (statement.op != "pto.partition_view" && statement.op != "pto.make_tensor_view")) {
      break;
    }
    slot = statement.operands[0];
  }
  return slot;
}

} // namespace

std::vector<Argument> describeArguments(const Function &function) {
  Facts facts;
  gather(function.body, facts);
  std::set<int> written;
  for (const Statement *store : facts.stores) {
    if (!store->outs.empty()) {
      written.insert(rootOf(facts, store->outs[0]));
    }
  }
  std::vector<Argument> out(interp::dataParameters(function, 0));
  // Parameters that only stand in the shapes of views are extents; dataParameters() took trailing i32 for identities.
  for (size_t i = 0; i < out.size(); ++i) {
    const Type &type = function.arguments[i];
    out[i].name = function.argumentLabel(i);
    out[i].direction = "in";
    out[i].dtype = std::string(interp::info(type.dtype).plName);
    out[i].kind = type.kind == Type::Kind::Scalar ? "scalar" : "unknown";
  }
  for (const Statement *view : facts.views) {
    size_t index = view->operands.empty() ? out.size() : static_cast<size_t>(view->operands[0]);
    if (index >= out.size() || out[index].kind != "unknown") {
      continue;
    }
    Argument &argument = out[index];
    auto shape = view->lists.find("shape");
    bool known = shape != view->lists.end();
    for (int slot : known ? shape->second : std::vector<int>()) {
      std::optional<Expr> extent = extentOf(function, facts, slot);
      known &= extent.has_value();
      argument.shape.push_back(extent.value_or(Expr(int64_t{0})));
    }
    auto layout = view->attributes.find("layout");
    argument.layout = "ND";
    if (layout != view->attributes.end() && layout->second.find("nz") != std::string::npos) {
      argument.layout = "NZ";
      known &= unblock(argument.shape);
    }
    std::string name = view->results.empty() ? "" : function.slotNames[view->results[0]];
    if (argument.name.starts_with("arg") && name.ends_with("_view")) {
      argument.name = name.substr(0, name.size() - 5);
    }
    argument.kind = known ? "tensor" : "unknown";
    argument.direction = written.count(static_cast<int>(index)) != 0 ? "out" : "in";
  }
  return out;
}

} // namespace placid::compiler
