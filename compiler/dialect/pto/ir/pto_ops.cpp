// SPDX-License-Identifier: Apache-2.0
// Verifiers of the `pto` operations: what the assembler does not check and the hardware punishes with wrong bytes.
// A complaint here is a fault of the lowering, never of the user.
#include "compiler/dialect/pto/ir/pto.h"
#include "compiler/target/transfer.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

#include <string>

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/pto/ir/pto_ops.cpp.inc"

namespace placid::pto {

namespace {

std::optional<int64_t> constant(Value value) { return getConstantIntValue(value); }

std::optional<int64_t> elementBytes(Type type) {
  const int64_t bits = elementBits(type);
  return bits % 8 == 0 ? std::optional(bits / 8) : std::nullopt;
}

std::string spelling(Type type) {
  std::string out;
  llvm::raw_string_ostream(out) << type;
  return out;
}

/// The view a window is cut from; null when it is a function argument.
MakeTensorViewOp viewOf(Value partition) {
  auto window = partition.getDefiningOp<PartitionViewOp>();
  return window ? window.getSource().getDefiningOp<MakeTensorViewOp>() : nullptr;
}

bool isNz(MakeTensorViewOp view) { return view && view.getLayout() == Layout::NZ; }

LogicalResult verifyNzView(MakeTensorViewOp op) {
  if (op.getShape().size() != 5) {
    return op.emitOpError("layout = nz needs a rank-5 view, got rank ") << op.getShape().size();
  }
  std::optional<int64_t> bytes = elementBytes(op.getResult().getType().getElementType());
  if (!bytes || *bytes > 4) {
    return op.emitOpError("layout = nz needs elements of 1, 2 or 4 bytes");
  }
  const int64_t c0 = target::c0(*bytes);
  auto expect = [&](ValueRange list, StringRef what, unsigned axis, int64_t value) -> LogicalResult {
    std::optional<int64_t> got = constant(list[axis]);
    if (got && *got == value) {
      return success();
    }
    InFlightDiagnostic diagnostic = op.emitOpError("layout = nz needs ") << what << "[" << axis << "] = " << value;
    if (got) {
      diagnostic << ", got " << *got;
    }
    return diagnostic;
  };
  if (failed(expect(op.getShape(), "shape", 3, target::kFractalRows)) ||
      failed(expect(op.getShape(), "shape", 4, c0)) || failed(expect(op.getStrides(), "strides", 4, 1)) ||
      failed(expect(op.getStrides(), "strides", 3, c0)) ||
      failed(expect(op.getStrides(), "strides", 2, target::kFractalRows * c0))) {
    return failure();
  }
  for (unsigned axis : {1u, 0u}) {
    std::optional<int64_t> inner = constant(op.getShape()[axis + 1]);
    std::optional<int64_t> innerStride = constant(op.getStrides()[axis + 1]);
    std::optional<int64_t> stride = constant(op.getStrides()[axis]);
    if (stride && *stride % c0 != 0) {
      return op.emitOpError("layout = nz needs strides[") << axis << "] to be a multiple of " << c0;
    }
    if (inner && innerStride && stride && *stride < *inner * *innerStride) {
      return op.emitOpError("strides[") << axis << "] = " << *stride << " overlaps the " << *inner * *innerStride
                                        << " elements inside it";
    }
  }
  return success();
}

/// The rows and columns a window covers, seen as a 2-D tile; nullopt where they are not static.
struct Extents {
  std::optional<int64_t> rows;
  std::optional<int64_t> columns;
};

Extents windowExtents(Value partition) {
  ArrayRef<int64_t> shape = cast<PartitionTensorViewType>(partition.getType()).getShape();
  auto product = [&](ArrayRef<int64_t> dims) -> std::optional<int64_t> {
    int64_t out = 1;
    for (int64_t dim : dims) {
      if (ShapedType::isDynamic(dim)) {
        return std::nullopt;
      }
      out *= dim;
    }
    return out;
  };
  if (shape.empty()) {
    return {};
  }
  if (shape.size() == 5 && isNz(viewOf(partition))) {
    return {product({shape[2], shape[3]}), product({shape[0], shape[1], shape[4]})};
  }
  return {product(shape.drop_back()), product(shape.take_back())};
}

LogicalResult verifyTransfer(Operation *op, Value partition, TileBufType tile) {
  Extents window = windowExtents(partition);
  auto differs = [](std::optional<int64_t> extent, int64_t valid) {
    return extent && !ShapedType::isDynamic(valid) && *extent != valid;
  };
  if (differs(window.rows, tile.getValidRows()) || differs(window.columns, tile.getValidCols())) {
    auto show = [](std::optional<int64_t> extent) { return extent ? std::to_string(*extent) : std::string("?"); };
    return op->emitOpError("window of ") << show(window.rows) << " x " << show(window.columns)
                                         << " does not match the tile's valid extents " << tile.getValidRows() << " x "
                                         << tile.getValidCols();
  }
  if (isNz(viewOf(partition)) &&
      (tile.getLoc() != Loc::Acc && tile.getLoc() != Loc::Mat && tile.getLoc() != Loc::Vec)) {
    return op->emitOpError("an NZ window moves to Mat or Vec, or from Acc");
  }
  return success();
}

LogicalResult verifyMatmul(Operation *op, TileBufType lhs, TileBufType rhs, TileBufType dst) {
  if (lhs.getLoc() != Loc::Left || rhs.getLoc() != Loc::Right || dst.getLoc() != Loc::Acc) {
    return op->emitOpError("expects operands in left and right and the result in acc");
  }
  if (lhs.getCols() != rhs.getRows() || lhs.getRows() != dst.getRows() || rhs.getCols() != dst.getCols()) {
    return op->emitOpError("shapes ") << lhs.getRows() << " x " << lhs.getCols() << " and " << rhs.getRows() << " x "
                                      << rhs.getCols() << " do not multiply into " << dst.getRows() << " x "
                                      << dst.getCols();
  }
  const target::Target &target = targetOf(op);
  std::string types[] = {spelling(lhs.getDtype()), spelling(rhs.getDtype()), spelling(dst.getDtype())};
  if (!target.hasMatmul(types[0], types[1], types[2])) {
    return op->emitOpError("no matmul of ")
           << types[0] << " and " << types[1] << " into " << types[2] << " on " << target.displayName;
  }
  return success();
}

} // namespace

LogicalResult MakeTensorViewOp::verify() {
  ArrayRef<int64_t> dims = getResult().getType().getShape();
  if (getShape().size() != dims.size() || getStrides().size() != dims.size()) {
    return emitOpError("expects shape and strides of the view's rank ") << dims.size();
  }
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    std::optional<int64_t> extent = constant(getShape()[axis]);
    if (extent && *extent < 0) {
      return emitOpError("expects shape[") << axis << "] not to be negative";
    }
    if (extent && !ShapedType::isDynamic(dim) && *extent != dim) {
      return emitOpError("shape[") << axis << "] = " << *extent << " but the type says " << dim;
    }
  }
  return getLayout() == Layout::NZ ? verifyNzView(*this) : success();
}

