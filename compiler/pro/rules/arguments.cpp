// SPDX-License-Identifier: Apache-2.0
// Calls against the parameters of their operation: names that are none of the language, keywords that nothing takes,
// what is missing or too much. Values are the business of the other rules.
#include "compiler/frontend/pl_dialect.h"
#include "compiler/pro/enums.h"
#include "compiler/pro/rules/rules.h"
#include "compiler/support/suggest.h"

#include <algorithm>
#include <array>

namespace placid::pro::rules {

using syntax::Expr;

namespace {

// Arguments that earlier releases had, and what took their place.
struct Renamed {
  std::string_view before;
  std::string_view now;
};
constexpr std::array<Renamed, 4> kRenamed{
    {{"is_transpose", "order"}, {"tile_dims", "order"}, {"pre_quant_scalar", "scale"}, {"fp_tile", "scale"}}};

// Keywords that take a member of an enumeration and no number.
constexpr std::array<std::string_view, 12> kEnumKeywords{
    "phase",      "atomic",          "mode",        "relu_pre_mode", "sync_mode",      "pattern",
    "merge_mode", "acc_to_vec_mode", "target_type", "core_type",     "data_copy_mode", "cache_line"};

std::string shownPath(std::string_view path) {
  return path.starts_with("Vf.") ? "vf." + std::string(path.substr(3)) : "pl." + std::string(path);
}

std::vector<std::string> namesBeside(std::string_view path) {
  size_t dot = path.rfind('.');
  std::string_view prefix = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot + 1);
  std::vector<std::string> out;
  for (const OpRow &row : ops()) {
    std::string_view rest = row.path.starts_with(prefix) ? row.path.substr(prefix.size()) : std::string_view();
    if (!rest.empty() && rest.find('.') == std::string_view::npos) {
      out.emplace_back(rest);
    }
  }
  if (prefix.empty()) {
    const std::set<std::string> &names = frontend::PlDialect().exportsOf("pro");
    out.insert(out.end(), names.begin(), names.end());
  }
  return out;
}

bool hasOwnRule(std::string_view path) {
  return path == "load" || path == "load_tile" || path == "store" || path == "store_tile";
}

} // namespace

bool isInternal(std::string_view path) {
  static constexpr std::array<std::string_view, 26> kNames{
      "adds",  "subs",        "muls", "divs", "maxs",     "mins",    "ands",           "ors",
      "or_",   "shls",        "shrs", "cmp",  "cmps",     "sel",     "sels",           "not_",
      "rems",  "matmul_bias", "xors", "rem",  "store_fp", "move_fp", "fillpad_expand", "fillpad_inplace",
      "fmods", "fmod"};
  return path.starts_with("row_") || path.starts_with("col_") || path.starts_with("tensor.") ||
         path.starts_with("pipeline.") || path.starts_with("parser.") ||
         std::find(kNames.begin(), kNames.end(), path) != kNames.end();
}

void unknownOperation(KernelReader &reader, std::string_view path, const Expr &call) {
  size_t dot = path.find('.');
  bool inNamespace = dot != std::string_view::npos;
  std::string_view space = inNamespace ? path.substr(0, dot) : std::string_view();
  constexpr std::array<std::string_view, 4> kSpaces{"system", "mutex", "simt", "Vf"};
  bool judged = inNamespace ? std::find(kSpaces.begin(), kSpaces.end(), space) != kSpaces.end() &&
                                  path.find('.', dot + 1) == std::string_view::npos && path != "simt.function"
                            : !frontend::PlDialect().exportsOf("pro").contains(std::string(path));
  if (!judged || isInternal(path)) {
    return;
  }
  if (path == "Vf.reg_tensor" || path == "Vf.mask_reg") {
    reader.report(diag::ProVfStatement, reader.site(call),
                  "`" + shownPath(path) +
                      "` is not called: a register is declared by the statement that binds it, "
                      "`reg = vf.load_align(…)`");
    return;
  }
  std::vector<std::string> names = namesBeside(path);
  std::string last(path.substr(inNamespace ? dot + 1 : 0));
  std::string near = support::nearestName(last, names);
  std::string prefix = shownPath(path.substr(0, path.size() - last.size()));
  const Expr &callee = *call.children[0];
  auto report = reader.report(diag::ProUnknownOperation, reader.site(callee),
                              "`" + shownPath(path) + "` is no operation of `pypto_pro`" +
                                  (near.empty() ? "" : ": did you mean `" + prefix + near + "`?"));
  if (!near.empty() && callee.kind == Expr::Kind::Attribute) {
    report.fix("use `" + prefix + near + "`", {reader.site(callee).module, callee.nameRange}, near);
  }
}

