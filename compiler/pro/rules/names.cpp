// SPDX-License-Identifier: Apache-2.0
// Names that are none: of the language, of its enumerations, of the program. A value that nobody knows silences every
// rule about what it is given to, so a misspelt one is told where it stands.
#include "compiler/frontend/pl_dialect.h"
#include "compiler/pro/enums.h"
#include "compiler/pro/rules/rules.h"
#include "compiler/pro/rules/spelling.h"
#include "compiler/support/suggest.h"

#include <algorithm>

namespace placid::pro::rules {

using syntax::Expr;

namespace {

/// The member that `path` does not have, of an enumeration whose members are known; nothing for other paths.
std::optional<std::vector<std::string>> membersBeside(std::string_view path) {
  std::string_view owner = enumOf(path);
  std::span<const std::string_view> members = enumMembers(owner);
  std::string_view last = path.substr(path.rfind('.') + 1);
  if (members.empty() || std::find(members.begin(), members.end(), last) != members.end()) {
    return std::nullopt;
  }
  return std::vector<std::string>(members.begin(), members.end());
}

} // namespace

bool otherDialect(KernelReader &reader, std::string_view path, const Expr &expr) {
  if (!path.starts_with("pl.") && !path.starts_with("pld.")) {
    return false;
  }
  std::string_view name = path.substr(path.find('.') + 1);
  Site at = reader.site(expr);
  std::string own;
  for (std::string candidate : {std::string(name), "DT_" + std::string(name)}) {
    bool has = frontend::PlDialect().exportsOf("pro").contains(candidate.substr(0, candidate.find('.')));
    own = own.empty() && has ? spelledIn(at.module, candidate) : own;
  }
  auto report =
      reader.report(diag::ProUnknownName, at,
                    "`" + syntax::spell(expr) + "` is of `pypto.language`: this kernel is one of `pypto_pro.language`" +
                        (own.empty() ? "" : ", which has `" + own + "`"));
  if (!own.empty()) {
    report.fix("use `" + own + "`", at, own);
  }
  return true;
}

bool unknownMember(KernelReader &reader, std::string_view path, const Expr &expr) {
  if (otherDialect(reader, path, expr)) {
    return true;
  }
  std::optional<std::vector<std::string>> beside = membersBeside(path);
  if (!beside && path.starts_with("pro.") && path.find('.', 4) == std::string_view::npos) {
    const std::set<std::string> &names = frontend::PlDialect().exportsOf("pro");
    std::string name(path.substr(4));
    bool dtype = name.starts_with("DT_") || names.contains("DT_" + name); // told where a dtype belongs
    if (!names.contains(name) && !dtype && !isInternal(name)) {
      beside = std::vector<std::string>(names.begin(), names.end());
    }
  }
  if (!beside) {
    return false;
  }
  std::string near = support::nearestName(path.substr(path.rfind('.') + 1), *beside);
  std::string owner(enumOf(path));
  std::string shown = syntax::spell(expr);
  std::string of = owner.empty() ? "no name of `pypto_pro.language`" : "no member of `pl." + owner + "`";
  std::string rest = near.empty() && !owner.empty() ? ", which has " : "";
  for (size_t i = 0; !rest.empty() && i < beside->size(); ++i) {
    rest += (i == 0 ? "`" : "`, `") + (*beside)[i];
  }
  auto report =
      reader.report(diag::ProUnknownName, reader.site(expr),
                    "`" + shown + "` is " + of +
                        (!near.empty() ? ": did you mean `" + near + "`?" : rest + (rest.empty() ? "" : "`")));
  if (!near.empty() && expr.kind == Expr::Kind::Attribute) {
    report.fix("use `" + near + "`", {reader.site(expr).module, expr.nameRange}, near);
  }
  return true;
}

bool ofEnumeration(KernelReader &reader, std::string_view keyword, const Argument &argument) {
  std::string_view wanted = enumOfKeyword(keyword);
  const Value &value = argument.value;
  if (wanted.empty() || value.isUnknown() || value.isNone()) {
    return true;
  }
  std::string_view path = value.path();
  if (unknownMember(reader, path, *argument.expr)) {
    return false;
  }
  if (enumOf(path) == wanted) {
    return true;
  }
  std::span<const std::string_view> members = enumMembers(wanted);
  std::string example =
      members.empty() ? "" : ", such as `pl." + std::string(wanted) + "." + std::string(members.front()) + "`";
  reader.report(diag::ProEnumInt, argument.at,
                "`" + std::string(keyword) + "` expects a member of `pl." + std::string(wanted) + "`" + example +
                    ", got `" + spelled(argument) + "`");
  return false;
}

void undefinedName(KernelReader &reader, const Expr &expr, const std::vector<std::string> &beside) {
  std::string near = support::nearestName(expr.text, beside);
  auto report = reader.report(diag::ProUnknownName, reader.site(expr),
                              "`" + std::string(expr.text) + "` is not defined" +
                                  (near.empty() ? "" : ": did you mean `" + near + "`?"));
  if (!near.empty()) {
    report.fix("use `" + near + "`", reader.site(expr), near);
  }
}

} // namespace placid::pro::rules
