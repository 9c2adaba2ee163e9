// SPDX-License-Identifier: Apache-2.0
// What editors ask about one text beyond diagnostics: which names it defines and where each is used, calls, imports,
// what can be folded. Plain data made from syntax alone, so that it is there for a text that does not compile; apart
// from compiler_service.h, which most files include. Knows no MLIR and no protocol. Values; any thread.
#pragma once

#include "compiler/source/text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace placid::index {

inline constexpr uint32_t kNone = UINT32_MAX;

enum class SymbolKind : uint8_t {
  Import,    ///< A module, or a name of another module.
  Constant,  ///< Bound at module or class level.
  Class,     ///< A class that is no program.
  Program,   ///< A class under a decorator of PL.
  Function,  ///< A function that is no kernel.
  Kernel,    ///< A function under a decorator of PL.
  Parameter, ///< Of a function.
  Variable,  ///< Bound inside a function.
};

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::Variable;
  source::ByteRange range;     ///< The statement that defines it first; for a parameter, with its annotation.
  source::ByteRange nameRange; ///< Inside `range`.
  uint32_t parent = kNone;     ///< The function or class it belongs to.
  std::string detail;          ///< One line: a signature, an annotation, or the value of a constant.
  std::string documentation;   ///< The docstring, or empty.
  std::string module;          ///< Imports: the module, leading dots kept.
  std::string member;          ///< Imports: the name in that module; empty when the module itself is bound.
};

/// A name in the text that stands for a symbol.
struct Occurrence {
  source::ByteRange range;
  uint32_t symbol = kNone;
  bool write = false; ///< A definition or another assignment.
};

/// The last name of a chain whose root is an import, `Mat` of `pl.Mem.Mat`; and `a` of `from m import a as b`.
struct Member {
  source::ByteRange range;
  std::string path; ///< With the import's module in place of the alias: `pypto.language.Mem.Mat`.
};

struct Call {
  source::ByteRange range;
  source::ByteRange callee;
  std::string path;        ///< As Member::path when the root is an import, else empty.
  uint32_t symbol = kNone; ///< The function of this text that is called.
  uint32_t caller = kNone; ///< The function around it.
  uint32_t arguments = 0;  ///< Positional and named ones.
};

struct Import {
  source::ByteRange range; ///< The module's name.
  std::string module;
};

struct Fold {
  enum class Kind : uint8_t { Region, Imports, Comment };
  source::ByteRange range;
  Kind kind = Kind::Region;
};

struct Index {
  std::vector<Symbol> symbols;          ///< Parents before their children.
  std::vector<Occurrence> occurrences;  ///< By range.
  std::vector<Member> members;          ///< By range.
  std::vector<Call> calls;              ///< By range.
  std::vector<Import> imports;          ///< By range.
  std::vector<Fold> folds;              ///< By range.
  std::vector<source::ByteRange> nodes; ///< Of statements and expressions, outer before inner, each once.
  bool whole = true;                    ///< False when parts of the text did not parse: occurrences may be missing.
};

/// An operation of PL as completion and signature help show it.
struct OpInfo {
  std::string path;                    ///< `pl.load`.
  std::vector<std::string> signatures; ///< Parameters in order, `lhs: Tensor, mode: str = 'round'`; one a form.
  std::string documentation;           ///< May be empty.
  bool modelled = true;                ///< False: accepted, but the type of its result is not known.
};

} // namespace placid::index
