// SPDX-License-Identifier: Apache-2.0
// Calls of PL operations: find the row, bind the arguments, hand over to what types it.
#include "compiler/frontend/frame.h"
#include "compiler/support/suggest.h"

namespace placid::frontend {

using syntax::Expr;

Val KernelBuilder::opCall(const Expr &expr, const std::string &path) {
  bool handled = false;
  Val special = compileTimeCall(expr, path, handled);
  if (handled) {
    return special;
  }
  const Expr &callee = *expr.children[0];
  char form = 0;
  const OpRow *row = findOp(path, form);
  if (!row) {
    reporter_.report(diag::UnknownOp, callee.range, path, support::didYouMean(path, opPaths()));
    return Val::poison();
  }
  const char *first = form == 't' ? row->tileForm : row->tensorForm ? row->tensorForm : row->tileForm;
  BoundArguments args = bindArguments(expr, first);
  if (!args.fault.empty() && form == 0 && row->tileForm && row->tileForm != first) {
    BoundArguments other = bindArguments(expr, row->tileForm);
    if (other.fault.empty()) {
      args = std::move(other);
    }
  }
  if (!args.fault.empty()) {
    for (const Expr *argument : args.inOrder) {
      expression(*argument); // names inside are still worth checking
    }
    reporter_.report(diag::WrongArguments, args.faultAt, path, args.fault);
    return Val::poison();
  }
  switch (row->handler) {
  case OpHandler::Load:
    return load(expr, args);
  case OpHandler::Store:
    return store(expr, args);
  case OpHandler::Matmul:
    return matmul(expr, args);
  case OpHandler::MatmulAcc:
    return matmulAcc(expr, args);
  case OpHandler::BatchMatmul:
  case OpHandler::BatchMatmulAcc:
    return batchMatmul(expr, args);
  case OpHandler::TransposeView:
    return transposeView(expr, args);
  case OpHandler::Reshape:
    return reshape(expr, args);
  case OpHandler::Slice:
    return slice(expr, args);
  case OpHandler::CreateTensor:
    return createTensor(expr, args);
  case OpHandler::Create:
    return form == 't' ? createTile(expr, args) : createTensor(expr, args);
  case OpHandler::CreateTile:
    return createTile(expr, args);
  case OpHandler::Min:
  case OpHandler::Max:
    return minMax(row->handler == OpHandler::Min, expr, args);
  case OpHandler::BlockIdx:
    return Val::ofScalar(pl::BlockIdxOp::create(builder_, loc(expr.range)), pl::DType::Index);
  case OpHandler::BlockNum:
    return Val::ofScalar(pl::BlockNumOp::create(builder_, loc(expr.range)), pl::DType::Index);
  case OpHandler::SubblockIdx:
    return Val::ofScalar(pl::SubblockIdxOp::create(builder_, loc(expr.range)), pl::DType::Index);
  case OpHandler::Cast:
    return cast(expr, args, *row, path);
  case OpHandler::Read: {
    const Expr &baseExpr = args.get("tensor") ? *args.get("tensor") : *args.get("tile");
    Val base = expression(baseExpr);
    const Expr &list = *args.get("indices");
    std::optional<std::vector<Entry>> indices;
    if (list.kind == Expr::Kind::List || list.kind == Expr::Kind::Tuple) {
      indices = entries(list, "indices");
    } else {
      indices = std::vector<Entry>{{expression(list), &list}};
      if ((*indices)[0].value.isPoison()) {
        indices.reset();
      }
    }
    if (base.isPoison() || !indices) {
      return Val::poison();
    }
    if (!base.isTensor() && !base.isTile()) {
      return typeMismatch(baseExpr.range, "`pl.read`", "reads a tensor or a tile, got " + describe(base));
    }
    return read(expr, base, *indices);
  }
  case OpHandler::Dim:
    return dim(expr, args);
  case OpHandler::Assemble:
    return assemble(expr, args);
  case OpHandler::View:
  case OpHandler::ReinterpretView:
    return viewOf(expr, path, args);
  case OpHandler::Move:
    return move(expr, args);
  case OpHandler::NoDep:
    return expression(*args.get("tensor"));
  case OpHandler::Ignore:
    return Val::poison();
  case OpHandler::Unmodelled:
  case OpHandler::LikeFirst:
  case OpHandler::Hint:
    return unmodelled(expr, path, *row, args);
  }
  return Val::poison();
}

namespace {

void flatten(const Val &value, std::vector<Val> &out, bool &poison) {
  poison |= value.isPoison();
  if (value.kind == Val::Kind::Tuple) {
    for (const Val &item : value.items) {
      flatten(item, out, poison);
    }
  } else if (value.isRuntime()) {
    out.push_back(value);
  }
}

} // namespace

Val KernelBuilder::unmodelled(const Expr &expr, const std::string &path, const OpRow &row, const BoundArguments &args) {
  std::vector<Val> operands;
  std::vector<const Expr *> exprs;
  bool poison = false;
  for (const Expr *argument : args.inOrder) {
    size_t before = operands.size();
    flatten(expression(*argument), operands, poison);
    exprs.resize(exprs.size() + operands.size() - before, argument);
  }
  llvm::SmallVector<mlir::Value> values;
  bool nz = false;
  for (const Val &operand : operands) {
    values.push_back(operand.ir);
    nz |= operand.isTensor() && operand.tensorType().isNz();
  }
  llvm::SmallVector<mlir::Type> types;
  if (row.handler == OpHandler::LikeFirst && !poison && !operands.empty() && operands[0].isTile()) {
    bool alike = llvm::all_of(operands, [&](const Val &operand) {
      return operand.isScalar() || operand.ir.getType() == operands[0].ir.getType();
    });
    if (alike) {
      types.push_back(operands[0].tileType().withMem(pl::Mem::Vec));
    }
  }
  // An NZ operand is refused by the NZ pass, with a better reason than "not supported yet"; an operation whose result
  // is known is understood, even where it cannot be lowered yet.
  if (!nz && !poison && types.empty() && row.handler != OpHandler::Hint) {
    notSupported(expr.range, "`" + path + "`");
  }
  auto op = pl::OpaqueOp::create(builder_, accessLocation(expr.range, {{pl::kOperandsArg, exprs}}), types,
                                 builder_.getStringAttr(path), values);
  if (!types.empty()) {
    return Val::ofTile(op->getResult(0));
  }
  Val handle;
  handle.kind = row.handler == OpHandler::Hint ? Val::Kind::Task : Val::Kind::Poison;
  return handle;
}

} // namespace placid::frontend
