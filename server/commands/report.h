// SPDX-License-Identifier: Apache-2.0
// What the commands share once results are there: texts by path, diagnostics as text, and the exit code that a list of
// diagnostics means, with a reproducer written for an internal error. Blocking file access; not for the io thread.
#pragma once

#include "server/commands/command.h"
#include "server/commands/sources.h"

#include <map>
#include <optional>

namespace placid::server {

/// Texts by path: those that were given, and others read on demand.
class Texts {
public:
  explicit Texts(const std::vector<source::SourcePtr> &given);
  /// Null when there is no such text.
  source::SourcePtr find(const std::string &path);

private:
  std::map<std::string, source::SourcePtr> texts_;
};

std::string renderDiagnostics(const std::vector<diag::Diagnostic> &diagnostics, Texts &texts, bool color);

/// What output leaves out is not merely worth a warning: "not supported yet" becomes an error.
void promoteUnsupported(std::vector<diag::Diagnostic> &diagnostics);

/// 0, 1, or 3 when an internal error is among them; then the text ends in where the reproducer was written.
int exitCodeOf(const std::vector<diag::Diagnostic> &diagnostics, Texts &texts, const CommandContext &context,
               std::string &err);

/// Names that no file binds, from the unused ones of each file: a misspelt --define must not pass for a setting.
class UnusedDefines {
public:
  void add(const compiler::CheckResult &result);
  /// A warning line for each, or empty.
  std::string text() const;

private:
  std::optional<std::vector<std::string>> names_; ///< Sorted.
};

/// Reads the one FILE of a command. Null and `failure` set when it cannot be used.
source::SourcePtr readOnlyFile(std::string_view command, const Arguments &arguments, CommandResult &failure,
                               compiler::CheckResult &tooLargeResult);

} // namespace placid::server