LogicalResult PartitionViewOp::verify() {
  unsigned rank = getSource().getType().getRank();
  ArrayRef<int64_t> dims = getResult().getType().getShape();
  if (getOffsets().size() != rank || getSizes().size() != rank || dims.size() != rank) {
    return emitOpError("expects offsets, sizes and result of the source's rank ") << rank;
  }
  if (getSource().getType().getElementType() != getResult().getType().getElementType()) {
    return emitOpError("expects the source's element type");
  }
  auto view = getSource().getDefiningOp<MakeTensorViewOp>();
  for (unsigned axis = 0; axis < rank; ++axis) {
    std::optional<int64_t> offset = constant(getOffsets()[axis]);
    std::optional<int64_t> size = constant(getSizes()[axis]);
    std::optional<int64_t> extent = view ? constant(view.getShape()[axis]) : std::nullopt;
    if (offset && *offset < 0) {
      return emitOpError("expects offsets[") << axis << "] not to be negative";
    }
    if (size ? dims[axis] != *size : !ShapedType::isDynamic(dims[axis])) {
      return emitOpError("sizes[") << axis << "] does not match the result type";
    }
    if (isNz(view) && axis >= 3) {
      if (offset != 0 || !size || size != extent) {
        return emitOpError("cuts axis ") << axis << " of an NZ view: a fractal is not divided";
      }
    }
    if (extent && size && *size > *extent) {
      return emitOpError("sizes[") << axis << "] = " << *size << " exceeds the view's " << *extent;
    }
    if (extent && size && offset && *offset + *size > *extent) {
      return emitOpError("axis ") << axis << " ends at " << *offset + *size << " of " << *extent;
    }
  }
  return success();
}

