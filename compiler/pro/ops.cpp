// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/ops.h"

#include <algorithm>

namespace placid::pro {

namespace {

std::vector<Parameter> parametersOf(std::string_view text) {
  std::vector<Parameter> out;
  bool keywordOnly = false;
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word == "*") {
      keywordOnly = true;
      continue;
    }
    bool optional = word.ends_with('=');
    word.remove_suffix(optional ? 1 : 0);
    out.push_back({word, optional, keywordOnly});
  }
  return out;
}

std::vector<OpRow> makeRows() {
  constexpr Effect W = Effect::Writes;
  constexpr Effect R = Effect::Reads;
  constexpr Effect N = Effect::None;
  constexpr Effect O = Effect::Orders;
  std::vector<OpRow> out;
#define PRO_OP(path, parameters, core, effect, doc)                                                                    \
  out.push_back({path, parametersOf(parameters), Core::core, effect, doc});
#include "compiler/pro/ops.def"
#undef PRO_OP
  return out;
}

} // namespace

std::span<const OpRow> ops() {
  static const std::vector<OpRow> kRows = makeRows();
  return kRows;
}

const OpRow *findOp(std::string_view path) {
  auto rows = ops();
  auto found = std::find_if(rows.begin(), rows.end(), [&](const OpRow &row) { return row.path == path; });
  return found != rows.end() ? &*found : nullptr;
}

} // namespace placid::pro
