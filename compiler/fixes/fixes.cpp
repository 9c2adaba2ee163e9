// SPDX-License-Identifier: Apache-2.0
#include "compiler/fixes/fixes.h"

#include "compiler/fixes/place.h"
#include "compiler/fixes/stacked_axis.h"

#include <algorithm>

namespace placid::fixes {

namespace {

using source::ByteRange;
using syntax::Expr;

constexpr int64_t kFractalRows = 16;
constexpr int64_t kMaxGapBlocks = 65535;
constexpr int64_t kLineBytes = 32;        ///< Of the c0 elements of one line.
constexpr int64_t kMatBytes = 512 * 1024; ///< L1 of all architectures.
/// Beside an offset that is no provable multiple (the dialect's offset_proof.h says it).
constexpr std::string_view kSignOpenNote = "nor is it provably non-negative";

int64_t roundUp(int64_t value, int64_t factor) { return (value + factor - 1) / factor * factor; }

/// One diagnostic of the text, and how edits are added to it.
class Site {
public:
  Site(const syntax::Module &module, diag::Diagnostic &diagnostic)
      : module_(module), diagnostic_(diagnostic), place(placeOf(module, diagnostic.at.range)) {
    if (diagnostic.annotation && diagnostic.annotation->path == diagnostic.at.path) {
      annotation = placeOf(module, diagnostic.annotation->range);
    }
  }

  std::string_view text(ByteRange range) const {
    return std::string_view(module_.source->text).substr(range.begin, range.end - range.begin);
  }
  std::string_view source() const { return module_.source->text; }
  const syntax::Module &module() const { return module_; }
  const diag::Diagnostic &diagnostic() const { return diagnostic_; }

  /// A fix of one edit. The same edit twice is one fix.
  void replace(std::string title, ByteRange range, std::string newText) {
    diag::Edit edit{{diagnostic_.at.path, range}, std::move(newText)};
    for (const diag::Fix &fix : diagnostic_.fixes) {
      if (fix.edits == std::vector{edit}) {
        return;
      }
    }
    diagnostic_.fixes.push_back({std::move(title), {std::move(edit)}});
  }

  void add(std::string title, const std::vector<TextEdit> &edits) {
    diag::Fix fix{std::move(title), {}};
    for (const TextEdit &edit : edits) {
      fix.edits.push_back({{diagnostic_.at.path, edit.first}, edit.second});
    }
    diagnostic_.fixes.push_back(std::move(fix));
  }

