// SPDX-License-Identifier: Apache-2.0
// The arguments of scopes and tasks: which a form has, which must be literals, what a dependency may be. Apart from
// scopes.cpp, which builds their bodies, because these rules change no value.
#include "compiler/frontend/scope_options.h"

#include "compiler/frontend/frame.h"
#include "compiler/support/suggest.h"

#include <algorithm>

namespace placid::frontend {

using syntax::Expr;

namespace {

/// More tiles in flight than any memory has room for.
constexpr int64_t kMaxSlots = 1 << 16;

} // namespace

/// One way to write a scope or task: its name for messages, and the keywords it has.
struct KernelBuilder::ScopeForm {
  std::string_view name;
  std::vector<std::string> keywords;
};

const KernelBuilder::ScopeForm KernelBuilder::kAt{"pl.at",
                                                  {"level", "role", "optimizations", "deps", "no_dep_args", "dumps",
                                                   "allow_early_resolve", "name_hint", "windowize", "predicate"}};
const KernelBuilder::ScopeForm KernelBuilder::kSpmdWith{"pl.spmd",
                                                        {"core_num", "sync_start", "name_hint", "optimizations",
                                                         "allow_early_resolve", "predicate", "deps", "no_dep_args",
                                                         "dumps", "windowize"}};
const KernelBuilder::ScopeForm KernelBuilder::kSpmdFor{
    "pl.spmd", {"core_num", "sync_start", "name_hint", "optimizations", "allow_early_resolve", "no_dep_args", "dumps"}};
const KernelBuilder::ScopeForm KernelBuilder::kScope{"pl.scope", {"mode"}};
const KernelBuilder::ScopeForm KernelBuilder::kManualScope{"pl.manual_scope", {}};
const KernelBuilder::ScopeForm KernelBuilder::kCluster{"pl.cluster", {"name_hint"}};
const KernelBuilder::ScopeForm KernelBuilder::kSplitAiv{"pl.split_aiv", {"mode"}};
const KernelBuilder::ScopeForm KernelBuilder::kSubmit{
    "pl.submit",
    {"deps", "core_num", "sync_start", "allow_early_resolve", "predicate", "dumps", "attrs", "device", "name_hint"}};

KernelBuilder::ScopeOptions KernelBuilder::scopeOptions(const Expr &call, const ScopeForm &form) {
  ScopeOptions out;
  for (const syntax::Keyword &keyword : call.keywords) {
    if (std::find(form.keywords.begin(), form.keywords.end(), keyword.name) == form.keywords.end()) {
      bool later = &form == &kSpmdFor && keyword.name == "deps";
      reporter_.report(diag::WrongArguments, keyword.nameRange, std::string(form.name),
                       later ? "has no `deps` in its loop form: write `with pl.spmd(…, deps=[…]) as task`"
                             : "has no parameter `" + std::string(keyword.name) + "`" +
                                   support::didYouMean(keyword.name, form.keywords));
      continue;
    }
    bool value = keyword.value->kind != Expr::Kind::Error;
    bool dispatch = keyword.name == "deps" || keyword.name == "predicate" || keyword.name == "allow_early_resolve";
    out.dispatch = dispatch && !out.dispatch ? &keyword : out.dispatch;
    if (!value) {
      continue;
    }
    if (keyword.name == "name_hint") {
      const Expr &text = *keyword.value;
      bool identifier =
          text.kind == Expr::Kind::String && !text.text.empty() &&
          text.text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
              std::string_view::npos &&
          (text.text.front() < '0' || text.text.front() > '9');
      if (text.kind != Expr::Kind::String) {
        reporter_.report(diag::LiteralRequired, text.range, "`name_hint`", "a string literal");
      } else if (!identifier && !text.text.empty()) {
        reporter_.report(diag::LiteralRequired, text.range, "`name_hint`", "an identifier: it names the kernel");
      } else {
        out.nameHint = std::string(text.text);
      }
    } else if (keyword.name == "allow_early_resolve" || keyword.name == "sync_start" || keyword.name == "windowize") {
      literalFlag(keyword);
    } else if (keyword.name == "deps") {
      dependencies(keyword);
    } else if (keyword.name == "optimizations") {
      optimizations(keyword, out);
    } else if (keyword.name == "predicate") {
      predicate(keyword);
    } else if (keyword.name == "mode") {
      out.mode = keyword.value;
    } else if (keyword.name == "no_dep_args" || keyword.name == "dumps") {
      bool list = keyword.value->kind == Expr::Kind::List || keyword.value->kind == Expr::Kind::Tuple;
      if (!list) {
        reporter_.report(diag::LiteralRequired, keyword.value->range, "`" + std::string(keyword.name) + "`",
                         "a list of tensors");
      }
      for (const Expr *item : list ? keyword.value->children : std::vector<const Expr *>{}) {
        Val tensor = expression(*item);
        if (!tensor.isPoison() && !tensor.isTensor()) {
          typeMismatch(item->range, "`" + std::string(keyword.name) + "`", "names tensors, got " + describe(tensor));
        }
      }
    }
  }
  return out;
}

void KernelBuilder::literalFlag(const syntax::Keyword &keyword) {
  bool known = keyword.value->kind == Expr::Kind::Bool || staticValue(*keyword.value).isUnknown() ||
               staticValue(*keyword.value).isBool();
  if (!known) {
    reporter_.report(diag::LiteralRequired, keyword.value->range, "`" + std::string(keyword.name) + "`",
                     "True or False");
  }
}

void KernelBuilder::dependencies(const syntax::Keyword &keyword) {
  const Expr &list = *keyword.value;
  if (list.kind != Expr::Kind::List && list.kind != Expr::Kind::Tuple) {
    bool followed = list.kind == Expr::Kind::Name || list.kind == Expr::Kind::Subscript;
    Val value = followed ? expression(list) : Val::poison();
    if (!followed) {
      checkNames(&list); // a comprehension
    }
    if (!value.isPoison() && value.kind != Val::Kind::Array && value.kind != Val::Kind::Tuple) {
      reporter_
          .report(diag::BadDependency, list.range,
                  "`" + std::string(keyword.name) + "` takes a list of task ids, got " + describe(value))
          .fixes.push_back({"write `" + std::string(keyword.name) + "=[" + syntax::spell(list) + "]`", {}});
    }
    return;
  }
  for (const Expr *item : list.children) {
    checkDependency(list, *item, expression(*item));
  }
}

bool KernelBuilder::checkDependency(const Expr &list, const Expr &item, const Val &value) {
  if (value.isPoison() || value.isTask()) {
    return true;
  }
  if (value.kind == Val::Kind::Array && value.arrayDtype() == pl::DType::TaskId) {
    auto element = [](const Expr *other) { return other->kind == Expr::Kind::Subscript; };
    bool mixed = std::any_of(list.children.begin(), list.children.end(), element);
    if (mixed) {
      reporter_.report(diag::BadDependency, item.range,
                       "the array `" + syntax::spell(item) +
                           "` beside single elements: name whole arrays and tasks, or elements and tasks");
    }
    return !mixed;
  }
  diag::Diagnostic &d =
      reporter_.report(diag::BadDependency, item.range, "a dependency is the id of a task, got " + describe(value));
  if (value.isTensor()) {
    d.fixes.push_back({"name the task that writes it: `with pl.at(…) as task`, then `deps=[task]`", {}});
  }
  return false;
}

void KernelBuilder::optimizations(const syntax::Keyword &keyword, ScopeOptions &options) {
  const Expr &list = *keyword.value;
  if (list.kind != Expr::Kind::List && list.kind != Expr::Kind::Tuple) {
    reporter_.report(diag::LiteralRequired, list.range, "`optimizations`", "a list such as `[pl.split(…)]`");
    return;
  }
  for (const Expr *item : list.children) {
    std::string path = pathOf(item);
    if (path.empty() && item->kind == Expr::Kind::Attribute) {
      ConstValue named = staticValue(*item);
      path = named.kind == ConstValue::Kind::PlPath ? named.text : "";
    }
    constexpr std::string_view kInFull = "pl.optimizations.";
    path = path.starts_with(kInFull) ? "pl." + path.substr(kInFull.size()) : path;
    if (path == "pl.split" && item->kind != Expr::Kind::Call) {
      reporter_.report(diag::WrongArguments, item->range, path, "misses its mode: `pl.split(pl.SplitMode.UP_DOWN)`");
      options.split = true;
    } else if (path == "pl.split") {
      options.split = true;
      const Expr *mode = item->children.size() > 1 ? item->children[1] : nullptr;
      for (const syntax::Keyword &option : item->keywords) {
        mode = option.name == "mode" && !mode ? option.value : mode;
      }
      ConstValue value = mode ? staticValue(*mode) : ConstValue();
      bool member = value.kind == ConstValue::Kind::PlPath && value.text.starts_with("pl.SplitMode.");
      if (!mode || (!member && !value.isUnknown())) {
        reporter_.report(diag::LiteralRequired, mode ? mode->range : item->range, "the mode of `pl.split`",
                         "a member of `pl.SplitMode`");
      }
      options.halved |= member && !value.isPath("pl.SplitMode.NONE");
      if (value.isPath("pl.SplitMode.UP_DOWN") || value.isPath("pl.SplitMode.LEFT_RIGHT")) {
        options.halvedAxis = value.isPath("pl.SplitMode.UP_DOWN") ? 0 : 1;
      }
      slotCount(*item, 2, options);
    } else if (path == "pl.cross_core_slot") {
      slotCount(*item, 1, options);
    } else if (path == "pl.auto_chunk") {
      reporter_.report(diag::RemovedForm, item->range, "`pl.auto_chunk`", "a loop is not cut by the compiler")
          .fixes.push_back({"drop it: `optimizations` holds pl.split and pl.cross_core_slot", {}});
    } else if (!path.empty()) {
      reporter_.report(diag::UnknownOp, item->range, path, ": `optimizations` holds pl.split and pl.cross_core_slot");
    } else if (path.empty() && item->kind != Expr::Kind::Error) {
      reporter_.report(diag::LiteralRequired, item->range, "an entry of `optimizations`",
                       "`pl.split(…)` or `pl.cross_core_slot(…)`");
    }
  }
}

/// `slot_num=N` of an optimization, or its argument in that place.
void KernelBuilder::slotCount(const Expr &entry, size_t position, ScopeOptions &options) {
  const Expr *given =
      entry.kind == Expr::Kind::Call && entry.children.size() > position ? entry.children[position] : nullptr;
  for (const syntax::Keyword &keyword : entry.keywords) {
    given = keyword.name == "slot_num" ? keyword.value : given;
  }
  ConstValue value = given ? staticValue(*given) : ConstValue();
  if (!given || value.isUnknown()) {
    return;
  }
  if (!value.isInt() || value.integer < 1 || value.integer > kMaxSlots) {
    reporter_.report(diag::LiteralRequired, given->range, "`slot_num`", "a number of at least 1");
    return;
  }
  options.slots = static_cast<int64_t>(value.integer);
}

/// `predicate=flags[i] > 0`: the task runs when one element says so.
void KernelBuilder::predicate(const syntax::Keyword &keyword) {
  const Expr &value = *keyword.value;
  bool element = value.kind == Expr::Kind::Compare && value.children.size() == 2 &&
                 (value.children[0]->kind == Expr::Kind::Subscript || pathOf(value.children[0]).ends_with("read"));
  if (value.kind == Expr::Kind::None) {
    return;
  }
  if (!element) {
    reporter_.report(diag::BadDependency, value.range,
                     "`predicate` compares one element of a tensor with an integer, as in `flags[0] > 0`");
    return;
  }
  expression(*value.children[0]);
  if (!staticValue(*value.children[1]).isInt() && !staticValue(*value.children[1]).isUnknown()) {
    reporter_.report(diag::LiteralRequired, value.children[1]->range, "the right side of `predicate`",
                     "an integer literal");
  }
}

} // namespace placid::frontend
