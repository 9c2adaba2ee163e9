// SPDX-License-Identifier: Apache-2.0
#include "server/commands/build_layout.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace placid::server {

namespace {

using Ordered = nlohmann::ordered_json;

constexpr size_t kMostAccesses = 200; ///< Of one tensor: more are no picture.

Ordered list(const std::vector<compiler::Expr> &from) {
  Ordered to = Ordered::array();
  for (const compiler::Expr &one : from) {
    std::visit([&](const auto &value) { to.push_back(value); }, one);
  }
  return to;
}

Ordered accessesOf(const compiler::InspectKernel &kernel, const std::string &tensor, const source::SourceText &text) {
  Ordered out = Ordered::array();
  for (const compiler::InspectAccess &access : kernel.accesses) {
    if (access.tensor != tensor || !access.rejected.empty() || out.size() == kMostAccesses) {
      continue;
    }
    Ordered one = {{"op", access.op},
                   {"line", text.lines.lineColumn(access.range.begin).line + 1},
                   {"offsets", list(access.offsets)},
                   {"sizes", list(access.sizes)}};
    if (!access.result.empty()) {
      one["result"] = access.result;
    }
    if (access.gapBlocks) {
      one["gapBlocks"] = *access.gapBlocks;
    }
    out.push_back(std::move(one));
  }
  return out;
}

} // namespace

Ordered BuildLayout::nzArguments(const compiler::LoweredKernel &kernel) {
  Ordered out = Ordered::array();
  for (const compiler::LoweredKernel::Argument &one : kernel.arguments) {
    if (one.layout != "NZ" || one.blocked.empty()) {
      continue;
    }
    Ordered tensor = {
        {"name", one.name}, {"dtype", one.dtype}, {"shape", list(one.shape)}, {"blocked", list(one.blocked)}};
    if (text_ && !report_) {
      report_ = context_.compiler->inspect(text_, options_, context_.stop);
    }
    if (report_) {
      auto found =
          std::find_if(report_->kernels.begin(), report_->kernels.end(),
                       [&](const compiler::InspectKernel &candidate) { return candidate.entry == kernel.entry; });
      if (found != report_->kernels.end()) {
        tensor["accesses"] = accessesOf(*found, one.name, *text_);
      }
    }
    out.push_back(std::move(tensor));
  }
  return out;
}

} // namespace placid::server
