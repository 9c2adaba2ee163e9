// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/call_types.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/AsmParser/AsmParser.h"

#include <algorithm>
#include <utility>

namespace placid::frontend {

namespace {

std::string textOf(mlir::Type type) {
  std::string out;
  llvm::raw_string_ostream(out) << type;
  return out;
}

} // namespace

std::vector<CallTypes::Known> &CallTypes::entry(const KernelDecl &callee, size_t size) {
  std::vector<Known> &known = types_[&callee];
  known.resize(std::max(known.size(), size));
  return known;
}

void CallTypes::record(const KernelDecl &callee, const std::vector<mlir::Type> &arguments) {
  std::vector<Known> &known = entry(callee, arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (known[i].none()) {
      known[i].type = arguments[i];
    }
  }
  Call call{&callee, {}};
  for (mlir::Type type : arguments) {
    if (!type) {
      call.arguments.emplace_back();
      continue;
    }
    auto [text, fresh] = texts_.try_emplace(type);
    if (fresh) {
      text->second.first = textOf(type);
      text->second.second = mlir::parseType(text->second.first, type.getContext()) == type;
    }
    call.arguments.push_back(text->second.first);
    exact_ = exact_ && text->second.second;
  }
  calls_.push_back(std::move(call));
}

void CallTypes::record(const Call &call) {
  std::vector<Known> &known = entry(*call.callee, call.arguments.size());
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (known[i].none()) {
      known[i].text = call.arguments[i];
    }
  }
}

mlir::Type CallTypes::find(const KernelDecl &callee, size_t position, mlir::MLIRContext *context) const {
  auto known = types_.find(&callee);
  if (known == types_.end() || position >= known->second.size()) {
    return {};
  }
  const Known &entry = known->second[position];
  if (!entry.type && !entry.text.empty()) {
    entry.type = mlir::parseType(entry.text, context);
  }
  return entry.type;
}

std::vector<std::string> CallTypes::texts(const KernelDecl &callee) const {
  std::vector<std::string> out;
  if (auto known = types_.find(&callee); known != types_.end()) {
    for (const Known &entry : known->second) {
      out.push_back(!entry.text.empty() ? entry.text : entry.type ? textOf(entry.type) : std::string());
    }
  }
  return out;
}

bool CallTypes::takeCalls(std::vector<Call> &out) {
  out = std::exchange(calls_, {});
  return std::exchange(exact_, true);
}

CallTypes CallTypes::forOneCall() const {
  CallTypes out;
  out.cache_ = cache_;
  return out;
}

const FoundResults *CallTypes::find(const KernelDecl &callee, const std::vector<mlir::Type> &arguments) const {
  auto known = cache_->found.find(&callee);
  if (known == cache_->found.end()) {
    return nullptr;
  }
  for (const FoundResults &results : known->second) {
    bool same = std::all_of(results.asked.begin(), results.asked.end(), [&](const auto &asked) {
      return asked.second == (asked.first < arguments.size() ? arguments[asked.first] : mlir::Type());
    });
    if (same) {
      return &results;
    }
  }
  return nullptr;
}

} // namespace placid::frontend
