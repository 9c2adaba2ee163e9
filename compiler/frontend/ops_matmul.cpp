// SPDX-License-Identifier: Apache-2.0
// Matrix products at tensor and at tile level.
#include "compiler/frontend/op_call.h"

namespace placid::frontend {

using syntax::Expr;

namespace {

pl::DType accumulatorDtype(pl::DType operand) { return pl::isFloat(operand) ? pl::DType::F32 : pl::DType::I32; }

/// What an accumulator can be stored as: floats rounded to 16 bits, integers as they are.
bool comesOutAs(pl::DType accumulated, pl::DType dtype) {
  return dtype == accumulated ||
         (accumulated == pl::DType::F32 && (dtype == pl::DType::F16 || dtype == pl::DType::BF16));
}

/// Which axes of a matmul operand are rows and columns after an optional transpose.
struct Plane {
  mlir::Attribute rows, cols;
};
Plane planeOf(pl::TensorType type, bool transposed) {
  mlir::Attribute rows = type.getDims()[type.getRank() - 2];
  mlir::Attribute cols = type.getDims()[type.getRank() - 1];
  return transposed ? Plane{cols, rows} : Plane{rows, cols};
}

bool differ(mlir::Attribute a, mlir::Attribute b) {
  return mlir::isa<mlir::IntegerAttr>(a) && mlir::isa<mlir::IntegerAttr>(b) && a != b;
}

bool isOne(mlir::Attribute extent) {
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(extent);
  return number && number.getInt() == 1;
}

} // namespace

Val KernelBuilder::matmul(const Expr &call, OpCall &args) {
  Val lhs = args.value("lhs");
  Val rhs = args.value("rhs");
  if (lhs.isPoison() || rhs.isPoison()) {
    return Val::poison();
  }
  if (lhs.isTile() && rhs.isTile()) {
    return tileMatmul(call, Val::poison(), lhs, rhs, args);
  }
  return tensorMatmul(call, Val::poison(), lhs, rhs, args);
}

Val KernelBuilder::matmulAcc(const Expr &call, OpCall &args) {
  Val acc = args.value("acc");
  Val lhs = args.value("lhs");
  Val rhs = args.value("rhs");
  if (acc.isPoison() || lhs.isPoison() || rhs.isPoison()) {
    return Val::poison();
  }
  if (acc.isTile() && lhs.isTile() && rhs.isTile()) {
    return tileMatmul(call, acc, lhs, rhs, args);
  }
  return tensorMatmul(call, acc, lhs, rhs, args);
}

Val KernelBuilder::tileMatmul(const Expr &call, Val acc, Val lhs, Val rhs, OpCall &args) {
  const char *what = acc.isTile() ? "`pl.matmul_acc`" : "`pl.matmul`";
  for (const char *keyword : {"a_trans", "b_trans", "c_matrix_nz"}) {
    if (args.get(keyword)) {
      reporter_.report(diag::WrongArguments, args.get(keyword)->range, acc.isTile() ? "pl.matmul_acc" : "pl.matmul",
                       "has no `" + std::string(keyword) + "` when its operands are tiles");
      return Val::poison();
    }
  }
  pl::TileType a = lhs.tileType();
  pl::TileType b = rhs.tileType();
  if (a.getRank() != 2 || b.getRank() != 2) {
    const Expr &at = a.getRank() != 2 ? *args.get("lhs") : *args.get("rhs");
    reporter_.report(diag::Rank, at.range, what,
                     "requires lhs/rhs to be 2D, got " + describe(lhs) + " and " + describe(rhs) +
                         ": reshape the tile to its rows and columns");
    return Val::poison();
  }
  if (a.getDtype() != b.getDtype()) {
    return typeMismatch(call.range, what,
                        "takes operands of one dtype, got " + describe(lhs) + " and " + describe(rhs));
  }
  if (a.getShape()[1] != b.getShape()[0]) {
    return shapeMismatch(call.range, what,
                         "the columns of lhs are the rows of rhs, got " + describe(lhs) + " and " + describe(rhs));
  }
  // The matrix unit decides what it accumulates in, so `out_dtype` can only say what is so.
  if (const Expr *asked = args.get("out_dtype"); asked && asked->kind != Expr::Kind::None) {
    if (args.path == "pl.tile.matmul") {
      reporter_.report(diag::WrongArguments, asked->range, args.path, "has no `out_dtype`");
      return Val::poison();
    }
    std::optional<pl::DType> dtype = dtypeArgument(args, "out_dtype");
    if (!dtype) {
      return Val::poison();
    }
    if (*dtype != accumulatorDtype(a.getDtype())) {
      return typeMismatch(asked->range, what,
                          "the product of two " + pl::plName(a.getDtype()).str() + " tiles is " +
                              pl::plName(accumulatorDtype(a.getDtype())).str() + ", `out_dtype` says " +
                              pl::plName(*dtype).str() + ": convert the result with `pl.cast`");
    }
  }
  llvm::SmallVector<int64_t> shape{a.getShape()[0], b.getShape()[1]};
  llvm::SmallVector<int64_t> valid{a.getValidOrShape()[0], b.getValidOrShape()[1]};
  auto type = pl::TileType::get(context_, shape, accumulatorDtype(a.getDtype()), pl::Mem::Acc,
                                valid == shape ? llvm::ArrayRef<int64_t>{} : llvm::ArrayRef<int64_t>(valid), false);
  mlir::Location at = accessLocation(call.range, {{pl::kOperandsArg, {args.get("lhs"), args.get("rhs")}}});
  if (!acc.isTile()) {
    return Val::ofTile(pl::TileMatmulOp::create(builder_, at, type, lhs.ir, rhs.ir));
  }
  if (acc.tileType().getShape() != type.getShape() || acc.tileType().getDtype() != type.getDtype()) {
    return shapeMismatch(args.get("acc")->range, what,
                         "the accumulator is " + describe(acc) + ", the product is " + frontend::show(type));
  }
  return Val::ofTile(pl::TileMatmulAccOp::create(builder_, at, acc.ir.getType(), acc.ir, lhs.ir, rhs.ir));
}

Val KernelBuilder::batchMatmul(const Expr &call, OpCall &args) {
  Val acc = args.get("acc") ? args.value("acc") : Val::poison();
  Val lhs = args.value("lhs");
  Val rhs = args.value("rhs");
  const char *what = args.get("acc") ? "`pl.tile.batch_matmul_acc`" : "`pl.batch_matmul`";
  if (lhs.isPoison() || rhs.isPoison() || (args.get("acc") && acc.isPoison())) {
    return Val::poison();
  }
  if (!lhs.isTile() || !rhs.isTile()) {
    return typeMismatch(call.range, what, "takes tiles, got " + describe(lhs) + " and " + describe(rhs));
  }
  pl::TileType a = lhs.tileType();
  pl::TileType b = rhs.tileType();
  size_t rank = a.getRank();
  if (rank < 2 || rank != b.getRank()) {
    reporter_.report(diag::Rank, call.range, what,
                     "takes two tiles of one rank, 2 or more, got " + describe(lhs) + " and " + describe(rhs));
    return Val::poison();
  }
  if (a.getDtype() != b.getDtype()) {
    return typeMismatch(call.range, what,
                        "takes operands of one dtype, got " + describe(lhs) + " and " + describe(rhs));
  }
  bool batches = a.getShape().drop_back(2) == b.getShape().drop_back(2);
  if (!batches || a.getShape()[rank - 1] != b.getShape()[rank - 2]) {
    return shapeMismatch(call.range, what, "the operands do not fit, got " + describe(lhs) + " and " + describe(rhs));
  }
  llvm::SmallVector<int64_t> shape(a.getShape());
  shape[rank - 1] = b.getShape()[rank - 1];
  auto type = pl::TileType::get(context_, shape, accumulatorDtype(a.getDtype()), pl::Mem::Acc);
  mlir::Location at = accessLocation(call.range, {{pl::kOperandsArg, {args.get("lhs"), args.get("rhs")}}});
  if (!args.get("acc")) {
    return Val::ofTile(pl::TileBatchMatmulOp::create(builder_, at, type, lhs.ir, rhs.ir));
  }
  bool fits = acc.isTile() && acc.tileType().getShape() == type.getShape();
  if (!fits || acc.tileType().getDtype() != type.getDtype()) {
    return shapeMismatch(args.get("acc")->range, what,
                         "the accumulator is " + describe(acc) + ", the product is " + frontend::show(type));
  }
  return Val::ofTile(pl::TileBatchMatmulAccOp::create(builder_, at, acc.ir.getType(), acc.ir, lhs.ir, rhs.ir));
}

Val KernelBuilder::tensorMatmul(const Expr &call, Val acc, Val lhs, Val rhs, OpCall &args) {
  bool accumulate = acc.kind != Val::Kind::Poison;
  const char *what = accumulate ? "`pl.matmul_acc`" : "`pl.matmul`";
  bool tensors = lhs.isTensor() && rhs.isTensor() && (!accumulate || acc.isTensor());
  if (!tensors) {
    return typeMismatch(call.range, what,
                        "takes tensors or tiles, not both, got " + describe(lhs) + " and " + describe(rhs));
  }
  pl::TensorType a = lhs.tensorType();
  pl::TensorType b = rhs.tensorType();
  if (a.getRank() < 2 || b.getRank() < 2) {
    reporter_.report(diag::Rank, call.range, what,
                     "requires operands of rank 2 or more, got " + describe(lhs) + " and " + describe(rhs));
    return Val::poison();
  }
  if (a.getDtype() != b.getDtype()) {
    return typeMismatch(call.range, what,
                        "takes operands of one dtype, got " + describe(lhs) + " and " + describe(rhs));
  }
  bool aTrans = flag(args, "a_trans");
  bool bTrans = flag(args, "b_trans");
  Plane left = planeOf(a, aTrans);
  Plane right = planeOf(b, bTrans);
  if (differ(left.cols, right.rows)) {
    return shapeMismatch(call.range, what,
                         "the contracted axes have extents " + frontend::showExtents({left.cols}) + " and " +
                             frontend::showExtents({right.rows}) + ", got " + describe(lhs) + " and " + describe(rhs));
  }
  llvm::SmallVector<mlir::Attribute> dims;
  unsigned batches = std::max(a.getRank(), b.getRank()) - 2;
  for (unsigned i = 0; i < batches; ++i) {
    // Leading axes broadcast from the right, as in numpy.
    auto axis = [&](pl::TensorType type) {
      unsigned own = type.getRank() - 2;
      return i + own < batches ? pl::extentAttr(context_, int64_t{1}) : type.getDims()[i + own - batches];
    };
    mlir::Attribute x = axis(a);
    mlir::Attribute y = axis(b);
    if (differ(x, y) && !isOne(x) && !isOne(y)) {
      return shapeMismatch(call.range, what,
                           "the batch axes do not broadcast, got " + describe(lhs) + " and " + describe(rhs));
    }
    dims.push_back(isOne(x) ? y : x);
  }
  dims.push_back(left.rows);
  dims.push_back(right.cols);
  mlir::Location at = accessLocation(call.range, {{pl::kOperandsArg, {args.get("lhs"), args.get("rhs")}}});
  Val out;
  if (accumulate) {
    pl::TensorType type = acc.tensorType();
    if (type.getDtype() != accumulatorDtype(a.getDtype())) {
      return typeMismatch(args.get("acc")->range, what,
                          "products of " + pl::plName(a.getDtype()).str() + " are accumulated in " +
                              pl::plName(accumulatorDtype(a.getDtype())).str() + ", the accumulator is " +
                              describe(acc));
    }
    bool differs = type.getRank() != dims.size();
    for (auto [own, made] : llvm::zip(type.getDims(), dims)) {
      differs |= differ(own, made);
    }
    if (differs) {
      return shapeMismatch(args.get("acc")->range, what,
                           "the accumulator is " + describe(acc) + ", the product has shape " +
                               frontend::showExtents(dims));
    }
    out = Val::ofTensor(pl::TensorMatmulAccOp::create(builder_, at, type, acc.ir, lhs.ir, rhs.ir, aTrans, bTrans));
  } else {
    std::optional<pl::DType> named = dtypeArgument(args, "out_dtype");
    const Expr *asked = args.get("out_dtype");
    if (asked && asked->kind != Expr::Kind::None && !named) {
      return Val::poison();
    }
    pl::DType dtype = named.value_or(a.getDtype());
    if (!comesOutAs(accumulatorDtype(a.getDtype()), dtype)) {
      const std::string accumulated = pl::plName(accumulatorDtype(a.getDtype())).str();
      return typeMismatch(named ? asked->range : call.range, what,
                          "products of " + pl::plName(a.getDtype()).str() + " are accumulated in " + accumulated +
                              " and cannot come out as " + pl::plName(dtype).str() +
                              (named ? "" : ", the dtype of the operands, without `out_dtype`") +
                              ": ask for `out_dtype=pl." + accumulated + "` and convert with `pl.cast`");
    }
    auto type = pl::TensorType::get(context_, dims, dtype);
    out = Val::ofTensor(pl::TensorMatmulOp::create(builder_, at, type, lhs.ir, rhs.ir, aTrans, bTrans));
  }
  out.ragged = lhs.ragged || rhs.ragged || acc.ragged;
  return out;
}

} // namespace placid::frontend
