// SPDX-License-Identifier: Apache-2.0
#include "compiler/diagnostics/diagnostic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace placid::diag {

namespace {

constexpr CatalogRow kRows[] = {
#define DIAG(number, name, slug, severity, format, ...)                                                                \
  {static_cast<Code>(number), #name, slug, Severity::severity, format},
#define RETIRED(number, why, version)
#include "compiler/diagnostics/catalog.def"
#undef DIAG
#undef RETIRED
};

} // namespace

std::span<const CatalogRow> catalog() { return kRows; }

const CatalogRow *find(Code code) {
  auto row = std::lower_bound(std::begin(kRows), std::end(kRows), code,
                              [](const CatalogRow &r, Code c) { return r.code < c; });
  return row != std::end(kRows) && row->code == code ? row : nullptr;
}

const CatalogRow *findBySlug(std::string_view slug) {
  auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const CatalogRow &r) { return r.slug == slug; });
  return row != std::end(kRows) ? row : nullptr;
}

std::string codeName(Code code) {
  std::string digits = std::to_string(static_cast<unsigned>(code));
  return "PL" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

std::optional<Code> parseCodeName(std::string_view text) {
  if (text.size() != 6 || (!text.starts_with("PL") && !text.starts_with("pl"))) {
    return std::nullopt;
  }
  unsigned number = 0;
  auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return static_cast<Code>(number);
}

std::string formatMessage(std::string_view format, std::span<const std::string> args) {
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    bool hole = format[i] == '{' && i + 2 < format.size() && format[i + 2] == '}';
    size_t index = hole ? static_cast<size_t>(format[i + 1] - '0') : 0;
    if (hole && index < args.size()) {
      out += args[index];
      i += 2;
    } else {
      out += format[i];
    }
  }
  return out;
}

void sortAndDedupe(std::vector<Diagnostic> &diagnostics) {
  auto key = [](const Diagnostic &d) { return std::tie(d.at.path, d.at.range, d.code, d.message); };
  std::sort(diagnostics.begin(), diagnostics.end(),
            [&](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  auto same = [](const Diagnostic &a, const Diagnostic &b) { return a.at == b.at && a.code == b.code; };
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(), same), diagnostics.end());
}

} // namespace placid::diag