LogicalResult AllocTileOp::verify() {
  TileBufType type = getResult().getType();
  if (static_cast<bool>(getValidRow()) != ShapedType::isDynamic(type.getValidRows()) ||
      static_cast<bool>(getValidCol()) != ShapedType::isDynamic(type.getValidCols())) {
    return emitOpError("expects valid_row and valid_col exactly where the type says `?`");
  }
  std::optional<int64_t> address = getAddr() ? constant(getAddr()) : std::nullopt;
  const target::Target &target = targetOf(getOperation());
  const target::Memory &memory = target.memory(spaceOf(type));
  if (!address) {
    return success();
  }
  if (*address < 0 || *address % memory.alignment != 0) {
    return emitOpError("expects an address in ")
           << memory.name << " to be a multiple of " << memory.alignment << ", got " << *address;
  }
  int64_t bits = elementBits(type.getDtype());
  int64_t bytes = target::physicalTileBytes(target, memory.space, type.getRows(), type.getCols(), bits,
                                            isa<IntegerType>(type.getDtype()));
  int64_t end = target::saturatingAdd(*address, bytes);
  if (end > memory.capacity) {
    return emitOpError("ends at byte ") << end << " of " << memory.name << ", which has " << memory.capacity;
  }
  return success();
}

LogicalResult TLoadOp::verify() {
  TileBufType tile = getDst().getType();
  if (tile.getLoc() != Loc::Vec && tile.getLoc() != Loc::Mat) {
    return emitOpError("expects a destination in vec or mat");
  }
  if (elementBytes(getSrc().getType().getElementType()) != elementBytes(tile.getDtype())) {
    return emitOpError("expects window and tile elements of one width");
  }
  return verifyTransfer(getOperation(), getSrc(), tile);
}

