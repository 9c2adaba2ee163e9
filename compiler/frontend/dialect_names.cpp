// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/dialect_names.h"

#include "compiler/frontend/pl_dialect.h"
#include "compiler/frontend/reporter.h"
#include "compiler/ops/op_table.h"
#include "compiler/support/suggest.h"

#include <algorithm>
#include <array>
#include <span>

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kFunctionTypes[] = {"Opaque", "Orchestration", "InCore", "AIC",  "AIV",
                                               "Group",  "Spmd",          "Inline", "Graph"};
constexpr std::string_view kLevels[] = {"AIV",       "AIC",       "CORE_GROUP", "CHIP_DIE", "CHIP",    "HOST",
                                        "CLUSTER_0", "CLUSTER_1", "CLUSTER_2",  "GLOBAL",   "L2CACHE", "PROCESSOR",
                                        "UMA",       "NODE",      "POD",        "CLOS1",    "CLOS2"};
constexpr std::string_view kRoles[] = {"Orchestrator", "SubWorker"};
constexpr std::string_view kLoopKinds[] = {"Sequential", "Parallel", "Unroll", "Pipeline"};
constexpr std::string_view kAtomics[] = {"None_", "Add"};
constexpr std::string_view kSplits[] = {"NONE", "UP_DOWN", "LEFT_RIGHT"};
constexpr std::string_view kMemories[] = {"DDR", "Vec",  "Mat",       "Left",       "Right",
                                          "Acc", "Bias", "LeftScale", "RightScale", "ScalarLocal"};
constexpr std::string_view kLayouts[] = {"ND", "DN", "NZ", "MX_A_ZZ", "MX_B_NN"};
constexpr std::string_view kTileLayouts[] = {"none_box", "row_major", "col_major"};
constexpr std::string_view kPads[] = {"null", "zero", "max", "min"};
constexpr std::string_view kCompacts[] = {"null", "normal"};
constexpr std::string_view kScopeModes[] = {"AUTO", "MANUAL"};
constexpr std::string_view kPipes[] = {"MTE1", "MTE2", "MTE3", "M", "V", "S", "FIX", "ALL"};
constexpr std::string_view kStorePhases[] = {"Unspecified", "Partial", "Final"};
constexpr std::string_view kMasks[] = {"P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"};
constexpr std::string_view kNotifyOps[] = {"AtomicAdd", "Set"};
constexpr std::string_view kWaitCmps[] = {"Eq", "Ge"};
constexpr std::string_view kReduceOps[] = {"Sum", "Max", "Min", "Prod"};

struct Enumeration {
  std::string_view path;
  Names members;
};
constexpr Enumeration kEnumerations[] = {
    {"pl.FunctionType", kFunctionTypes}, {"pl.Level", kLevels},           {"pl.Role", kRoles},
    {"pl.ForKind", kLoopKinds},          {"pl.AtomicType", kAtomics},     {"pld.AtomicType", kAtomics},
    {"pl.SplitMode", kSplits},           {"pl.Mem", kMemories},           {"pl.MemorySpace", kMemories},
    {"pl.TensorLayout", kLayouts},       {"pl.TileLayout", kTileLayouts}, {"pl.PadValue", kPads},
    {"pl.CompactMode", kCompacts},       {"pl.ScopeMode", kScopeModes},   {"pl.PipeType", kPipes},
    {"pl.tile.MaskPattern", kMasks},     {"pld.NotifyOp", kNotifyOps},    {"pld.WaitCmp", kWaitCmps},
    {"pld.ReduceOp", kReduceOps},        {"pl.STPhase", kStorePhases},
};

// Without the members of enumerations, dtypes and layouts, and operations.
constexpr std::string_view kOthers[] = {
    "pl.jit",
    "pl.jit.inline",
    "pl.jit.host",
    "pl.jit.incore",
    "pl.jit.opaque",
    "pl.jit.extern",
    "pl.function",
    "pl.program",
    "pl.inline",
    "pl.InlineFunction",
    "pl.JITFunction",
    "pl.parse",
    "pl.parser",
    "pl.loads",
    "pl.parse_program",
    "pl.loads_program",
    "pl.Tensor",
    "pl.Tile",
    "pl.Scalar",
    "pl.Array",
    "pl.Tuple",
    "pl.DynVar",
    "pl.InOut",
    "pl.IntLike",
    "pl.Out",
    "pl.RUNTIME",
    "pl.constexpr",
    "pl.dynamic",
    "pl.const",
    "pl.range",
    "pl.parallel",
    "pl.unroll",
    "pl.pipeline",
    "pl.while_",
    "pl.yield_",
    "pl.cond",
    "pl.static_print",
    "pl.static_assert",
    "pl.func_attr",
    "pl.at",
    "pl.cluster",
    "pl.spmd",
    "pl.split_aiv",
    "pl.optimizations",
    "pl.split",
    "pl.cross_core_slot",
    "pl.adir",
    "pl.array",
    "pl.prefetch",
    "pl.tile",
    "pl.system",
    "pl.tensor",
    "pl.AUTO",
    "pl.scope",
    "pl.manual_scope",
    "pl.submit",
    "pl.spmd_submit",
    "pl.no_dep",
    "pl.dump_tag",
    "pl.MemRef",
    "pl.MemRefType",
    "pl.Ptr",
    "pl.PtrType",
    "pl.TensorView",
    "pl.TileView",
    "pl.TaskId",
    "pl.PrefetchAsyncContext",
    "pl.AsyncEvent",
    "pl.AsyncSession",
    "pl.language",
    "pld.CommCtx",
    "pld.CommCtxType",
    "pld.DistributedTensor",
    "pld.system",
    "pld.tensor",
    "pld.tile",
};

