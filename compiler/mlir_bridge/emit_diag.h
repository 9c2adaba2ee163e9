// SPDX-License-Identifier: Apache-2.0
// Catalogue diagnostics through MLIR's engine: `emitDiag(loc, diag::NzRank, name, rank).annotation(at, "…")`.
// The code travels in the MLIR diagnostic's metadata and every note says in its own what it is, so that a collector
// gets the typed diagnostic back and a plain handler still prints something readable. Knows no dialect.
#pragma once

#include "compiler/diagnostics/diagnostic.h"

#include "mlir/IR/Diagnostics.h"

namespace placid::bridge {

/// Reports when it goes out of scope, or on report(). Converts to failure() for `return emitDiag(…)`.
class DiagBuilder {
public:
  DiagBuilder(mlir::Location loc, diag::Code code, diag::Severity severity, llvm::StringRef message);
  DiagBuilder(DiagBuilder &&other) noexcept;
  DiagBuilder(const DiagBuilder &) = delete;
  DiagBuilder &operator=(const DiagBuilder &) = delete;
  DiagBuilder &operator=(DiagBuilder &&) = delete;
  ~DiagBuilder();

  /// The declaration that is responsible.
  DiagBuilder &annotation(mlir::Location loc, llvm::StringRef message);
  /// Where an offending name got its value.
  DiagBuilder &binding(mlir::Location loc, llvm::StringRef message);
  DiagBuilder &note(mlir::Location loc, llvm::StringRef message);
  /// A way out. Edits that follow belong to it.
  DiagBuilder &help(llvm::StringRef text);
  DiagBuilder &edit(mlir::Location range, llvm::StringRef newText);

  void report();
  operator mlir::LogicalResult() const { return mlir::failure(); } // NOLINT(google-explicit-constructor): as MLIR's own

private:
  DiagBuilder &attach(mlir::Location loc, llvm::StringRef role, llvm::StringRef message);

  mlir::Diagnostic diagnostic_;
  bool live_ = true;
};

/// An error, warning or remark as the catalogue says.
template <class... Args>
DiagBuilder emitDiag(mlir::Location loc, diag::Kind<Args...> kind, const std::type_identity_t<Args> &...args) {
  return {loc, kind.code, diag::find(kind.code)->severity, diag::message(kind, args...)};
}

/// The same code with another severity, for a rule whose strength depends on the case.
template <class... Args>
DiagBuilder emitDiagAs(diag::Severity severity, mlir::Location loc, diag::Kind<Args...> kind,
                       const std::type_identity_t<Args> &...args) {
  return {loc, kind.code, severity, diag::message(kind, args...)};
}

namespace detail {
// Values of the first metadata entry of a note; the first entry of the diagnostic itself is its code, "PL3105".
inline constexpr llvm::StringLiteral kAnnotation = "annotation";
inline constexpr llvm::StringLiteral kBinding = "binding";
inline constexpr llvm::StringLiteral kNote = "note";
inline constexpr llvm::StringLiteral kHelp = "help";
inline constexpr llvm::StringLiteral kEdit = "edit";
} // namespace detail

} // namespace placid::bridge
