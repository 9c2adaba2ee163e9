// SPDX-License-Identifier: Apache-2.0
#include "compiler/mlir_bridge/collector.h"

#include "compiler/mlir_bridge/emit_diag.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace placid::bridge {

namespace {

StringRef firstTag(Diagnostic &diagnostic) {
  auto &metadata = diagnostic.getMetadata();
  if (metadata.empty() || metadata.front().getKind() != DiagnosticArgument::DiagnosticArgumentKind::Attribute) {
    return {};
  }
  auto text = dyn_cast<StringAttr>(metadata.front().getAsAttribute());
  return text ? text.getValue() : StringRef();
}

diag::Severity severityOf(const Diagnostic &diagnostic) {
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    return diag::Severity::Error;
  case DiagnosticSeverity::Warning:
    return diag::Severity::Warning;
  case DiagnosticSeverity::Remark:
  case DiagnosticSeverity::Note:
    return diag::Severity::Information;
  }
  return diag::Severity::Error;
}

} // namespace

DiagnosticCollector::DiagnosticCollector(MLIRContext *context, std::vector<diag::Diagnostic> &out, SourceLookup lookup,
                                         std::string kernel)
    : out_(out), lookup_(std::move(lookup)), kernel_(std::move(kernel)), handler_(context, [this](Diagnostic &d) {
        collect(d);
        return success();
      }) {}

void DiagnosticCollector::collect(Diagnostic &diagnostic) {
  diag::Diagnostic out;
  out.at = byteLocation(diagnostic.getLocation(), lookup_);
  out.kernel = kernel_;
  std::optional<diag::Code> code = diag::parseCodeName(std::string_view(firstTag(diagnostic)));
  if (code && diag::find(*code)) {
    out.code = *code;
    out.severity = severityOf(diagnostic);
    if (out.severity == diag::Severity::Information) {
      out.severity = diag::find(*code)->severity; // MLIR has one level for information and hint
    }
    out.message = diagnostic.str();
  } else {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Remark) {
      return;
    }
    out.code = diag::InternalError.code;
    out.severity = diag::Severity::Error;
    out.message = diag::message(diag::InternalError, diagnostic.str());
  }
  for (Diagnostic &note : diagnostic.getNotes()) {
    StringRef role = firstTag(note);
    if (role == detail::kHelp) {
      out.fixes.push_back({note.str(), {}});
      continue;
    }
    diag::Location at = byteLocation(note.getLocation(), lookup_);
    if (role == detail::kEdit) {
      if (!out.fixes.empty()) {
        out.fixes.back().edits.push_back({std::move(at), note.str()});
      }
      continue;
    }
    diag::Related related{std::move(at), note.str(), diag::Related::Role::Note};
    if (role == detail::kAnnotation) {
      related.role = diag::Related::Role::Annotation;
      if (!out.annotation) {
        out.annotation = related.at;
      }
    } else if (role == detail::kBinding) {
      related.role = diag::Related::Role::Binding;
    }
    out.related.push_back(std::move(related));
  }
  out_.push_back(std::move(out));
}

} // namespace placid::bridge
