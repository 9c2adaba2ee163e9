// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/rules/spelling.h"

namespace placid::pro {

std::string spelledIn(const syntax::Module *module, std::string_view name) {
  using Kind = syntax::Stmt::Kind;
  constexpr std::string_view kLanguage = "pypto_pro.language";
  std::string own(name);
  std::string found;
  for (const syntax::Stmt *stmt : module ? module->body : std::vector<const syntax::Stmt *>()) {
    for (const syntax::ImportedName &one : stmt->imports) {
      bool whole = stmt->kind == Kind::Import && one.name == kLanguage;
      bool part = stmt->kind == Kind::ImportFrom && stmt->text == "pypto_pro" && one.name == "language";
      bool itself = stmt->kind == Kind::ImportFrom && stmt->text == kLanguage && (one.name == name || one.name == "*");
      if (itself) {
        return one.name == "*" ? own : std::string(one.asName);
      }
      if (found.empty() && (whole || part)) {
        found = std::string(one.asName) + "." + own;
      }
    }
  }
  return found.empty() ? "pl." + own : found;
}

} // namespace placid::pro
