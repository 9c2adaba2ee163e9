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
    bool variadic = word.starts_with('*');
    word.remove_prefix(variadic ? 1 : 0);
    bool optional = word.ends_with('=');
    word.remove_suffix(optional ? 1 : 0);
    out.push_back({word, optional || variadic, keywordOnly, variadic});
    keywordOnly = keywordOnly || variadic;
  }
  return out;
}

std::vector<OpRow> makeRows() {
  constexpr Effect W = Effect::Writes;
  constexpr Effect R = Effect::Reads;
  constexpr Effect N = Effect::None;
  constexpr Effect O = Effect::Orders;
  std::vector<OpRow> out;
  constexpr Effect S = Effect::Scalar;
  constexpr std::string_view kOpen = "...";
  auto add = [&](std::string_view path, std::string_view parameters, Core core, Effect effect, std::string_view doc,
                 unsigned results) {
    bool open = parameters == kOpen;
    out.push_back({path, parametersOf(open ? "" : parameters), core, effect, doc, open, results});
  };
#define PRO_OP(path, parameters, core, effect, doc) add(path, parameters, Core::core, effect, doc, 0);
#define PRO_VF_OP(name, parameters, results, doc) add("Vf." name, parameters, Core::Vector, N, doc, results);
#include "compiler/pro/ops.def"
#include "compiler/pro/vf_ops.def"
#undef PRO_OP
#undef PRO_VF_OP
  return out;
}

} // namespace

std::span<const OpRow> ops() {
  static const std::vector<OpRow> kRows = makeRows();
  return kRows;
}

std::string signatureOf(const OpRow &row) {
  std::string out = row.open ? "…" : "";
  bool star = false;
  for (const Parameter &parameter : row.parameters) {
    bool opens = parameter.keywordOnly && !star;
    star = star || parameter.keywordOnly || parameter.variadic;
    out += (out.empty() ? "" : ", ") + std::string(opens ? "*, " : "") + (parameter.variadic ? "*" : "") +
           std::string(parameter.name) + (parameter.optional && !parameter.variadic ? "?" : "");
  }
  return out;
}

const OpRow *findOp(std::string_view path) {
  auto rows = ops();
  auto found = std::find_if(rows.begin(), rows.end(), [&](const OpRow &row) { return row.path == path; });
  return found != rows.end() ? &*found : nullptr;
}

} // namespace placid::pro
