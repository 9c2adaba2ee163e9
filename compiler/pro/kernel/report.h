// SPDX-License-Identifier: Apache-2.0
// How a rule says what it found: one entry of the result, to which notes and fixes are added. What is said twice of one
// place, because a kernel is read once for each core or a helper is read where it is used, is kept once. One thread.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/pro/kernel/value.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace placid::pro {

using Message = diag::Kind<diag::Text>;

class Reports {
public:
  Reports(std::string kernel, std::vector<diag::Diagnostic> &out) : kernel_(std::move(kernel)), out_(out) {}

  /// One report while it is being made.
  class Entry {
  public:
    Entry(diag::Diagnostic *diagnostic) : diagnostic_(diagnostic) {}
    Entry &note(Site at, const std::string &message);
    Entry &binding(Site at, const std::string &message);
    /// The `pl.NZ` that is responsible: where it stands is shown too, and says how many uses of it are refused.
    Entry &declaredNz(Site at);
    Entry &fix(std::string title, Site at, std::string newText);
    Entry &severity(diag::Severity severity);

  private:
    diag::Diagnostic *diagnostic_; ///< Null: said before.
  };

  /// The entry is good until the next report. `pl.` in messages, notes and fixes becomes what the text at their place
  /// calls the language.
  Entry report(const Message &kind, Site at, const std::string &message);
  /// Says, once in the kernel, that a value is not known and what depends on it is not checked.
  void unknown(Site at, const std::string &spelled, const std::string &why);

private:
  std::string kernel_;
  std::vector<diag::Diagnostic> &out_;
  std::set<std::pair<std::pair<const syntax::Module *, uint32_t>, std::string>> said_; ///< Looked up, never listed.
  bool toldUnknown_ = false;
};

} // namespace placid::pro