  /// What was advised is said by fixes that can be applied.
  void dropAdvice() {
    std::erase_if(diagnostic_.fixes, [](const diag::Fix &fix) { return fix.edits.empty(); });
  }

private:
  const syntax::Module &module_;
  diag::Diagnostic &diagnostic_;

public:
  Place place;
  Place annotation;
};

bool needsParentheses(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Name:
  case Expr::Kind::Int:
  case Expr::Kind::Attribute:
  case Expr::Kind::Call:
  case Expr::Kind::Subscript:
    return false;
  default:
    return true;
  }
}

std::string operand(const Site &site, const Expr &expr) {
  std::string spelled(site.text(expr.range));
  // A parenthesised expression is located without its parentheses, which stay around the edit.
  return needsParentheses(expr) ? "(" + spelled + ")" : spelled;
}

/// `8:40` of `w[8:40, 0:64]` when the place is its lower bound.
const Expr *sliceOf(const Site &site) {
  const Expr *slice = site.place.parent();
  bool lower =
      slice && slice->kind == Expr::Kind::Slice && !slice->children.empty() && slice->children[0] == site.place.expr();
  return lower ? slice : nullptr;
}

/// 16 or c0, by where in its list an offset or an extent stands; 0 where that cannot be told.
int64_t factorOf(const Site &site) {
  if (const Expr *slice = sliceOf(site)) {
    const Expr *subscript = site.place.parent(2);
    size_t rank = subscript && subscript->kind == Expr::Kind::Subscript ? subscript->children.size() : 0;
    bool rows = rank >= 3 && subscript->children[rank - 2] == slice;
    bool columns = rank >= 3 && subscript->children[rank - 1] == slice;
    return rows ? kFractalRows : columns ? tensorAround(site.annotation).c0 : 0;
  }
  const Expr *list = site.place.parent();
  if (!list || (list->kind != Expr::Kind::List && list->kind != Expr::Kind::Tuple) || list->children.size() < 2) {
    return 0;
  }
  size_t rank = list->children.size();
  if (list->children[rank - 2] == site.place.expr()) {
    return kFractalRows;
  }
  return list->children[rank - 1] == site.place.expr() ? tensorAround(site.annotation).c0 : 0;
}

/// A literal offset to another one; a slice keeps its width.
void moveTo(Site &site, int64_t value) {
  const Expr &offset = *site.place.expr();
  int64_t step = value - *literal(&offset);
  const Expr *slice = sliceOf(site);
  if (!slice) {
    site.replace("use " + std::to_string(value), offset.range, std::to_string(value));
    return;
  }
  std::optional<int64_t> upper = slice->children.size() > 1 ? literal(slice->children[1]) : std::nullopt;
  if (upper && *upper >= 0) {
    std::string begin = std::to_string(value);
    std::string end = std::to_string(*upper + step);
    site.add("use " + begin + ":" + end, {{offset.range, begin}, {slice->children[1]->range, end}});
  }
}

void offsetAlign(Site &site) {
  const Expr *offset = site.place.expr();
  int64_t factor = factorOf(site);
  if (factor == 0 || offset->range != site.diagnostic().at.range) {
    return;
  }
  std::string d = std::to_string(factor);
  const Expr *slice = sliceOf(site);
  if (std::optional<int64_t> constant = literal(offset)) {
    int64_t below = *constant >= 0 ? *constant / factor * factor : 0;
    site.dropAdvice();
    moveTo(site, below);
    moveTo(site, below + factor);
    return;
  }
  if (slice) {
    return; // its other bound would have to follow
  }
  std::string maximum = languageName(site.module()) + ".max";
  const Expr *clamped = offset->kind == Expr::Kind::Call && offset->children.size() == 3 &&
                                site.text(offset->children[0]->range) == maximum && literal(offset->children[2]) == 0
                            ? offset->children[1]
                            : nullptr;
  std::string rounded = operand(site, clamped ? *clamped : *offset) + " // " + d + " * " + d;
  const bool signOpen = std::ranges::any_of(
      site.diagnostic().related, [](const diag::Related &related) { return related.message == kSignOpenNote; });
  if (!clamped && !signOpen) {
    site.replace("round it down to a multiple of " + d + ": `" + rounded + "`", offset->range, rounded);
  }
  // The form of which both is known: a multiple, and not negative.
  std::string both = maximum + "(" + rounded + ", 0)";
  site.replace("round it down and never go below 0: `" + both + "`", offset->range, both);
  // `r0 = lane * 24`: the factor may be what was mistaken.
  for (const diag::Related &related : site.diagnostic().related) {
    if (related.role != diag::Related::Role::Binding || related.at.path != site.diagnostic().at.path) {
      continue;
    }
    Place bound = placeOf(site.module(), related.at.range);
    const Expr *value =
        bound.statement && bound.statement->kind == syntax::Stmt::Kind::Assign ? bound.statement->value : nullptr;
    if (!value || value->kind != Expr::Kind::Binary || value->text != "*") {
      continue;
    }
    for (const Expr *side : value->children) {
      std::optional<int64_t> constant = literal(side);
      if (constant && *constant > 0 && *constant % factor != 0) {
        std::string wider = std::to_string(roundUp(*constant, factor));
        site.replace("step by " + wider + " instead of " + std::to_string(*constant), side->range, wider);
      }
    }
  }
}

void offsetSign(Site &site) {
  const Expr *offset = site.place.expr();
  if (!offset || offset->range != site.diagnostic().at.range || factorOf(site) == 0) {
    return;
  }
  if (literal(offset)) {
    sliceOf(site) ? moveTo(site, 0) : site.replace("start at 0", offset->range, "0");
    return;
  }
  if (sliceOf(site)) {
    return; // its other bound would have to follow
  }
  std::string maximum = languageName(site.module()) + ".max(";
  std::string clamped = maximum + std::string(site.text(offset->range)) + ", 0)";
  site.replace("never go below 0: `" + clamped + "`", offset->range, clamped);
  // Where a multiple is known of the offset and not of the larger one of it and 0.
  std::string d = std::to_string(factorOf(site));
  if (!site.text(offset->range).ends_with("// " + d + " * " + d)) {
    std::string both = maximum + operand(site, *offset) + " // " + d + " * " + d + ", 0)";
    site.replace("round it down and never go below 0: `" + both + "`", offset->range, both);
  }
}

void targetMemory(Site &site) {
  const Expr *call = callAround(site.place);
  if (!call || call->children.empty() || call->children[0]->text != "load") {
    return;
  }
  std::string mat = languageName(site.module()) + ".Mem.Mat";
  constexpr size_t kTargetPosition = 5; // callee, tensor, offsets, shapes, valid_shape, target_memory
  if (const syntax::Keyword *given = keyword(*call, "target_memory")) {
    site.replace("load to Mat", given->value->range, mat);
    return;
  }
  if (call->children.size() > kTargetPosition) {
    site.replace("load to Mat", call->children[kTargetPosition]->range, mat);
    return;
  }
  // Behind the last argument, in front of the bracket; a comma may be there already.
  std::string_view text = site.source();
  uint32_t close = call->range.end - 1;
  uint32_t end = close;
  while (end > call->range.begin && std::string_view(" \t\r\n").find(text[end - 1]) != std::string_view::npos) {
    --end;
  }
  size_t line = text.rfind('\n', end - 1);
  std::string_view lastLine = text.substr(line == std::string_view::npos ? 0 : line + 1, end - line - 1);
  if (lastLine.find('#') != std::string_view::npos) {
    return; // the last argument may end in a comment
  }
  bool comma = text[end - 1] == ',';
  site.replace("add `target_memory=" + mat + "`", {end, end},
               (comma ? " target_memory=" : ", target_memory=") + mat + (comma ? "," : ""));
}

/// Rows or columns that are no whole fractals: of a declaration, or of a window.
void extentAlign(Site &site, bool rows) {
  bool declared = site.diagnostic().annotation && *site.diagnostic().annotation == site.diagnostic().at;
  TensorWords words = tensorAround(site.annotation);
  int64_t factor = rows ? kFractalRows : words.c0;
  const Expr *extent = site.place.expr();
  if (declared) {
    size_t rank = words.dims ? words.dims->children.size() : 0;
    extent = rank >= 2 ? words.dims->children[rank - (rows ? 2 : 1)] : nullptr;
  } else if (extent && extent->range != site.diagnostic().at.range) {
    extent = nullptr;
  }
  std::optional<int64_t> value = literal(extent);
  if (!value || *value <= 0 || factor == 0 || *value % factor == 0) {
    return;
  }
  std::string rounded = std::to_string(roundUp(*value, factor));
  std::string what = rows ? " rows" : " columns";
  site.replace((declared ? "declare " : "take ") + rounded + what, extent->range, rounded);
}

void rowsAlign(Site &site) { extentAlign(site, true); }
void colsAlign(Site &site) { extentAlign(site, false); }

/// Takes an argument out of the call that the annotation is; what remains of `TensorView(layout=pl.NZ)` is `pl.NZ`.
void dropFromView(Site &site, std::string_view name, const std::string &title) {
  const Expr *view = site.annotation.expr();
  if (!view || view->kind != Expr::Kind::Call || view->children.size() != 1) {
    return;
  }
  std::string rest;
  size_t kept = 0;
  const syntax::Keyword *last = nullptr;
  for (const syntax::Keyword &word : view->keywords) {
    if (word.name != name) {
      rest += (rest.empty() ? "" : ", ") + std::string(word.name) + "=" + std::string(site.text(word.value->range));
      ++kept;
      last = &word;
    }
  }
  if (kept == 0 || kept == view->keywords.size()) {
    return;
  }
  bool plain = kept == 1 && last->name == "layout";
  site.replace(title, view->range,
               plain ? std::string(site.text(last->value->range))
                     : std::string(site.text(view->children[0]->range)) + "(" + rest + ")");
}

void stride(Site &site) { dropFromView(site, "stride", "drop the stride"); }

void validShape(Site &site) {
  if (site.diagnostic().annotation && *site.diagnostic().annotation == site.diagnostic().at) {
    dropFromView(site, "valid_shape", "drop the valid shape from the type");
    return;
  }
  const Expr *extent = site.place.expr();
  std::optional<int64_t> value = literal(extent);
  int64_t factor = factorOf(site);
  if (value && *value > 0 && factor > 0 && *value % factor != 0 && extent->range == site.diagnostic().at.range) {
    std::string rounded = std::to_string(roundUp(*value, factor));
    site.replace("take whole fractals: " + rounded, extent->range, rounded);
  }
}

void gmGap(Site &site) {
  if (std::optional<std::vector<TextEdit>> edits = unstack(site.module(), site.annotation)) {
    site.add("declare the stacked axis as a leading axis", *edits);
  }
  const Expr *rows = site.place.expr();
  std::optional<int64_t> loaded = literal(rows);
  TensorWords words = tensorAround(site.annotation);
  size_t rank = words.dims ? words.dims->children.size() : 0;
  std::optional<int64_t> plane = rank >= 2 ? literal(words.dims->children[rank - 2]) : std::nullopt;
  if (!loaded || !plane || rows->range != site.diagnostic().at.range) {
    return;
  }
  int64_t needed = roundUp(*plane - kMaxGapBlocks, kFractalRows);
  const Expr *sizes = site.place.parent();
  std::optional<int64_t> columns = sizes && !sizes->children.empty() ? literal(sizes->children.back()) : std::nullopt;
  bool fits = !columns || words.c0 == 0 || *columns <= 0 || needed <= kMatBytes / kLineBytes * words.c0 / *columns;
  if (needed > *loaded && needed <= *plane && fits) {
    site.replace("load " + std::to_string(needed) + " rows at once", rows->range, std::to_string(needed));
  }
}

/// A parameter that is declared an input and is written: both directions that allow it, the common one first.
void inputWritten(Site &site) {
  for (const diag::Related &related : site.diagnostic().related) {
    if (related.role != diag::Related::Role::Annotation || related.at.path != site.diagnostic().at.path) {
      continue;
    }
    ByteRange range = related.at.range;
    const Expr *declared = placeOf(site.module(), range).expr();
    std::string language = languageName(site.module());
    bool plain = declared && declared->range == range && declared->kind == Expr::Kind::Subscript &&
                 site.text(range).starts_with(language + ".Tensor[");
    if (!plain) {
      return; // under a name of its own it may be declared for others too
    }
    site.dropAdvice();
    for (const char *direction : {".Out", ".InOut"}) {
      std::string made = language + direction;
      bool out = direction == std::string_view(".Out");
      site.add("declare it `" + made + (out ? "[…]`: it is only written" : "[…]`: it is read too"),
               {{{range.begin, range.begin}, made + "["}, {{range.end, range.end}, "]"}});
    }
    return;
  }
}

/// The front end's own proposal, which ends its message (support/suggest.h).
void similarName(Site &site) {
  const std::string &message = site.diagnostic().message;
  constexpr std::string_view kBegin = "did you mean `";
  size_t begin = message.rfind(kBegin);
  size_t end = begin == std::string::npos ? begin : message.find('`', begin + kBegin.size());
  if (end == std::string::npos) {
    return;
  }
  std::string proposed = message.substr(begin + kBegin.size(), end - begin - kBegin.size());
  ByteRange range = site.diagnostic().at.range;
  const Expr *expr = site.place.expr();
  bool chain = expr && expr->range == range && expr->kind == Expr::Kind::Attribute;
  if (chain && proposed.find('.') == std::string::npos) {
    range = expr->nameRange;
  } else if (chain) {
    // Proposals are in PL's own words; the text may have another name for the module.
    std::string language = languageName(site.module());
    proposed = proposed.starts_with("pl.") ? language + proposed.substr(2) : proposed;
  }
  site.replace("change it to `" + proposed + "`", range, proposed);
}

struct Row {
  diag::Code code;
  void (*fix)(Site &);
};
constexpr Row kRows[] = {
    {diag::UndefinedName.code, similarName},   {diag::UnknownOp.code, similarName},
    {diag::WrongArguments.code, similarName},  {diag::InputWritten.code, inputWritten},
    {diag::NzOffsetAlign.code, offsetAlign},   {diag::NzOffsetSign.code, offsetSign},
    {diag::NzTargetMemory.code, targetMemory}, {diag::NzRowsAlign.code, rowsAlign},
    {diag::NzColsAlign.code, colsAlign},       {diag::NzStride.code, stride},
    {diag::NzValidShape.code, validShape},     {diag::NzGmGap.code, gmGap},
};

} // namespace

void addFixes(const syntax::Module &module, std::vector<diag::Diagnostic> &diagnostics) {
  for (diag::Diagnostic &diagnostic : diagnostics) {
    if (diagnostic.at.path != module.source->path) {
      continue;
    }
    for (const Row &row : kRows) {
      if (row.code == diagnostic.code) {
        Site site(module, diagnostic);
        row.fix(site);
      }
    }
  }
}

} // namespace placid::fixes
