// SPDX-License-Identifier: Apache-2.0
#include "server/render/host_extents.h"

#include <algorithm>

namespace placid::server {

namespace {

bool isName(const std::string &text) {
  std::optional<support::ExtentExpr> parsed = support::ExtentExpr::parse(text);
  return parsed && parsed->isName();
}

} // namespace

HostExtents::HostExtents(const compiler::LoweredKernel &kernel) {
  // Plain names before what is made of them: an axis `M + 1` says nothing new where another one is `M`.
  for (bool names : {true, false}) {
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
      const compiler::LoweredKernel::Argument &argument = kernel.arguments[i];
      for (size_t axis = 0; argument.kind == "tensor" && axis < argument.shape.size(); ++axis) {
        const auto *text = std::get_if<std::string>(&argument.shape[axis]);
        if (text && isName(*text) == names && !isKnown(*text)) {
          symbols_.push_back({*text, i, axis});
        }
      }
    }
    for (size_t i = 0; i < kernel.arguments.size(); ++i) {
      const compiler::LoweredKernel::Argument &argument = kernel.arguments[i];
      if (argument.kind == "extent" && isName(argument.name) == names && !isKnown(argument.name)) {
        symbols_.push_back({argument.name, i, 0, true});
      }
    }
  }
}

const HostExtents::Symbol *HostExtents::find(const std::string &text) const {
  auto found =
      std::find_if(symbols_.begin(), symbols_.end(), [&](const Symbol &symbol) { return symbol.text == text; });
  return found == symbols_.end() ? nullptr : &*found;
}

std::optional<support::ExtentExpr> HostExtents::computed(const std::string &text) const {
  if (find(text)) {
    return std::nullopt;
  }
  std::optional<support::ExtentExpr> parsed = support::ExtentExpr::parse(text);
  const std::vector<std::string> names = parsed ? parsed->names() : std::vector<std::string>();
  const bool all =
      parsed && std::all_of(names.begin(), names.end(), [&](const std::string &name) { return find(name); });
  return all ? parsed : std::nullopt;
}

bool HostExtents::isKnown(const compiler::Expr &extent) const {
  const auto *text = std::get_if<std::string>(&extent);
  return !text || find(*text) || computed(*text);
}

} // namespace placid::server
