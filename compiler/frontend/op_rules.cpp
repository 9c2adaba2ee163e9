// SPDX-License-Identifier: Apache-2.0
// Type rules: the dispatch, and element-wise operations, unary ones, reductions and row or column broadcasts.
// A rule speaks only where it knows: an extent that is not a number fits everything.
#include "compiler/frontend/annotation.h"
#include "compiler/frontend/op_call.h"

namespace placid::frontend {

using ops::Rule;
using pl::DType;

namespace {

bool isOneOf(DType dtype, std::initializer_list<DType> list) { return llvm::is_contained(list, dtype); }

constexpr std::initializer_list<DType> kDivDtypes{DType::I16, DType::I32, DType::F16, DType::F32};
constexpr std::initializer_list<DType> kSubsDtypes{DType::I8,  DType::I16, DType::I32,
                                                   DType::F16, DType::F32, DType::BF16};

/// Of two valid shapes for a result of shape `dims`: the first that covers it.
llvm::SmallVector<mlir::Attribute> validOf(const Shaped &lhs, const Shaped &rhs, llvm::ArrayRef<mlir::Attribute> dims) {
  if (llvm::ArrayRef<mlir::Attribute>(lhs.dims) == dims) {
    return lhs.valid;
  }
  return llvm::ArrayRef<mlir::Attribute>(rhs.dims) == dims ? rhs.valid : llvm::SmallVector<mlir::Attribute>();
}

bool isTooLong(mlir::Attribute dim) {
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(dim);
  return number && number.getInt() > kMaxExtent;
}

} // namespace

std::optional<OpResults> KernelBuilder::OpCall::results() {
  std::optional<OpResults> out = byRule();
  for (const OpResult &result : out ? *out : OpResults()) {
    bool large = false;
    if (auto tensor = mlir::dyn_cast_or_null<pl::TensorType>(result.type)) {
      large = llvm::any_of(tensor.getDims(), isTooLong);
    } else if (auto tile = mlir::dyn_cast_or_null<pl::TileType>(result.type)) {
      large = llvm::any_of(tile.getShape(), [](int64_t extent) { return extent > kMaxExtent; });
    }
    if (large) {
      return shapeFault(form().parameters[0].name, "the result has an axis of more than 2^40 elements");
    }
  }
  return out;
}

std::nullopt_t KernelBuilder::OpCall::unhandled() {
  builder.reporter_.report(diag::InternalError, expr.range, "no type rule takes `" + path + "`");
  return std::nullopt;
}

bool KernelBuilder::OpCall::inVectorMemory() {
  for (const Argument &argument : arguments) {
    if (!argument.value.isTile()) {
      continue;
    }
    const pl::Mem mem = argument.value.tileType().getMem();
    if (mem == pl::Mem::Mat || mem == pl::Mem::Left || mem == pl::Mem::Right || mem == pl::Mem::Bias) {
      typeFault(argument.parameter->name, "computes in Vec, got " + describe(argument.parameter->name) +
                                              ": load what it takes with `target_memory=pl.Mem.Vec`");
      return false;
    }
  }
  return true;
}

std::optional<OpResults> KernelBuilder::OpCall::byRule() {
  const bool vector = row.category >= ops::Category::Elementwise && row.category <= ops::Category::Expand;
  if (vector && !inVectorMemory()) {
    return std::nullopt;
  }
  switch (row.category) {
  case ops::Category::Elementwise:
  case ops::Category::ScalarOperand:
  case ops::Category::Bitwise:
    return elementwise();
  case ops::Category::Unary:
    return unary();
  case ops::Category::Reduction:
  case ops::Category::Expand:
    return reductionOrExpand();
  case ops::Category::Creation:
  case ops::Category::Random:
    return creation();
  case ops::Category::Access:
  case ops::Category::View:
  case ops::Category::Split:
    return view();
  case ops::Category::Matmul:
    return matrix();
  case ops::Category::Gather:
    return form().rule == Rule::Gather ? gatherForms() : gatherOrSort();
  case ops::Category::Sort:
    return gatherOrSort();
  case ops::Category::Distributed:
    return distributed();
  case ops::Category::Block:
  case ops::Category::Hint:
  case ops::Category::System:
  case ops::Category::Array:
  case ops::Category::Prefetch:
    return system();
  }
  return std::nullopt;
}

std::optional<llvm::SmallVector<mlir::Attribute>> KernelBuilder::OpCall::broadcast(std::string_view lhs,
                                                                                   std::string_view rhs) {
  Shaped a = shaped(lhs);
  Shaped b = shaped(rhs);
  size_t rank = std::max(a.rank(), b.rank());
  llvm::SmallVector<mlir::Attribute> out;
  for (size_t i = 0; i < rank; ++i) {
    auto axis = [&](const Shaped &side) {
      return i + side.rank() < rank ? pl::extentAttr(context(), int64_t{1}) : side.dims[i + side.rank() - rank];
    };
    mlir::Attribute x = axis(a);
    mlir::Attribute y = axis(b);
    if (extentsDiffer(x, y) && !isExtent(x, 1) && !isExtent(y, 1)) {
      shapeFault(rhs, "the shapes do not broadcast on axis " + std::to_string(i) + " (" + showExtents({x}) + " and " +
                          showExtents({y}) + ")");
      return std::nullopt;
    }
    // A number that is not 1 decides; else what is written.
    bool right =
        isExtent(x, 1) || (!mlir::isa<mlir::IntegerAttr>(x) && !isExtent(y, 1) && mlir::isa<mlir::IntegerAttr>(y));
    out.push_back(right ? y : x);
  }
  return out;
}

bool KernelBuilder::OpCall::checkScratch(std::string_view scratch, std::string_view operand, bool sameDtype) {
  if (!find(scratch)) {
    return true;
  }
  Shaped tmp = shaped(scratch);
  Shaped main = shaped(operand);
  if (sameDtype && tmp.dtype != main.dtype) {
    typeFault(scratch, "the scratch tile `" + std::string(scratch) + "` has the dtype of `" + std::string(operand) +
                           "`, got " + describe(scratch) + " and " + describe(operand));
    return false;
  }
  return true;
}

bool KernelBuilder::OpCall::scratchHolds(std::string_view scratch, std::string_view operand, bool exactly) {
  if (!find(scratch)) {
    return true;
  }
  Shaped tmp = shaped(scratch);
  Shaped main = shaped(operand);
  bool fits = tmp.rank() == main.rank();
  for (size_t axis = 0; fits && axis < tmp.rank(); ++axis) {
    fits = exactly ? *tmp.extent(axis) == *main.extent(axis) : *tmp.extent(axis) >= *main.extent(axis);
  }
  if (!fits) {
    shapeFault(scratch, "the scratch tile `" + std::string(scratch) + "` has " +
                            (exactly ? "the shape" : "at least the extents") + " of `" + std::string(operand) +
                            "`, or the result is wrong");
  }
  return fits;
}

std::optional<OpResults> KernelBuilder::OpCall::selection() {
  const bool tiles = form().rule == Rule::Select;
  Shaped mask = shaped("mask");
  if (pl::isFloat(mask.dtype) || pl::bitWidth(mask.dtype) < 8) {
    return dtypeFault("mask", "is a packed predicate of an integer dtype");
  }
  Shaped out = shaped(tiles ? "lhs" : "src");
  if (tiles) {
    auto dims = broadcast("lhs", "rhs");
    if (!dims) {
      return std::nullopt;
    }
    out.valid = validOf(out, shaped("rhs"), *dims);
    out.dims = *dims;
    out.dtype = promote(out.dtype, shaped("rhs").dtype);
  }
  out.mem = resultMem();
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::ternary() {
  Shaped out = shaped(form().parameters[0].name);
  for (std::string_view other : {form().parameters[1].name, std::string_view("rhs2")}) {
    if (!hasShape(other)) {
      continue;
    }
    Shaped next = shaped(other);
    if (next.dtype != out.dtype) {
      return typeFault(other, "takes tiles of one dtype: " + operandsText());
    }
    if (next.dims != out.dims) {
      return shapeFault(other, "the tiles have one shape");
    }
  }
  out.mem = resultMem();
  return one(out);
}

/// Two operands of elements.
std::optional<Shaped> KernelBuilder::OpCall::ofTwo(std::string_view leftName, std::string_view rightName) {
  const bool tile = kind == ops::FormKind::Tile;
  const bool integers = row.category == ops::Category::Bitwise;
  Shaped lhs = shaped(leftName);
  Shaped rhs = shaped(rightName);
  if (form().rule == Rule::DivTile || (row.name == "div" && !tile)) {
    for (std::string_view side : {leftName, rightName}) {
      if (!isOneOf(shaped(side).dtype, kDivDtypes)) {
        return dtypeFault(side, "is of INT16, INT32, FP16 or FP32");
      }
    }
  }
  if (form().rule == Rule::DivTile) {
    if (rhs.dtype != lhs.dtype) {
      return typeFault(rightName, "takes tiles of one dtype: " + operandsText());
    }
    if (rhs.dims != lhs.dims) {
      return shapeFault(rightName, "the tiles have one shape");
    }
  }
  if (integers && !tile) {
    bool same = rhs.rank() == lhs.rank();
    for (size_t axis = 0; same && axis < lhs.rank(); ++axis) {
      same = !extentsDiffer(lhs.dims[axis], rhs.dims[axis]);
    }
    if (!same) {
      return shapeFault(rightName, "bitwise operations do not broadcast");
    }
  }
  auto dims = broadcast(leftName, rightName);
  if (!dims) {
    return std::nullopt;
  }
  Shaped out = lhs;
  bool partial = !row.name.starts_with("part_");
  out.valid = partial ? validOf(lhs, rhs, *dims) : llvm::SmallVector<mlir::Attribute>();
  out.dims = *dims;
  out.dtype = isShift() ? lhs.dtype : promote(lhs.dtype, rhs.dtype);
  out.ragged = lhs.ragged || rhs.ragged;
  return out;
}

/// An operand of elements and a number.
std::optional<Shaped> KernelBuilder::OpCall::withNumber(std::string_view leftName, std::string_view rightName) {
  const bool tile = kind == ops::FormKind::Tile;
  const bool integers = row.category == ops::Category::Bitwise;
  const Argument &number = *find(rightName);
  Shaped out = shaped(leftName);
  bool literal = number.value.isConst();
  DType dtype = literal ? (number.value.constant.isFloat() && !pl::isFloat(out.dtype) ? DType::F32 : out.dtype)
                        : number.value.dtype;
  if (!tile && !literal && dtype == DType::Index) {
    return typeFault(rightName, "an INDEX scalar does not mix with a tensor of " + pl::plName(out.dtype).str() +
                                    ": convert it with `pl.cast` first; " + operandsText());
  }
  bool subtracts = row.name == "sub" || row.name == "subs";
  if (subtracts && !isOneOf(out.dtype, kSubsDtypes)) {
    return dtypeFault(leftName, "is of INT8, INT16, INT32, FP16, FP32 or BF16 when a number is subtracted");
  }
  if (integers && literal && number.value.constant.isFloat()) {
    return dtypeFault(rightName, "is an integer");
  }
  if (integers && isShift() && literal && number.value.constant.integer < 0) {
    return typeFault(rightName, "a shift by " + std::to_string(number.value.constant.integer) +
                                    " has no meaning: the distance is not negative");
  }
  if (!tile && !integers && !subtracts) {
    out.dtype = promote(out.dtype, dtype);
  }
  return out;
}

bool KernelBuilder::OpCall::isShift() const {
  return row.name == "shl" || row.name == "shr" || row.name == "shls" || row.name == "shrs";
}

std::optional<OpResults> KernelBuilder::OpCall::elementwise() {
  const Rule rule = form().rule;
  if (rule == Rule::Select || rule == Rule::SelectScalar) {
    return selection();
  }
  std::string_view leftName = form().parameters.empty() ? "" : form().parameters[0].name;
  std::string_view rightName = form().parameters.size() > 1 ? form().parameters[1].name : "";
  std::optional<Shaped> out = shaped(leftName);
  bool integers = row.category == ops::Category::Bitwise;
  if (integers && !isInteger(out->dtype)) {
    return dtypeFault(leftName, "is of an integer dtype");
  }
  if (integers && hasShape(rightName) && !isInteger(shaped(rightName).dtype)) {
    return dtypeFault(rightName, "is of an integer dtype");
  }
  if (rule == Rule::Ternary) {
    return ternary();
  }
  if (rule == Rule::IntLikeFirst || rule == Rule::LikeFirst || (!hasShape(rightName) && !find(rightName))) {
    out->mem = resultMem();
    return one(*out);
  }
  out = hasShape(rightName) ? ofTwo(leftName, rightName) : withNumber(leftName, rightName);
  if (!out) {
    return std::nullopt;
  }
  if (flagOf("high_precision") && !pl::isFloat(out->dtype)) {
    return typeFault("high_precision", "`high_precision` is for floats: " + operandsText());
  }
  if (rule == Rule::PackedPredicate) {
    // One bit an element, in rows of whole 32-byte lines.
    size_t last = out->rank() - 1;
    int64_t bytes = (out->extent(last).value_or(0) + 7) / 8;
    out->valid = out->valid.empty() ? out->dims : out->valid;
    auto live = mlir::dyn_cast<mlir::IntegerAttr>(out->valid[last]);
    out->valid[last] = live ? pl::extentAttr(context(), (live.getInt() + 7) / 8) : pl::extentAttr(context(), "?");
    out->dims[last] = pl::extentAttr(context(), (bytes + 31) / 32 * 32);
    out->dtype = DType::UI8;
  }
  if (rule == Rule::Compare) {
    out->valid.clear();
  }
  out->mem = resultMem();
  return one(*out);
}

std::optional<OpResults> KernelBuilder::OpCall::unary() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  bool tile = kind == ops::FormKind::Tile;
  switch (form().rule) {
  case Rule::Cast: {
    DType target = dtypeOf("target_type").value_or(out.dtype);
    if (target == out.dtype) {
      builder.reporter_.report(diag::SameDtypeCast, rangeOf("target_type"), path, "pl." + pl::plName(target).str());
    }
    out.dtype = target;
    break;
  }
  case Rule::FloatUnary:
    out.dtype = pl::isFloat(out.dtype) ? out.dtype : DType::F32;
    break;
  case Rule::HalfOrFloat:
    if (!isOneOf(out.dtype, {DType::F16, DType::F32})) {
      return dtypeFault(name, "is of FP16 or FP32");
    }
    break;
  case Rule::Float32Only:
    if (out.dtype != DType::F32) {
      return dtypeFault(name, "is of FP32");
    }
    break;
  default:
    break;
  }
  if (tile) {
    out.mem = resultMem();
  }
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::reductionOrExpand() {
  std::string_view name = form().parameters[0].name;
  Shaped out = shaped(name);
  bool tile = kind == ops::FormKind::Tile;
  Rule rule = form().rule;
  if (row.category == ops::Category::Reduction) {
    bool column = rule == Rule::ReduceCol || rule == Rule::ArgCol;
    if (out.rank() < (column || tile ? 2U : 1U)) {
      return rankFault(name, column || tile ? "needs rows and columns" : "needs an axis");
    }
    if (row.name == "row_min" && !isOneOf(out.dtype, kDivDtypes)) {
      return dtypeFault(name, "is of INT16, INT32, FP16 or FP32");
    }
    if (!checkScratch("tmp_tile", name, true)) {
      return std::nullopt;
    }
    if (tile && !column && !scratchHolds("tmp_tile", name, /*exactly=*/rule == Rule::ArgRow)) {
      return std::nullopt;
    }
    size_t axis = column ? out.rank() - 2 : out.rank() - 1;
    out.dims[axis] = pl::extentAttr(context(), int64_t{1});
    if (!out.valid.empty()) {
      out.valid[axis] = pl::extentAttr(context(), int64_t{1});
    }
    if (rule == Rule::ArgRow || rule == Rule::ArgCol) {
      out.dtype = DType::I32;
    }
    out.mem = tile ? resultMem() : out.mem;
    return one(out);
  }

  std::string_view vectorName = form().parameters[1].name;
  Shaped vector = shaped(vectorName);
  bool rows = rule == Rule::RowExpand;
  for (std::string_view side : {name, vectorName}) {
    if (shaped(side).rank() < 2) {
      return rankFault(side, "needs rows and columns");
    }
  }
  size_t unit = rows ? vector.rank() - 1 : vector.rank() - 2;
  size_t other = rows ? vector.rank() - 2 : vector.rank() - 1;
  size_t mine = rows ? out.rank() - 2 : out.rank() - 1;
  if (vector.extent(unit) && !isExtent(vector.dims[unit], 1)) {
    return shapeFault(vectorName,
                      rows ? "`row_vec` holds one value a row, [M, 1]" : "`col_vec` holds one value a column, [1, N]");
  }
  if (extentsDiffer(vector.dims[other], out.dims[mine])) {
    return shapeFault(vectorName, rows ? "the rows of both are equal" : "the columns of both are equal");
  }
  out.dtype = promote(out.dtype, vector.dtype);
  out.mem = tile ? resultMem() : out.mem;
  out.ragged |= vector.ragged;
  return one(out);
}

} // namespace placid::frontend
