// SPDX-License-Identifier: Apache-2.0
#include "server/publish/publish.h"

#include "protocol/lsp/uri.h"

#include <map>
#include <optional>
#include <utility>

namespace placid::server {

namespace {

/// What an editor may show otherwise than underlined: what has no effect, and what the language has left behind.
std::optional<lsp::DiagnosticTag> tagOf(diag::Code code) {
  if (code == diag::SameDtypeCast.code) {
    return lsp::DiagnosticTag::Unnecessary;
  }
  if (code == diag::RemovedForm.code || code == diag::ProSizeRemoved.code) {
    return lsp::DiagnosticTag::Deprecated;
  }
  return std::nullopt;
}

class Converter {
public:
  Converter(const PublishedDocument &document, const PublishOptions &options)
      : document_(document), options_(options) {}

  bool here(const diag::Location &at) const { return at.path == document_.text->path; }
  lsp::Range range(const diag::Location &at) const { return server::toLsp(document_.text->range(at.range)); }

  lsp::Diagnostic convert(const diag::Diagnostic &from) const {
    lsp::Diagnostic to;
    to.severity = static_cast<lsp::Severity>(from.severity);
    to.message = from.message;
    if (here(from.at)) {
      to.range = range(from.at);
    } else {
      to.message = from.at.path + ": " + to.message;
    }
    describe(from.code, to);
    if (std::optional<lsp::DiagnosticTag> tag = tagOf(from.code); tag && options_.tags && here(from.at)) {
      to.tags.push_back(*tag);
    }
    for (const diag::Related &related : from.related) {
      attach(related.at, related.message, to);
    }
    bool advised = false;
    for (const diag::Fix &fix : from.fixes) {
      // One line of advice: what can be applied is offered as an action.
      if (fix.edits.empty() || !advised) {
        to.message += "\nhelp: " + fix.title;
      }
      advised = true;
    }
    return to;
  }

  void describe(diag::Code code, lsp::Diagnostic &to) const {
    to.source = "placid";
    to.code = diag::codeName(code);
    if (options_.codeDescription) {
      to.codeDescription = options_.links.href(code);
    }
  }

  void attach(const diag::Location &at, const std::string &message, lsp::Diagnostic &to) const {
    if (!here(at)) {
      to.message += "\nnote: " + at.path + ": " + message;
    } else if (options_.relatedInformation) {
      to.related.push_back({{document_.uri, range(at)}, message});
    } else {
      to.message += "\nline " + std::to_string(range(at).start.line + 1) + ": " + message;
    }
  }

private:
  const PublishedDocument &document_;
  const PublishOptions &options_;
};

/// Errors at uses, by the annotation that is responsible, in range order.
using UsesByAnnotation = std::map<source::ByteRange, std::vector<const diag::Diagnostic *>>;

lsp::Diagnostic summary(const diag::Location &annotation, const std::vector<const diag::Diagnostic *> &uses,
                        const Converter &converter) {
  lsp::Diagnostic out;
  out.range = converter.range(annotation);
  // Information, not error: the faults are at the uses and are counted there.
  out.severity = lsp::Severity::Information;
  converter.describe(uses.front()->code, out);
  bool one = uses.size() == 1;
  out.message = "this NZ declaration has " + (one ? std::string("a use") : std::to_string(uses.size()) + " uses") +
                " that " + (one ? "is" : "are") + " refused: ";
  for (const diag::Diagnostic *use : uses) {
    const diag::CatalogRow *row = diag::find(use->code);
    out.message += (use == uses.front() ? "" : ", ") + std::string(row ? row->slug : "error") + " at line " +
                   std::to_string(converter.range(use->at).start.line + 1);
  }
  for (const diag::Diagnostic *use : uses) {
    converter.attach(use->at, use->message, out);
  }
  return out;
}

} // namespace

lsp::Range toLsp(const source::Range &range) {
  return {{range.start.line, range.start.character}, {range.end.line, range.end.character}};
}

std::string DocLinks::href(diag::Code code) const {
  std::string name = diag::codeName(code);
  return pageFolder.empty() ? "placid:explain/" + name : lsp::fileUri(pageFolder + "/" + name + ".md");
}

std::vector<lsp::Diagnostic> toLsp(const std::vector<diag::Diagnostic> &diagnostics, const PublishedDocument &document,
                                   const PublishOptions &options) {
  Converter converter(document, options);
  std::vector<lsp::Diagnostic> out;
  UsesByAnnotation uses;
  for (const diag::Diagnostic &diagnostic : diagnostics) {
    out.push_back(converter.convert(diagnostic));
    bool use = diagnostic.annotation && *diagnostic.annotation != diagnostic.at && converter.here(diagnostic.at) &&
               converter.here(*diagnostic.annotation);
    if (use && diagnostic.severity == diag::Severity::Error) {
      uses[diagnostic.annotation->range].push_back(&diagnostic);
    }
  }
  for (const auto &[range, list] : uses) {
    out.push_back(summary(*list.front()->annotation, list, converter));
  }
  return out;
}

} // namespace placid::server
