// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/kernel/report.h"

#include <algorithm>

namespace placid::pro {

namespace {

diag::Location locationOf(Site at) { return {at.module->source->path, at.range}; }

/// What the text calls `pypto_pro.language`: `pl` as a rule.
std::string_view languageName(const syntax::Module &module) {
  for (const syntax::Stmt *stmt : module.body) {
    for (const syntax::ImportedName &imported : stmt->imports) {
      bool whole = stmt->kind == syntax::Stmt::Kind::Import && imported.name == "pypto_pro.language";
      bool part =
          stmt->kind == syntax::Stmt::Kind::ImportFrom && stmt->text == "pypto_pro" && imported.name == "language";
      if ((whole || part) && imported.asName.find('.') == std::string_view::npos) {
        return imported.asName;
      }
    }
  }
  return "pl";
}

/// `pl.NZ` in the words of the text. What stands in `quoted` is the text's own and stays as it is.
std::string inWordsOf(const syntax::Module &module, std::string text, std::string_view quoted = {}) {
  std::string_view name = languageName(module);
  auto inName = [](char c) { return (c >= '0' && c <= '9') || (c | 32) >= 'a' || c == '_' || c == '.'; };
  for (size_t at = name == "pl" ? std::string::npos : text.find("pl."); at != std::string::npos;
       at = text.find("pl.", at + name.size())) {
    size_t end = at;
    while (end < text.size() && text[end] != '`' && inName(text[end])) {
      ++end;
    }
    bool own = quoted.find(std::string_view(text).substr(at, end - at)) != std::string_view::npos;
    if (!own && (at == 0 || !inName(text[at - 1]) || text[at - 1] == '`')) {
      text.replace(at, 2, name);
    }
  }
  return text;
}

/// A message at `at`, whose words are quoted.
std::string told(Site at, const std::string &message) {
  const std::string &whole = at.module->source->text;
  std::string_view quoted =
      std::string_view(whole).substr(std::min<size_t>(at.range.begin, whole.size()), at.range.end - at.range.begin);
  return inWordsOf(*at.module, message, quoted);
}

} // namespace

Reports::Entry &Reports::Entry::note(Site at, const std::string &message) {
  if (diagnostic_ && at.module) {
    diagnostic_->related.push_back({locationOf(at), told(at, message), diag::Related::Role::Note});
  }
  return *this;
}

Reports::Entry &Reports::Entry::binding(Site at, const std::string &message) {
  if (diagnostic_ && at.module) {
    diagnostic_->related.push_back({locationOf(at), told(at, message), diag::Related::Role::Binding});
  }
  return *this;
}

Reports::Entry &Reports::Entry::declaredNz(Site at) {
  if (diagnostic_ && at.module) {
    diagnostic_->annotation = locationOf(at);
    if (*diagnostic_->annotation != diagnostic_->at) {
      diagnostic_->related.push_back({locationOf(at), "declared NZ here", diag::Related::Role::Annotation});
    }
  }
  return *this;
}

Reports::Entry &Reports::Entry::fix(std::string title, Site at, std::string newText) {
  if (diagnostic_ && at.module && at.module->source->path == diagnostic_->at.path) {
    diagnostic_->fixes.push_back(
        {inWordsOf(*at.module, std::move(title)), {{locationOf(at), inWordsOf(*at.module, std::move(newText))}}});
  }
  return *this;
}

Reports::Entry &Reports::Entry::severity(diag::Severity severity) {
  if (diagnostic_) {
    diagnostic_->severity = severity;
  }
  return *this;
}

Reports::Entry Reports::report(const Message &kind, Site at, const std::string &message) {
  std::string key = std::to_string(static_cast<unsigned>(kind.code)) + ":" + std::to_string(at.range.end) + message;
  if (!at.module || !said_.insert({{at.module, at.range.begin}, key}).second) {
    return {nullptr};
  }
  diag::Diagnostic &made = out_.emplace_back();
  made.code = kind.code;
  made.severity = diag::find(kind.code)->severity;
  made.at = locationOf(at);
  made.message = diag::message(kind, told(at, message));
  made.kernel = kernel_;
  return {&made};
}

void Reports::unknown(Site at, const std::string &spelled, const std::string &why) {
  if (toldUnknown_ || !at.module) {
    return;
  }
  toldUnknown_ = true;
  diag::Diagnostic &made = out_.emplace_back();
  made.code = diag::UnknownValue.code;
  made.severity = diag::find(made.code)->severity;
  made.at = locationOf(at);
  made.message = diag::message(diag::UnknownValue, spelled, why);
  made.kernel = kernel_;
}

} // namespace placid::pro
