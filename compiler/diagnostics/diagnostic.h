// SPDX-License-Identifier: Apache-2.0
// What a diagnostic is: a typed, coded constant of the catalogue plus where and why. Plain data, standard library only,
// so that the compiler fills it, the server sends it, and neither sees the other. Rendering lives elsewhere.
// Ranges are byte ranges of the text that `path` names; conversion to LSP positions happens where they leave us.
#pragma once

#include "compiler/source/text.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace placid::diag {

enum class Severity : uint8_t { Error = 1, Warning = 2, Information = 3, Hint = 4 };

/// A number of the catalogue (the nnnn of PLnnnn).
enum class Code : uint16_t {};

// Argument types of catalogue rows.
using Text = std::string;
using Int = int64_t;

/// A catalogue row as a constant that knows its argument types: passing others does not compile.
template <class... Args> struct Kind {
  Code code;
};

#define DIAG(number, name, slug, severity, format, ...)                                                                \
  inline constexpr Kind<__VA_ARGS__> name{static_cast<Code>(number)};
#define RETIRED(number, why, version)
#include "compiler/diagnostics/catalog.def"
#undef DIAG
#undef RETIRED

/// What the catalogue says of a code.
struct CatalogRow {
  Code code;
  std::string_view name;
  std::string_view slug;
  Severity severity;
  std::string_view format;
};
std::span<const CatalogRow> catalog();
/// Null for a number that is not in the catalogue.
const CatalogRow *find(Code code);
const CatalogRow *findBySlug(std::string_view slug);
/// "PL3105".
std::string codeName(Code code);
std::optional<Code> parseCodeName(std::string_view text);

/// The row's format with `{0}`, `{1}` … replaced.
std::string formatMessage(std::string_view format, std::span<const std::string> args);

namespace detail {
inline std::string show(const std::string &text) { return text; }
inline std::string show(int64_t value) { return std::to_string(value); }
} // namespace detail

template <class... Args> std::string message(Kind<Args...> kind, const std::type_identity_t<Args> &...args) {
  std::vector<std::string> shown{detail::show(args)...};
  return formatMessage(find(kind.code)->format, shown);
}

struct Location {
  std::string path;
  source::ByteRange range;
  bool operator==(const Location &) const = default;
};

/// A second place that explains the first: a label under a source line.
struct Related {
  enum class Role : uint8_t { Annotation, Binding, Note };
  Location at;
  std::string message;
  Role role = Role::Note;
  bool operator==(const Related &) const = default;
};

struct Edit {
  Location at;
  std::string newText;
  bool operator==(const Edit &) const = default;
};

/// A way out. Without edits it is advice only.
struct Fix {
  std::string title;
  std::vector<Edit> edits;
  bool operator==(const Fix &) const = default;
};

struct Diagnostic {
  Code code{};
  Severity severity = Severity::Error;
  Location at;
  std::string message;
  std::string kernel;                 ///< Qualified name, e.g. `Lane24.kern`; empty outside kernels.
  std::optional<Location> annotation; ///< The responsible `pl.NZ` annotation, for `nz-*` codes.
  std::vector<Related> related;       ///< The annotation is repeated here with its message.
  std::vector<Fix> fixes;
  bool operator==(const Diagnostic &) const = default;
};

/// Sorts by path, range and code, then by everything else that a diagnostic says, so that the order of the input never
/// shows. Of several diagnostics of one code at one range the first stays; what others say differently becomes a
/// related note of it, a few at most: a helper that is pasted in twice, or a loop that is unrolled, makes one error
/// with its variants and not many. So it is with NZ faults of different codes at one range and of one annotation: the
/// first code stays.
void sortAndDedupe(std::vector<Diagnostic> &diagnostics);

} // namespace placid::diag