LogicalResult TStoreOp::verify() {
  TileBufType tile = getSrc().getType();
  Type element = getDst().getType().getElementType();
  if (tile.getLoc() == Loc::Acc) {
    const target::Target &target = targetOf(getOperation());
    if (tile.getRows() > target.storeMaxRows || tile.getCols() > target.storeMaxColumns) {
      return emitOpError("a tile of ") << tile.getRows() << " x " << tile.getCols() << " exceeds the store's fields "
                                       << target.storeMaxRows << " x " << target.storeMaxColumns;
    }
    const bool scaled = getFp() || getPreQuantScalar();
    if (!element.isInteger(32) && !element.isF32() && !element.isF16() && !element.isBF16() &&
        !(scaled && element.isInteger(8))) {
      return emitOpError("expects an accumulator to be stored as i32, f32, f16 or bf16, or scaled to bytes");
    }
    if (getFp() &&
        (getPreQuantScalar() || getFp().getType().getLoc() != Loc::Scaling || getFp().getType().getRows() != 1)) {
      return emitOpError("expects one scale, or one row of them in scaling");
    }
    if (!scaled && tile.getDtype().isInteger() != element.isInteger()) {
      return emitOpError("an accumulator of integers is stored as i32, one of floats as floats: nothing scales it");
    }
    MakeTensorViewOp view = viewOf(getDst());
    if (isNz(view)) {
      if (!target.nzStore || !tile.getDtype().isF32() || !element.isF32()) {
        return emitOpError("an NZ store is f32 to f32, on A2 and A3");
      }
      std::optional<int64_t> fractals = constant(view.getShape()[2]);
      if (!fractals || getDst().getType().getShape()[2] != *fractals || getDst().getType().getShape()[0] != 1) {
        return emitOpError("an NZ store covers the whole row axis of one panel");
      }
    }
  } else if (tile.getLoc() == Loc::Vec || tile.getLoc() == Loc::Mat) {
    if (elementBytes(element) != elementBytes(tile.getDtype())) {
      return emitOpError("expects window and tile elements of one width");
    }
    if (getStPhase() || getFp() || getPreQuantScalar() || getReluPreMode()) {
      return emitOpError("stPhase, scales and relu belong to an accumulator store");
    }
  } else {
    return emitOpError("expects a source in vec, mat or acc");
  }
  return verifyTransfer(getOperation(), getDst(), tile);
}

/// An extent that is known to differ from another.
static bool differ(int64_t a, int64_t b) { return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b; }

LogicalResult TMovOp::verify() {
  TileBufType src = getSrc().getType();
  TileBufType dst = getDst().getType();
  bool a5 = targetOf(getOperation()).arch == target::Arch::A5;
  bool known = (src.getLoc() == Loc::Mat && (dst.getLoc() == Loc::Left || dst.getLoc() == Loc::Right ||
                                             dst.getLoc() == Loc::Bias || dst.getLoc() == Loc::Scaling)) ||
               (src.getLoc() == Loc::Vec && (dst.getLoc() == Loc::Vec || (a5 && dst.getLoc() == Loc::Mat))) ||
               (src.getLoc() == Loc::Acc && (dst.getLoc() == Loc::Mat || (a5 && dst.getLoc() == Loc::Vec)));
  if (!known) {
    return emitOpError("no path from ") << stringifyLoc(src.getLoc()) << " to " << stringifyLoc(dst.getLoc());
  }
  // In Vec a window is copied into, or out of, a tile of another row length.
  const bool inVec = src.getLoc() == Loc::Vec && dst.getLoc() == Loc::Vec;
  if (inVec ? differ(src.getValidRows(), dst.getValidRows()) || differ(src.getValidCols(), dst.getValidCols())
            : src.getRows() != dst.getRows() || src.getCols() != dst.getCols()) {
    return emitOpError("expects tiles of one shape");
  }
  const bool widens = dst.getLoc() == Loc::Bias && dst.getDtype().isF32() && isa<FloatType>(src.getDtype());
  if (src.getLoc() != Loc::Acc && src.getDtype() != dst.getDtype() && !widens) {
    return emitOpError("expects tiles of one element type");
  }
  return success();
}

LogicalResult TExtractOp::verify() {
  TileBufType src = getSrc().getType();
  TileBufType dst = getDst().getType();
  if (src.getLoc() != Loc::Mat || (dst.getLoc() != Loc::Left && dst.getLoc() != Loc::Right)) {
    return emitOpError("expects a source in mat and a destination in left or right");
  }
  if (src.getDtype() != dst.getDtype()) {
    return emitOpError("expects tiles of one element type");
  }
  std::optional<int64_t> row = constant(getIndexRow());
  std::optional<int64_t> col = constant(getIndexCol());
  if ((row && *row < 0) || (col && *col < 0)) {
    return emitOpError("expects indices not to be negative");
  }
  if (row.value_or(0) + dst.getRows() > src.getRows() || col.value_or(0) + dst.getCols() > src.getCols()) {
    return emitOpError("window leaves the source tile");
  }
  const target::Box unit = target::transferUnit(dst.getLoc() == Loc::Right ? target::Space::Right : target::Space::Left,
                                                elementBits(src.getDtype()), src.getSlayout() == SLayout::ColMajor);
  if ((row && *row % unit.rows != 0) || (col && *col % unit.columns != 0)) {
    return emitOpError("expects indices to be multiples of ") << unit.rows << " x " << unit.columns;
  }
  for (TileBufType type : {src, dst}) {
    if (type.getRows() % unit.rows != 0 || type.getCols() % unit.columns != 0) {
      return emitOpError("expects tiles made of blocks of ") << unit.rows << " x " << unit.columns;
    }
  }
  return success();
}

