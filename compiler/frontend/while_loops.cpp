// SPDX-License-Identifier: Apache-2.0
// Loops that run while a condition holds, and what may not leave a loop. Apart from loops.cpp because scf.while asks
// its condition before every round, in a region of its own.
#include "compiler/frontend/frame.h"
#include "compiler/frontend/loop_parts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace placid::frontend {

using syntax::Expr;
using syntax::Stmt;

void KernelBuilder::loopControl(const Stmt &stmt) {
  std::string word = stmt.kind == Stmt::Kind::Break ? "`break`" : "`continue`";
  if (nesting_.loops.empty()) {
    reporter_.report(diag::LoopControl, stmt.range, word + " stands in no loop");
    return;
  }
  std::string loop(nesting_.loops.back());
  bool ordered = loop == "pl.range" || loop == "while" || loop == "pl.while_" || loop == "pl.pipeline";
  diag::Diagnostic &d = reporter_.report(diag::LoopControl, stmt.range,
                                         ordered ? word + " cannot leave a loop of a kernel: no code is made of it"
                                                 : word + " cannot leave a loop over `" + loop +
                                                       "`: its rounds do not run one after the other");
  d.fixes.push_back({stmt.kind == Stmt::Kind::Break
                         ? "compute the bound before the loop, or run the rest of the body under an `if`"
                         : "run the rest of the body under an `if`",
                     {}});
}

void KernelBuilder::whileStatement(const Stmt &stmt) {
  if (!stmt.orelse.empty()) {
    reporter_.report(diag::NotAllowedInKernel, stmt.orelse.front()->range, "`else` of a loop")
        .fixes.push_back({"write its statements after the loop: no loop of a kernel ends early", {}});
  }
  nesting_.loops.push_back("while");
  whileLoop(*stmt.value, cache_->roundOf(stmt), {}, stmt.value->range);
  nesting_.loops.pop_back();
}

void KernelBuilder::whileFor(const Stmt &stmt, const Expr &iterator) {
  const Expr &target = *stmt.targets[0];
  bool tuple = target.kind == Expr::Kind::Tuple || target.kind == Expr::Kind::List;
  const Stmt *first = stmt.body.empty() ? nullptr : stmt.body.front();
  bool asks = first && first->kind == Stmt::Kind::Expr && pathOf(first->value) == "pl.cond" &&
              first->value->children.size() == 2 && first->value->keywords.empty();
  if (iterator.children.size() != 1) {
    reporter_.report(diag::WrongArguments, iterator.range, "pl.while_",
                     "takes `init_values` alone: its condition is `pl.cond(…)`, the first statement of the body");
  }
  for (const syntax::Keyword &keyword : iterator.keywords) {
    if (keyword.name != "init_values") {
      reporter_.report(diag::WrongArguments, keyword.nameRange, "pl.while_",
                       "has no parameter `" + std::string(keyword.name) + "`");
    }
  }
  if (!asks) {
    reporter_.report(diag::LoopControl, first ? first->range : iterator.range,
                     "a loop over `pl.while_` begins with its condition: `pl.cond(expression)`");
    unknownBody(stmt);
    return;
  }
  std::vector<std::string> forced = bindInitValues(iterator, target, tuple ? &target : nullptr);
  if (forced.empty()) {
    if (!tuple && target.kind != Expr::Kind::Error) {
      reporter_.report(diag::NotAllowedInKernel, target.range, "this loop target")
          .fixes.push_back({"write `for (a, b) in pl.while_(init_values=(x, y))`, one name a value", {}});
    }
    unknownBody(stmt);
    return;
  }
  nesting_.loops.push_back("pl.while_");
  whileLoop(*first->value->children[1], stmt.body, forced, iterator.range);
  nesting_.loops.pop_back();
}

void KernelBuilder::whileLoop(const Expr &condition, const std::vector<const Stmt *> &body,
                              const std::vector<std::string> &forced, source::ByteRange range) {
  std::vector<Carried> carried = carriedNames(body, "", forced, &condition);
  mlir::Location at = loc(range);
  llvm::SmallVector<mlir::Value> init;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Location> places;
  std::vector<std::string> names;
  for (const Carried &entry : carried) {
    init.push_back(entry.before.ir);
    types.push_back(entry.before.ir.getType());
    places.push_back(mlir::NameLoc::get(builder_.getStringAttr(entry.name), loc(entry.bound)));
    names.push_back(entry.name);
  }
  auto loop = mlir::scf::WhileOp::create(builder_, at, types, init);
  nameResults(loop, names);
  Env outer = env_;
  mlir::OpBuilder::InsertionGuard guard(builder_);
  auto enter = [&](mlir::Region &region) {
    mlir::Block *made = builder_.createBlock(&region, {}, types, places);
    for (auto [i, entry] : llvm::enumerate(carried)) {
      env_[entry.name].value = entry.before;
      env_[entry.name].value.ir = made->getArgument(static_cast<unsigned>(i));
    }
    return made;
  };
  mlir::Block *before = enter(loop.getBefore());
  mlir::Value flag = toBool(expression(condition), condition);
  if (!flag) {
    flag = mlir::arith::ConstantOp::create(builder_, at, builder_.getBoolAttr(false)); // reported, or unknown
  }
  mlir::scf::ConditionOp::create(builder_, at, flag, before->getArguments());

  env_ = outer;
  mlir::Block *after = enter(loop.getAfter());
  block(body, BlockKind::Loop, 1);
  std::vector<const Stmt *> rounds(body.begin() + 1, body.end());
  LoopYield yield = loopYield(rounds, forced);
  for (auto [i, name] : llvm::enumerate(yield.names)) {
    env_[forced[i]] = env_[name->text];
  }
  llvm::SmallVector<mlir::Value> yielded;
  std::vector<bool> kept = yieldCarried(carried, after->getArguments(), forced, yielded);
  mlir::scf::YieldOp::create(builder_, at, yielded);
  Env inner = std::move(env_);
  afterLoop(carried, kept, loop.getResults(), forced, yield, assignedNames(rounds), "", std::move(inner),
            std::move(outer));
}

} // namespace placid::frontend
