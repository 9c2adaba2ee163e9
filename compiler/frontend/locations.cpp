// SPDX-License-Identifier: Apache-2.0
// Byte ranges of the module as MLIR locations (1-based lines, 1-based byte columns).
#include "compiler/dialect/pl/ir/locations.h"

#include "compiler/frontend/frame.h"

namespace placid::frontend {

using syntax::Expr;

mlir::Location KernelBuilder::loc(source::ByteRange range) const {
  // An inlined helper may come from another module.
  const syntax::Module &module = frame_ && frame_->decl.module ? *frame_->decl.module : *program_.module;
  // Helpers are built again at each call, unrolled bodies each round: the same places are asked for over and over.
  uint64_t bytes = uint64_t{range.begin} << 32 | range.end;
  auto [known, fresh] = cache_->places.try_emplace({&module, bytes});
  if (!fresh) {
    return mlir::Location(known->second);
  }
  const source::SourceText &text = *module.source;
  source::LineColumn start = text.lines.lineColumn(range.begin);
  source::LineColumn end = text.lines.lineColumn(range.end);
  mlir::StringAttr file = &module == program_.module.get() ? file_ : mlir::StringAttr::get(context_, text.path);
  mlir::Location made =
      mlir::FileLineColRange::get(file, start.line + 1, start.column + 1, end.line + 1, end.column + 1);
  known->second = made;
  return made;
}

std::optional<source::ByteRange> KernelBuilder::bindingOf(const Expr &expr) const {
  if (expr.kind != Expr::Kind::Name) {
    return std::nullopt;
  }
  if (const Variable *local = env_.find(expr.text)) {
    return local->bound;
  }
  const Binding *outer = frame_->decl.scope->find(expr.text);
  return outer ? std::optional<source::ByteRange>(outer->range) : std::nullopt;
}

mlir::Location KernelBuilder::argLocation(const Expr &expr) const {
  std::optional<source::ByteRange> binding = bindingOf(expr);
  const syntax::Module *module = frame_ && frame_->decl.module ? frame_->decl.module : program_.module.get();
  uint64_t bound = binding ? uint64_t{binding->begin} << 32 | binding->end : 0;
  auto make = [&] {
    mlir::Location range = loc(expr.range);
    return pl::makeArgLoc(syntax::spell(expr), range,
                          binding ? std::optional<mlir::Location>(loc(*binding)) : std::nullopt);
  };
  if (expr.kind == Expr::Kind::Call) {
    return make(); // it may be a changed copy that only lives for a moment
  }
  auto [known, fresh] = cache_->arguments.try_emplace({module, &expr, bound});
  if (fresh) {
    known->second = make();
  }
  return mlir::Location(known->second);
}

mlir::Attribute KernelBuilder::argLocations(llvm::ArrayRef<const Expr *> exprs) const {
  llvm::SmallVector<mlir::Attribute> out;
  for (const Expr *expr : exprs) {
    out.push_back(argLocation(*expr));
  }
  return mlir::ArrayAttr::get(context_, out);
}

mlir::Location KernelBuilder::accessLocation(source::ByteRange call, const ArgLists &lists) const {
  llvm::SmallVector<mlir::NamedAttribute> named;
  for (const auto &[name, exprs] : lists) {
    named.emplace_back(mlir::StringAttr::get(context_, name), argLocations(exprs));
  }
  return pl::makeAccessLoc(loc(call), named);
}

} // namespace placid::frontend
