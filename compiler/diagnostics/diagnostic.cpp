// SPDX-License-Identifier: Apache-2.0
#include "compiler/diagnostics/diagnostic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
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

constexpr size_t kMaxVariants = 3;

std::strong_ordering compare(const Location &a, const Location &b) {
  return std::tie(a.path, a.range) <=> std::tie(b.path, b.range);
}

std::strong_ordering compare(const Related &a, const Related &b);
std::strong_ordering compare(const Edit &a, const Edit &b);
std::strong_ordering compare(const Fix &a, const Fix &b);

template <class T> std::strong_ordering compareAll(const std::vector<T> &a, const std::vector<T> &b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (auto order = compare(a[i], b[i]); order != 0) {
      return order;
    }
  }
  return a.size() <=> b.size();
}

std::strong_ordering compare(const Related &a, const Related &b) {
  auto order = compare(a.at, b.at);
  return order != 0 ? order : std::tie(a.message, a.role) <=> std::tie(b.message, b.role);
}

std::strong_ordering compare(const Edit &a, const Edit &b) {
  auto order = compare(a.at, b.at);
  return order != 0 ? order : a.newText <=> b.newText;
}

std::strong_ordering compare(const Fix &a, const Fix &b) {
  auto order = a.title <=> b.title;
  return order != 0 ? order : compareAll(a.edits, b.edits);
}

/// A total order: equal means equal in every member.
std::strong_ordering compare(const Diagnostic &a, const Diagnostic &b) {
  if (auto order = compare(a.at, b.at); order != 0) {
    return order;
  }
  auto key = [](const Diagnostic &d) { return std::tie(d.code, d.message, d.kernel, d.severity); };
  if (auto order = key(a) <=> key(b); order != 0) {
    return order;
  }
  if (auto order = compareAll(a.related, b.related); order != 0) {
    return order;
  }
  if (auto order = a.annotation.has_value() <=> b.annotation.has_value(); order != 0) {
    return order;
  }
  if (auto order = a.annotation ? compare(*a.annotation, *b.annotation) : std::strong_ordering::equal; order != 0) {
    return order;
  }
  return compareAll(a.fixes, b.fixes);
}

bool isNz(Code code) {
  const CatalogRow *row = find(code);
  return row && row->slug.starts_with("nz-");
}

/// Two NZ faults of one access: unrolled or pasted in twice, it may break one rule here and another one there.
bool sameNzAccess(const Diagnostic &a, const Diagnostic &b) {
  return a.at == b.at && a.annotation && a.annotation == b.annotation && isNz(a.code) && isNz(b.code);
}

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

namespace {

/// What a message says of a long text: its beginning. A literal of the source may have any length.
void appendShortened(std::string &out, std::string_view text) {
  constexpr size_t kMaxShown = 2000;
  if (text.size() <= kMaxShown) {
    out += text;
    return;
  }
  size_t end = kMaxShown - 100;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
    --end; // not inside a character
  }
  out += text.substr(0, end);
  out += "…";
}

} // namespace

std::string formatMessage(std::string_view format, std::span<const std::string> args) {
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    bool hole = format[i] == '{' && i + 2 < format.size() && format[i + 2] == '}';
    size_t index = hole ? static_cast<size_t>(format[i + 1] - '0') : 0;
    if (hole && index < args.size()) {
      appendShortened(out, args[index]);
      i += 2;
    } else {
      out += format[i];
    }
  }
  return out;
}

namespace {

/// Where the helper that the fault is in was pasted in, else the fault's own place.
const Location &callOf(const Diagnostic &d) {
  const Location *at = &d.at;
  for (const Related &related : d.related) {
    at = related.message.ends_with("is pasted in here") ? &related.at : at;
  }
  return *at;
}

/// A tensor whose NZ declaration is refused says nothing of its uses: its extents are not settled.
void dropUsesOfRefused(std::vector<Diagnostic> &diagnostics) {
  std::vector<Location> refused;
  for (const Diagnostic &d : diagnostics) {
    if (isNz(d.code) && d.annotation == d.at && d.severity == Severity::Error) {
      refused.push_back(d.at);
    }
  }
  if (refused.empty()) {
    return;
  }
  std::erase_if(diagnostics, [&](const Diagnostic &d) {
    return (d.code == Bounds.code || d.code == LoopBounds.code || d.code == ElementBounds.code) &&
           std::ranges::any_of(d.related, [&](const Related &related) {
             return std::find(refused.begin(), refused.end(), related.at) != refused.end();
           });
  });
}

} // namespace

void sortAndDedupe(std::vector<Diagnostic> &diagnostics) {
  dropUsesOfRefused(diagnostics);
  std::sort(diagnostics.begin(), diagnostics.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return compare(a, b) < 0; });
  std::vector<Diagnostic> out;
  for (size_t begin = 0; begin < diagnostics.size();) {
    Diagnostic &first = diagnostics[begin];
    size_t end = begin + 1;
    std::vector<std::pair<std::string, Location>> variants;
    for (; end < diagnostics.size() && diagnostics[end].at == first.at && diagnostics[end].code == first.code; ++end) {
      const std::string &previous = variants.empty() ? first.message : variants.back().first;
      if (diagnostics[end].message != previous) {
        variants.emplace_back(diagnostics[end].message, callOf(diagnostics[end]));
      }
      first.severity = std::min(first.severity, diagnostics[end].severity); // Error is the smallest
    }
    for (size_t i = 0; i < std::min(variants.size(), kMaxVariants); ++i) {
      first.related.push_back({variants[i].second, "also: " + variants[i].first, Related::Role::Note});
    }
    if (variants.size() > kMaxVariants) {
      first.related.push_back(
          {first.at, "and " + std::to_string(variants.size() - kMaxVariants) + " more like this", Related::Role::Note});
    }
    begin = end;
    if (!out.empty() && sameNzAccess(out.back(), first)) {
      out.back().related.push_back({first.at, "also: " + first.message, Related::Role::Note});
      continue;
    }
    out.push_back(std::move(first));
  }
  diagnostics = std::move(out);
}

} // namespace placid::diag
