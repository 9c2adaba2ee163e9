// SPDX-License-Identifier: Apache-2.0
#include "server/commands/report.h"

#include "compiler/diagnostics/render_text.h"
#include "server/store/limited_service.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace placid::server {

namespace {

/// Copies of the texts that the compiler failed on, in a new folder; its path, or empty when that failed too.
std::string writeReproducer(const std::set<std::string> &paths, Texts &texts, const std::string &tmpdir) {
  std::string folder = (tmpdir.empty() ? "/tmp" : tmpdir) + "/placid-reproducer-XXXXXX";
  if (!::mkdtemp(folder.data())) {
    return {};
  }
  for (const std::string &path : paths) {
    source::SourcePtr text = texts.find(path);
    std::string name = path.substr(path.find_last_of('/') + 1);
    if (text && !name.empty()) {
      writeAtomically(folder + "/" + name, text->text);
    }
  }
  return folder;
}

} // namespace

Texts::Texts(const std::vector<source::SourcePtr> &given) {
  for (const source::SourcePtr &text : given) {
    texts_.emplace(text->path, text);
  }
}

source::SourcePtr Texts::find(const std::string &path) {
  auto [entry, added] = texts_.try_emplace(path);
  if (added) {
    entry->second = readSource(path);
  }
  return entry->second;
}

std::string renderDiagnostics(const std::vector<diag::Diagnostic> &diagnostics, Texts &texts, bool color) {
  std::string out;
  diag::RenderOptions options;
  options.color = color;
  for (const diag::Diagnostic &diagnostic : diagnostics) {
    out += diag::renderText(diagnostic, [&](const std::string &path) { return texts.find(path); }, options);
    out += "\n";
  }
  return out;
}

void promoteUnsupported(std::vector<diag::Diagnostic> &diagnostics) {
  for (diag::Diagnostic &diagnostic : diagnostics) {
    if (diagnostic.code == diag::NotSupportedYet.code) {
      diagnostic.severity = diag::Severity::Error;
    }
  }
}

int exitCodeOf(const std::vector<diag::Diagnostic> &diagnostics, Texts &texts, const CommandContext &context,
               std::string &err) {
  std::set<std::string> broken;
  bool errors = false;
  for (const diag::Diagnostic &diagnostic : diagnostics) {
    errors |= diagnostic.severity == diag::Severity::Error;
    if (diagnostic.code == diag::InternalError.code) {
      broken.insert(diagnostic.at.path);
    }
  }
  if (broken.empty()) {
    return errors ? ExitCode::kDiagnostics : ExitCode::kOk;
  }
  std::string reproducer = writeReproducer(broken, texts, context.tmpdir);
  err += "placid: internal error" + (reproducer.empty() ? std::string() : "; reproducer: " + reproducer) + "\n";
  return ExitCode::kInternal;
}

void UnusedDefines::add(const compiler::CheckResult &result) {
  if (!names_) {
    names_ = result.unusedDefines;
    return;
  }
  std::erase_if(*names_, [&](const std::string &name) {
    return !std::binary_search(result.unusedDefines.begin(), result.unusedDefines.end(), name);
  });
}

std::string UnusedDefines::text() const {
  std::string out;
  for (const std::string &name : names_.value_or(std::vector<std::string>())) {
    out += "placid: warning: --define " + name + " changes nothing: no file binds that name\n";
  }
  return out;
}

source::SourcePtr readOnlyFile(std::string_view command, const Arguments &arguments, CommandResult &failure,
                               compiler::CheckResult &tooLargeResult) {
  if (arguments.positional.size() != 1) {
    failure = usageError(command, "expected one FILE, got " + std::to_string(arguments.positional.size()));
    return nullptr;
  }
  const std::string &path = arguments.positional.front();
  Sources sources = readSources({path}, [](std::string_view) { return false; });
  if (!sources.errors.empty()) {
    failure = {ExitCode::kUsage, "", "placid: " + sources.errors.front() + "\n"};
    return nullptr;
  }
  if (!sources.tooLarge.empty()) {
    tooLargeResult = tooLarge(path, sources.tooLarge.begin()->second);
    return std::make_shared<source::SourceText>(path, "");
  }
  if (sources.texts.empty()) {
    failure = {ExitCode::kUsage, "", "placid: " + path + " is a folder; " + std::string(command) + " takes one file\n"};
    return nullptr;
  }
  return sources.texts.front();
}

} // namespace placid::server