constexpr std::string_view kDTypes[] = {
    "FP4",   "FP8E4M3FN", "FP8E5M2", "FP8E8M0", "FP16",  "FP32",   "BF16",   "HF4",    "HF8",  "INT4",  "INT8",
    "INT16", "INT32",     "INT64",   "UINT4",   "UINT8", "UINT16", "UINT32", "UINT64", "BOOL", "INDEX", "TASK_ID"};

const Enumeration *enumerationOf(std::string_view path) {
  size_t dot = path.rfind('.');
  auto found = std::find_if(std::begin(kEnumerations), std::end(kEnumerations),
                            [&](const Enumeration &e) { return e.path == path.substr(0, dot); });
  return found == std::end(kEnumerations) ? nullptr : found;
}

bool contains(Names names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

bool isOperation(std::string_view path) { return ops::findOp(path).row != nullptr; }

/// Walks a declaration, its decorators and what a constant `if` leaves out aside, and gives every whole `a.b.c` in it,
/// with whether it is called.
class Chains {
public:
  template <class Visit> static void of(const Stmt &stmt, const Scope &scope, Visit visit) {
    for (const syntax::Parameter &parameter : stmt.parameters) {
      of(parameter.annotation, false, visit);
      of(parameter.defaultValue, false, visit);
    }
    of(stmt.annotation, false, visit);
    of(stmt.value, false, visit);
    for (const Expr *target : stmt.targets) {
      of(target, false, visit);
    }
    for (const syntax::WithItem &item : stmt.items) {
      of(item.value, false, visit);
    }
    ConstValue condition =
        stmt.kind == Stmt::Kind::If && stmt.value ? evaluate(*stmt.value, scope) : ConstValue::unknown("");
    for (const auto *list : {&stmt.body, &stmt.orelse}) {
      if (condition.isNumber() && condition.truthy() != (list == &stmt.body)) {
        continue;
      }
      for (const Stmt *inner : *list) {
        of(*inner, scope, visit);
      }
    }
  }

private:
  template <class Visit> static void of(const Expr *expr, bool called, Visit visit) {
    if (!expr) {
      return;
    }
    if (expr->kind == Expr::Kind::Attribute) {
      visit(*expr, called);
      const Expr *root = expr;
      while (root->kind == Expr::Kind::Attribute) {
        root = root->children[0];
      }
      if (root->kind != Expr::Kind::Name) {
        of(root, false, visit);
      }
      return;
    }
    for (size_t i = 0; i < expr->children.size(); ++i) {
      of(expr->children[i], expr->kind == Expr::Kind::Call && i == 0, visit);
    }
    for (const syntax::Keyword &keyword : expr->keywords) {
      of(keyword.value, false, visit);
    }
  }
};

} // namespace

void addDialectNames(std::string_view prefix, std::set<std::string> &out) {
  auto add = [&](std::string_view path) {
    if (path.size() > prefix.size() && path.starts_with(prefix) && path[prefix.size()] == '.') {
      std::string_view rest = path.substr(prefix.size() + 1);
      out.emplace(rest.substr(0, rest.find('.')));
    }
  };
  std::for_each(std::begin(kOthers), std::end(kOthers), add);
  for (const Enumeration &enumeration : kEnumerations) {
    add(enumeration.path);
  }
  if (prefix == "pl") {
    out.insert(std::begin(kDTypes), std::end(kDTypes));
    out.insert(std::begin(kLayouts), std::end(kLayouts));
  }
}