LogicalResult TMatmulOp::verify() {
  return verifyMatmul(getOperation(), getLhs().getType(), getRhs().getType(), getDst().getType());
}

LogicalResult TMatmulAccOp::verify() {
  if (getAccIn() != getDst()) {
    return emitOpError("expects acc_in and dst to be the same buffer");
  }
  return verifyMatmul(getOperation(), getLhs().getType(), getRhs().getType(), getDst().getType());
}

/// `tmatmul.mx` and its accumulating form.
static LogicalResult verifyMx(Operation *op, TileBufType lhs, TileBufType lhsScale, TileBufType rhs,
                              TileBufType rhsScale, TileBufType dst) {
  if (targetOf(op).arch != target::Arch::A5) {
    return op->emitOpError("only A5 scales its operands");
  }
  auto isData = [](TileBufType type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type.getDtype()); };
  auto isScale = [](TileBufType type) { return isa<F8E8M0Type>(type.getDtype()); };
  if (lhs.getLoc() != Loc::Left || rhs.getLoc() != Loc::Right || dst.getLoc() != Loc::Acc || !isData(lhs) ||
      !isData(rhs) || !dst.getDtype().isF32()) {
    return op->emitOpError("expects FP8 operands in left and right and an f32 result in acc");
  }
  if (lhs.getCols() != rhs.getRows() || lhs.getRows() != dst.getRows() || rhs.getCols() != dst.getCols()) {
    return op->emitOpError("shapes do not multiply");
  }
  constexpr int64_t kScaled = 32;
  if (!isScale(lhsScale) || !isScale(rhsScale) || spaceOf(lhsScale) != target::Space::LeftScale ||
      spaceOf(rhsScale) != target::Space::RightScale || lhs.getCols() % (2 * kScaled) != 0 ||
      lhsScale.getRows() != lhs.getRows() || lhsScale.getCols() * kScaled != lhs.getCols() ||
      rhsScale.getCols() != rhs.getCols() || rhsScale.getRows() * kScaled != rhs.getRows()) {
    return op->emitOpError("expects one scale for 32 elements of the inner axis, of which there are whole pairs");
  }
  return success();
}

LogicalResult TMatmulMxOp::verify() {
  return verifyMx(getOperation(), getLhs().getType(), getLhsScale().getType(), getRhs().getType(),
                  getRhsScale().getType(), getDst().getType());
}

LogicalResult TMatmulMxAccOp::verify() {
  if (getAccIn() != getDst()) {
    return emitOpError("expects acc_in and dst to be the same buffer");
  }
  return verifyMx(getOperation(), getLhs().getType(), getLhsScale().getType(), getRhs().getType(),
                  getRhsScale().getType(), getDst().getType());
}

LogicalResult TMatmulBiasOp::verify() {
  TileBufType bias = getBias().getType();
  if (bias.getLoc() != Loc::Bias || bias.getRows() != 1 || bias.getCols() != getDst().getType().getCols()) {
    return emitOpError("expects one row in bias, as wide as the result");
  }
  return verifyMatmul(getOperation(), getLhs().getType(), getRhs().getType(), getDst().getType());
}

} // namespace placid::pto