void arguments(KernelReader &reader, const Call &call) {
  const OpRow &row = *call.row;
  if (row.open) {
    return;
  }
  std::string shown = "`" + shownPath(row.path) + "`";
  std::string takes = shown + " takes (" + signatureOf(row) + ")";
  for (const syntax::Keyword *keyword : call.unexpected) {
    Site at{call.at.module, keyword->nameRange};
    std::vector<std::string> names;
    for (const Parameter &parameter : row.parameters) {
      if (!parameter.variadic) {
        names.emplace_back(parameter.name);
      }
    }
    const auto *renamed =
        std::find_if(kRenamed.begin(), kRenamed.end(), [&](const Renamed &one) { return one.before == keyword->name; });
    bool old = renamed != kRenamed.end() && std::find(names.begin(), names.end(), renamed->now) != names.end();
    std::string near = old ? "" : support::nearestName(keyword->name, names);
    auto report = reader.report(diag::ProUnknownKeyword, at,
                                shown + " has no argument `" + std::string(keyword->name) + "`" +
                                    (old            ? ": newer releases say `" + std::string(renamed->now) + "=`"
                                     : near.empty() ? "; " + takes
                                                    : ": did you mean `" + near + "`?"));
    if (!near.empty()) {
      report.fix("use `" + near + "`", at, near);
    }
  }
  for (const syntax::Keyword *keyword : call.repeated) {
    reader.report(diag::ProArguments, {call.at.module, keyword->nameRange},
                  "`" + std::string(keyword->name) + "` of " + shown + " is given twice");
  }
  for (const syntax::Keyword &keyword : call.expr->keywords) {
    bool isEnum = std::find(kEnumKeywords.begin(), kEnumKeywords.end(), keyword.name) != kEnumKeywords.end();
    const Argument &argument = call.get(keyword.name);
    bool ofTypes = keyword.name == "layout" || keyword.name == "target_memory"; // elsewhere they are something else
    if (argument.given() && !ofTypes && !enumOfKeyword(keyword.name).empty()) {
      ofEnumeration(reader, keyword.name, argument);
      continue;
    }
    // Which enumeration it is depends on the operation: what surely is none of any.
    const Value &value = argument.value;
    bool plain = (value.kind == ValueKind::Python && value.path().empty() && !value.isNone() &&
                  (value.python.isNumber() || value.python.is(py::Kind::Str))) ||
                 value.kind == ValueKind::Tile || value.kind == ValueKind::Tensor;
    if (isEnum && argument.given() && plain) {
      reader.report(diag::ProEnumInt, argument.at,
                    "`" + std::string(keyword.name) + "` expects a member of an enumeration of `pl`, got `" +
                        spelled(argument) + "`");
    }
  }
  if (!call.extra.empty()) {
    auto positional = std::count_if(row.parameters.begin(), row.parameters.end(),
                                    [](const Parameter &parameter) { return !parameter.keywordOnly; });
    size_t given = static_cast<size_t>(positional) + call.extra.size();
    reader.report(diag::ProArguments, reader.site(*call.extra.front()),
                  takes + ", got " + std::to_string(given) + " positional arguments");
    return;
  }
  if (hasOwnRule(row.path) || !call.unexpected.empty()) {
    return;
  }
  for (size_t i = 0; i < row.parameters.size(); ++i) {
    if (!row.parameters[i].optional && !call.arguments[i].given()) {
      reader.report(diag::ProArguments, call.at,
                    shown + " misses `" + std::string(row.parameters[i].name) + "`: it takes (" + signatureOf(row) +
                        ")");
      return;
    }
  }
}

void unknownKeywords(KernelReader &reader, const Expr &call, std::string_view known) {
  std::vector<std::string> names;
  while (!known.empty()) {
    size_t end = std::min(known.find(' '), known.size());
    names.emplace_back(known.substr(0, end));
    known.remove_prefix(std::min(end + 1, known.size()));
  }
  for (const syntax::Keyword &keyword : call.keywords) {
    bool good = keyword.name.empty() || std::find(names.begin(), names.end(), keyword.name) != names.end();
    if (good) {
      continue;
    }
    Site at{reader.site(call).module, keyword.nameRange};
    std::string near = support::nearestName(keyword.name, names);
    auto report =
        reader.report(diag::ProUnknownKeyword, at,
                      "`" + syntax::spell(*call.children[0]) + "` has no argument `" + std::string(keyword.name) + "`" +
                          (near.empty() ? "" : ": did you mean `" + near + "`?"));
    if (!near.empty()) {
      report.fix("use `" + near + "`", at, near);
    }
  }
}

} // namespace placid::pro::rules