bool isDialectName(std::string_view path) {
  if (!path.starts_with("pl.") && !path.starts_with("pld.")) {
    return true; // another dialect's
  }
  if (const Enumeration *owner = enumerationOf(path)) {
    return contains(owner->members, path.substr(path.rfind('.') + 1));
  }
  std::string_view first = path.substr(0, path.find('.', path.find('.') + 1));
  std::string_view bare = path.substr(path.find('.') + 1);
  if (contains(kOthers, path) || contains(kDTypes, bare) || contains(kLayouts, bare) || isOperation(path) ||
      std::any_of(std::begin(kEnumerations), std::end(kEnumerations),
                  [&](const Enumeration &e) { return e.path == path; })) {
    return true;
  }
  // A member of something that is not followed here.
  bool nested = first != path;
  bool space = first == "pl.tile" || first == "pl.tensor" || first == "pl.system" || first == "pl.array" ||
               first == "pl.prefetch" || first == "pl.jit" || first == "pld.tile" || first == "pld.tensor" ||
               first == "pld.system";
  return nested && !space && isDialectName(first);
}

std::vector<std::string> dialectNamesLike(std::string_view path) {
  std::vector<std::string> out;
  if (const Enumeration *owner = enumerationOf(path)) {
    for (std::string_view member : owner->members) {
      out.push_back(std::string(owner->path) + "." + std::string(member));
    }
    return out;
  }
  for (std::string_view name : kOthers) {
    out.emplace_back(name);
  }
  for (const Enumeration &enumeration : kEnumerations) {
    out.emplace_back(enumeration.path);
  }
  for (std::string_view name : kDTypes) {
    out.push_back("pl." + std::string(name));
  }
  for (const std::string &name : ops::opPaths()) {
    out.push_back(name);
  }
  return out;
}

void checkDialectNames(const Program &program, const KernelDecl &kernel, size_t from,
                       std::vector<diag::Diagnostic> &diagnostics) {
  struct Unknown {
    const Expr *expr;
    std::string path;
  };
  std::vector<Unknown> unknown;
  Chains::of(*kernel.function, *kernel.scope, [&](const Expr &chain, bool called) {
    ConstValue value = evaluate(chain, *kernel.scope);
    if (value.kind == ConstValue::Kind::PlPath && !called && !isDialectName(value.text)) {
      unknown.push_back({&chain, value.text});
    }
  });
  for (const Unknown &name : unknown) {
    auto touches = [&](const diag::Diagnostic &d) {
      return d.at.path == program.path() && d.at.range.begin <= name.expr->range.end &&
             name.expr->range.begin <= d.at.range.end;
    };
    auto begin = diagnostics.begin() + static_cast<long>(std::min(from, diagnostics.size()));
    if (std::any_of(begin, diagnostics.end(),
                    [&](const diag::Diagnostic &d) { return d.severity == diag::Severity::Error && touches(d); })) {
      continue;
    }
    diagnostics.erase(std::remove_if(begin, diagnostics.end(),
                                     [&](const diag::Diagnostic &d) {
                                       return (d.code == diag::NotSupportedYet.code ||
                                               d.code == diag::UnknownValue.code) &&
                                              touches(d);
                                     }),
                      diagnostics.end());
    Reporter(program.path(), kernel.qualifiedName, diagnostics)
        .report(diag::UnknownMember, name.expr->range, syntax::spell(*name.expr),
                support::didYouMean(name.path, dialectNamesLike(name.path)));
  }
}

namespace {

bool isSecondDialectName(const std::string &name) { return PlDialect().exportsOf("pro").contains(name); }

void checkDecorators(const std::vector<const Stmt *> &statements, const Program &program,
                     std::vector<diag::Diagnostic> &diagnostics) {
  for (const Stmt *stmt : statements) {
    for (const Expr *decorator : stmt->decorators) {
      const Expr &path = decorator->kind == Expr::Kind::Call ? *decorator->children[0] : *decorator;
      ConstValue value = path.kind == Expr::Kind::Attribute ? evaluate(path, program.scopes.front()) : ConstValue();
      bool second = value.kind == ConstValue::Kind::PlPath && value.text.starts_with("pro.");
      if (second && value.text.find('.', 4) == std::string::npos && !isSecondDialectName(value.text.substr(4))) {
        std::vector<std::string> decorators{"jit", "kernel", "function", "program", "vector_function", "inline"};
        Reporter(program.path(), std::string(stmt->name), diagnostics)
            .report(diag::UnknownMember, path.range, syntax::spell(path),
                    support::didYouMean(value.text.substr(4), decorators));
      }
      if (value.kind == ConstValue::Kind::PlPath && !second && !isDialectName(value.text)) {
        Reporter(program.path(), std::string(stmt->name), diagnostics)
            .report(diag::UnknownMember, path.range, syntax::spell(path),
                    support::didYouMean(value.text, dialectNamesLike(value.text)));
      }
    }
    checkDecorators(stmt->body, program, diagnostics);
    checkDecorators(stmt->orelse, program, diagnostics);
  }
}

} // namespace

void checkDecorators(const Program &program, std::vector<diag::Diagnostic> &diagnostics) {
  checkDecorators(program.module->body, program, diagnostics);
}

} // namespace placid::frontend
