// SPDX-License-Identifier: Apache-2.0
// Calls of PL operations: find the row, choose the form, bind the arguments, hand over to the handler of the rule.
// Rules without a handler of their own go the generic way: read the arguments, type the result, emit `pl.op`.
#include "compiler/frontend/op_call.h"
#include "compiler/support/suggest.h"

namespace placid::frontend {

using ops::FormKind;
using ops::Rule;
using syntax::Expr;

namespace {

/// The argument that chooses the form of an operation on tensors or tiles.
const Expr *firstArgument(const Expr &call, const ops::OpRow &row) {
  if (call.children.size() > 1) {
    return call.children[1];
  }
  for (const ops::Form *form : {row.tensor, row.tile}) {
    for (const syntax::Keyword &keyword : call.keywords) {
      if (form && !form->parameters.empty() && keyword.name == form->parameters[0].name) {
        return keyword.value;
      }
    }
  }
  return nullptr;
}

/// The scalar operator that an operation on two numbers is.
std::string_view scalarOperator(std::string_view name) {
  return name == "add" ? "+" : name == "sub" ? "-" : name == "mul" ? "*" : name == "div" ? "/" : "";
}

} // namespace

void KernelBuilder::chooseForm(OpCall &op, std::optional<FormKind> fixed) {
  const Expr *argument = firstArgument(op.expr, op.row);
  bool shaped = op.row.tensor && op.row.tile && op.row.hasNamespaces();
  if (fixed) {
    op.kind = *fixed;
    return;
  }
  if (!argument) {
    op.kind = op.row.tensor ? FormKind::Tensor : FormKind::Tile;
    return;
  }
  op.firstExpr = argument;
  op.first = expression(*argument);
  op.kind = shaped && op.first.isTile() ? FormKind::Tile : FormKind::Tensor;
}

Val KernelBuilder::opCall(const Expr &expr, const std::string &path) {
  const Expr &callee = *expr.children[0];
  ops::OpMatch match = ops::findOp(path);
  if (!match.row) {
    reporter_.report(diag::UnknownOp, callee.range, path, support::didYouMean(path, ops::opPaths()));
    return Val::poison();
  }
  OpCall op(*this, expr, path, *match.row);
  chooseForm(op, match.kind);
  if (path == "pld.remote_store" && expr.children.size() > 1) {
    // One short name for two operations: what is stored decides.
    op.firstExpr = expr.children[1];
    op.first = expression(*op.firstExpr);
    if (op.first.isTile()) {
      OpCall tile(*this, expr, path, *ops::findOp("pld.tile.remote_store").row);
      tile.firstExpr = op.firstExpr;
      tile.first = op.first;
      return boundCall(tile);
    }
  }
  return boundCall(op);
}

Val KernelBuilder::boundCall(OpCall &op) {
  // `scatter_update(input, index, src)` leaves `dim` to its end or out.
  bool rows = op.form().rule == Rule::ScatterUpdate && op.expr.children.size() == 4;
  static_cast<BoundArguments &>(op) =
      rows ? bindArguments(op.expr, "input, index, src, dim?") : bindArguments(op.expr, op.form());
  if (op.fault.empty()) {
    return typedCall(op);
  }
  for (const Expr *argument : op.inOrder) {
    if (argument != op.firstExpr) {
      expression(*argument); // names inside are still worth checking
    }
  }
  if (op.firstExpr && op.first.isPoison()) {
    return Val::poison(); // whether it is a tensor or a tile is not known, and so not which form fits
  }
  std::string words = op.fault;
  const ops::Form *other = op.kind == FormKind::Tile ? op.row.tensor : op.row.tile;
  if (other && words.starts_with("has no parameter")) {
    for (const syntax::Keyword &keyword : op.expr.keywords) {
      if (keyword.nameRange == op.faultAt && other->find(keyword.name)) {
        words = "has no `" + std::string(keyword.name) + "` when its operands are " +
                (op.kind == FormKind::Tile ? "tiles" : "tensors");
      }
    }
  }
  reporter_.report(diag::WrongArguments, op.faultAt, op.path, words);
  return Val::poison();
}

Val KernelBuilder::typedCall(OpCall &op) {
  const Expr &expr = op.expr;
  bool tile = op.kind == FormKind::Tile;
  switch (op.form().rule) {
  case Rule::Load:
    return load(expr, op);
  case Rule::Store:
    return store(expr, op);
  case Rule::Matmul:
    return matmul(expr, op);
  case Rule::MatmulAcc:
    if (!op.get("init_cond") || op.get("init_cond")->kind == Expr::Kind::None) {
      return matmulAcc(expr, op);
    }
    break;
  case Rule::BatchMatmul:
    return batchMatmul(expr, op);
  case Rule::TransposeView:
    return transposeView(expr, op);
  case Rule::Reshape:
    return reshape(expr, op);
  case Rule::Slice:
    if (!tile) {
      return slice(expr, op);
    }
    break;
  case Rule::CreateTensor:
    return createTensor(expr, op);
  case Rule::CreateTile:
    return createTile(expr, op);
  case Rule::ScalarMinMax:
    return minMax(op.row.name == "min", expr, op);
  case Rule::BlockIdx:
    return Val::ofScalar(pl::BlockIdxOp::create(builder_, loc(expr.range)), pl::DType::Index);
  case Rule::BlockNum:
    return Val::ofScalar(pl::BlockNumOp::create(builder_, loc(expr.range)), pl::DType::Index);
  case Rule::SubblockIdx:
    return Val::ofScalar(pl::SubblockIdxOp::create(builder_, loc(expr.range)), pl::DType::Index);
  case Rule::Cast:
    if (op.firstExpr && (op.first.isConst() || op.first.isScalar())) {
      return cast(expr, op);
    }
    break;
  case Rule::Read:
    return readElement(expr, op);
  case Rule::Dim:
    return dim(expr, op);
  case Rule::Assemble:
    if (!tile) {
      return assemble(expr, op);
    }
    break;
  case Rule::View:
  case Rule::ReinterpretView:
    if (std::optional<Val> refused = refusedView(expr, op)) {
      return *refused;
    }
    break;
  case Rule::Move:
    if (!op.get("blayout") && !op.get("slayout")) {
      return move(expr, op);
    }
    break;
  case Rule::NoDep:
    return op.value("tensor");
  case Rule::Ignore:
    op.value("tensor");
    return Val::poison();
  default:
    break;
  }
  return genericCall(op);
}

Val KernelBuilder::genericCall(OpCall &op) {
  // Two numbers make a number.
  std::string_view scalar = scalarOperator(op.row.name);
  if (!scalar.empty() && op.firstExpr && (op.first.isScalar() || op.first.isConst())) {
    Val right = op.value("rhs");
    if (!right.isTensor() && !right.isTile()) {
      return arithmetic(scalar, op.first, std::move(right), op.expr.range);
    }
    reporter_.report(diag::WrongOperand, op.firstExpr->range, "lhs", op.path, "a tensor or a tile",
                     describe(op.first) + ": the number comes second");
    return Val::poison();
  }
  if (op.firstExpr && op.first.isPoison() && op.row.tile && op.row.tensor) {
    // Whether it is a tensor or a tile is not known, and so not what the others have to be.
    for (const Expr *argument : op.inOrder) {
      if (argument != op.firstExpr) {
        checkNames(argument);
      }
    }
    return Val::poison();
  }
  if (op.firstExpr && !op.first.isPoison() && !op.first.isTensor() && !op.first.isTile() && op.row.tile &&
      op.row.tensor) {
    for (const Expr *argument : op.inOrder) {
      if (argument != op.firstExpr) {
        checkNames(argument);
      }
    }
    reporter_.report(diag::WrongOperand, op.firstExpr->range, std::string(op.form().parameters[0].name), op.path,
                     "a tensor or a tile", describe(op.first));
    return Val::poison();
  }
  if (!op.readArguments()) {
    return op.afterFault();
  }
  std::optional<OpResults> results = op.results();
  return results ? op.emit(*results) : op.afterFault();
}

} // namespace placid::frontend
