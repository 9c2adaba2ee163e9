// SPDX-License-Identifier: Apache-2.0
#include "compiler/mlir_bridge/emit_diag.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;

namespace placid::bridge {

namespace {

DiagnosticSeverity mlirSeverity(diag::Severity severity) {
  switch (severity) {
  case diag::Severity::Error:
    return DiagnosticSeverity::Error;
  case diag::Severity::Warning:
    return DiagnosticSeverity::Warning;
  case diag::Severity::Information:
  case diag::Severity::Hint:
    return DiagnosticSeverity::Remark;
  }
  return DiagnosticSeverity::Error;
}

void tag(Diagnostic &diagnostic, Location loc, StringRef text) {
  // An attribute, because a string argument would only borrow its text.
  diagnostic.getMetadata().push_back(DiagnosticArgument(Attribute(StringAttr::get(loc.getContext(), text))));
}

} // namespace

DiagBuilder::DiagBuilder(Location loc, diag::Code code, diag::Severity severity, StringRef message)
    : diagnostic_(loc, mlirSeverity(severity)) {
  diagnostic_ << Twine(message);
  tag(diagnostic_, loc, diag::codeName(code));
}

DiagBuilder::DiagBuilder(DiagBuilder &&other) noexcept
    : diagnostic_(std::move(other.diagnostic_)), live_(std::exchange(other.live_, false)) {}

DiagBuilder::~DiagBuilder() { report(); }

DiagBuilder &DiagBuilder::attach(Location loc, StringRef role, StringRef message) {
  Diagnostic &note = diagnostic_.attachNote(loc);
  note << Twine(message);
  tag(note, loc, role);
  return *this;
}

DiagBuilder &DiagBuilder::annotation(Location loc, StringRef message) {
  return attach(loc, detail::kAnnotation, message);
}
DiagBuilder &DiagBuilder::binding(Location loc, StringRef message) { return attach(loc, detail::kBinding, message); }
DiagBuilder &DiagBuilder::note(Location loc, StringRef message) { return attach(loc, detail::kNote, message); }
DiagBuilder &DiagBuilder::help(StringRef text) { return attach(diagnostic_.getLocation(), detail::kHelp, text); }
DiagBuilder &DiagBuilder::edit(Location range, StringRef newText) { return attach(range, detail::kEdit, newText); }

void DiagBuilder::report() {
  if (std::exchange(live_, false)) {
    diagnostic_.getLocation().getContext()->getDiagEngine().emit(std::move(diagnostic_));
  }
}

} // namespace placid::bridge
