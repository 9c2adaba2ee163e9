// SPDX-License-Identifier: Apache-2.0
// Verifiers of the vector unit's operations. As elsewhere in this dialect, what they refuse is a fault of the lowering.
#include "compiler/dialect/pto/ir/vector_instructions.h"

#include "compiler/dialect/pto/ir/pto.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pto {

namespace {

constexpr Instruction kInstructions[] = {
#define INSTR(NAME, RELATION, TYPES, TYPES_A5) {#NAME, Relation::RELATION, TYPES, TYPES_A5},
#include "compiler/dialect/pto/ir/vector_instructions.def"
#undef INSTR
};

std::string spelling(Type type) {
  std::string out;
  llvm::raw_string_ostream(out) << type;
  return out;
}

bool differ(int64_t a, int64_t b) { return !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b) && a != b; }

class Check {
public:
  Check(InstrOp op, const Instruction &instruction)
      : op_(op), instruction_(instruction), result_(cast<TileBufType>(op.getOuts().front().getType())) {
    for (auto [i, value] : llvm::enumerate(op.getIns())) {
      auto tile = dyn_cast<TileBufType>(value.getType());
      if (op.getScratch() == i) {
        continue;
      }
      if (tile) {
        tiles_.push_back(tile);
      } else {
        scalars_.push_back(value.getType());
      }
    }
  }

  LogicalResult run() {
    for (TileBufType tile : tiles_) {
      if (tile.getLoc() != Loc::Vec) {
        return fail("expects its tiles in vec");
      }
    }
    const bool inserts = instruction_.name == "tinsert" && result_.getLoc() == Loc::Mat;
    if (result_.getLoc() != Loc::Vec && !inserts) {
      return fail("expects its result in vec");
    }
    if (failed(checkTypes())) {
      return failure();
    }
    if (inserts) {
      return intoMat();
    }
    switch (instruction_.relation) {
    case Relation::Same:
      return count(1) ? sameAll(0) : failure();
    case Relation::Select:
      return count(2) ? sameAll(1) : failure();
    case Relation::Fill:
    case Relation::Count:
      return scalars_.size() == 1 && scalars_[0] == scalarOf(result_) ? flat({}) : fail("expects a scalar of its type");
    case Relation::Cast:
      return count(1) && extents(tiles_[0], result_.getValidRows(), result_.getValidCols()) ? flat(tiles_) : failure();
    case Relation::RowReduce:
    case Relation::RowArgument:
      return count(1) && rows(tiles_[0]) && lines(tiles_[0]) && oneColumn(result_)
                 ? types(instruction_.relation == Relation::RowArgument)
                 : failure();
    case Relation::ColReduce:
    case Relation::ColArgument:
      return count(1) && columns(tiles_[0]) && oneRow(result_) ? types(instruction_.relation == Relation::ColArgument)
                                                               : failure();
    case Relation::Part:
      return count(2) ? part() : failure();
    case Relation::Update:
      return count(1) && extents(tiles_[0], result_.getValidRows(), result_.getValidCols())
                 ? scalars_.size() == 1 && scalars_[0] == scalarOf(tiles_[0]) ? flat(tiles_)
                                                                              : fail("expects a scalar of its type")
                 : failure();
    case Relation::RowSpread:
      return count(1) && rows(tiles_[0]) && oneColumn(tiles_[0]) ? types(false) : failure();
    case Relation::RowExpand:
      return count(2) && rows(tiles_[0]) && columns(tiles_[0]) && rows(tiles_[1]) && oneColumn(tiles_[1]) ? types(false)
                                                                                                          : failure();
    case Relation::ColSpread:
      return count(1) && columns(tiles_[0]) && oneRow(tiles_[0]) ? types(false) : failure();
    case Relation::ColExpand:
      return count(2) && rows(tiles_[0]) && columns(tiles_[0]) && columns(tiles_[1]) && oneRow(tiles_[1]) ? types(false)
                                                                                                          : failure();
    case Relation::Transpose:
      return count(1) && extents(tiles_[0], result_.getValidCols(), result_.getValidRows()) ? types(false) : failure();
    case Relation::Concat:
      return count(2) && rows(tiles_[0]) && rows(tiles_[1]) ? types(false) : failure();
    case Relation::Pad:
      return count(1) ? types(false) : failure();
    case Relation::Element:
      return scalars_.size() == 2 && scalars_[1] == scalarOf(result_) ? success()
                                                                      : fail("expects an index and a value");
    case Relation::Predicate:
      return count(1) && rows(tiles_[0]) ? success() : failure();
    case Relation::Free:
      return success();
    }
    return success();
  }

private:
  LogicalResult fail(const Twine &what) { return op_->emitOpError() << "`" << instruction_.name << "` " << what; }

  /// Of a comparison; equality when it says none.
  StringRef mode() {
    auto config = op_.getConfig() ? op_.getConfig()->getAs<StringAttr>("cmpMode") : StringAttr();
    StringRef text = config ? config.getValue() : "#pto<cmp eq>";
    (void)text.consume_front("#pto<cmp ");
    (void)text.consume_back(">");
    return text;
  }

  static Type scalarOf(TileBufType tile) {
    auto integer = dyn_cast<IntegerType>(tile.getDtype());
    return integer && integer.isUnsigned() ? IntegerType::get(tile.getContext(), integer.getWidth()) : tile.getDtype();
  }

  bool count(size_t atLeast) { return tiles_.size() >= atLeast || (void(fail("has too few tiles")), false); }

  /// Columns of fractals into a window of such, in the memory of the other core.
  LogicalResult intoMat() {
    auto inColumns = [](TileBufType tile) {
      return tile.getBlayout() == BLayout::ColMajor && tile.getSlayout() == SLayout::RowMajor;
    };
    const bool a5 = targetOf(op_).arch == target::Arch::A5;
    if (!a5 || tiles_.size() != 1 || !inColumns(tiles_[0]) || !inColumns(result_)) {
      return fail("expects columns of fractals, and a chip that has a way from vec to mat");
    }
    const bool fits = tiles_[0].getRows() <= result_.getRows() && tiles_[0].getCols() <= result_.getCols();
    return fits && tiles_[0].getDtype() == result_.getDtype() ? success()
                                                              : fail("expects a window of the tile that it fills");
  }

  LogicalResult checkTypes() {
    const bool a5 = targetOf(op_).arch == target::Arch::A5;
    StringRef allowed = a5 ? instruction_.typesA5 : instruction_.types;
    TileBufType first = instruction_.relation == Relation::Select && tiles_.size() > 1 ? tiles_[1]
                        : tiles_.empty()                                               ? result_
                                                                                       : tiles_[0];
    if (allowed.empty()) {
      return success();
    }
    SmallVector<StringRef> list;
    allowed.split(list, ' ');
    const std::string type = spelling(scalarOf(first));
    if (!llvm::is_contained(list, StringRef(type))) {
      return fail("has no form for " + type);
    }
    return !a5 && instruction_.relation == Relation::Predicate && isOrderOfIntegers(mode(), type)
               ? fail("compares " + type + " for equality alone")
               : success();
  }

  bool rows(TileBufType tile) {
    return !differ(tile.getValidRows(), result_.getValidRows()) || (void(fail("expects tiles of as many rows")), false);
  }
  bool columns(TileBufType tile) {
    return !differ(tile.getValidCols(), result_.getValidCols()) ||
           (void(fail("expects tiles of as many columns")), false);
  }
  bool oneColumn(TileBufType tile) {
    return (tile.getCols() == 1 && tile.getBlayout() == BLayout::ColMajor) || tile.getRows() == 1 ||
           (void(fail("expects a column")), false);
  }
  bool lines(TileBufType tile) {
    return tile.getBlayout() == BLayout::RowMajor || (void(fail("expects row-major tiles")), false);
  }
  bool oneRow(TileBufType tile) { return tile.getRows() == 1 || (void(fail("expects a row")), false); }
  bool extents(TileBufType tile, int64_t validRows, int64_t validCols) {
    return (!differ(tile.getValidRows(), validRows) && !differ(tile.getValidCols(), validCols)) ||
           (void(fail("expects tiles of the result's valid extents")), false);
  }

  LogicalResult part() {
    for (TileBufType tile : {tiles_[0], tiles_[1]}) {
      auto exceeds = [](int64_t a, int64_t b) { return differ(a, b) && a > b; };
      if (exceeds(tile.getValidRows(), result_.getValidRows()) ||
          exceeds(tile.getValidCols(), result_.getValidCols())) {
        return fail("expects tiles of no more than the result's valid extents");
      }
    }
    const bool whole = llvm::any_of(ArrayRef(tiles_).take_front(2), [&](TileBufType tile) {
      return !differ(tile.getValidRows(), result_.getValidRows()) &&
             !differ(tile.getValidCols(), result_.getValidCols());
    });
    return whole ? types(false) : fail("expects one tile of the result's valid extents");
  }

  LogicalResult types(bool resultIsIndex) {
    for (TileBufType tile : tiles_) {
      if (tile.getDtype() != tiles_[0].getDtype()) {
        return fail("expects operands of one element type");
      }
    }
    if (resultIsIndex ? !result_.getDtype().isInteger(32) : result_.getDtype() != tiles_[0].getDtype()) {
      return fail("expects a result of another element type");
    }
    return success();
  }

  LogicalResult flat(ArrayRef<TileBufType> tiles) {
    for (TileBufType tile : tiles) {
      if (tile.getBlayout() != BLayout::RowMajor) {
        return fail("expects row-major tiles");
      }
    }
    return result_.getBlayout() == BLayout::RowMajor ? success() : fail("expects a row-major result");
  }

  LogicalResult sameAll(size_t from) {
    ArrayRef<TileBufType> operands = ArrayRef(tiles_).drop_front(from);
    for (TileBufType tile : operands) {
      if (!extents(tile, result_.getValidRows(), result_.getValidCols())) {
        return failure();
      }
      if (tile.getDtype() != result_.getDtype()) {
        return fail("expects tiles of the result's element type");
      }
    }
    for (Type scalar : scalars_) {
      if (scalar != scalarOf(result_)) {
        return fail("expects scalars of the result's element type");
      }
    }
    return flat(operands);
  }

  InstrOp op_;
  const Instruction &instruction_;
  TileBufType result_;
  SmallVector<TileBufType> tiles_; ///< Without the scratch tile.
  SmallVector<Type> scalars_;
};

} // namespace

const Instruction *findInstruction(StringRef name) {
  const auto *found = llvm::find_if(kInstructions, [&](const Instruction &row) { return row.name == name; });
  return found == std::end(kInstructions) ? nullptr : found;
}

LogicalResult InstrOp::verify() {
  const Instruction *instruction = findInstruction(getName());
  if (!instruction) {
    return emitOpError("has no row named ") << getName();
  }
  if (getOuts().empty()) {
    return emitOpError("expects a result");
  }
  if (getScratch()) {
    if (*getScratch() >= getIns().size() || !isa<TileBufType>(getIns()[*getScratch()].getType())) {
      return emitOpError("expects `scratch` to be the number of a tile");
    }
  }
  return Check(*this, *instruction).run();
}

/// Of a tile in fractals: whole fractals, of which a part may be valid, in the order of the source. A start that is no
/// constant may lie between two fractals of a column: rows are lines of 32 bytes there.
static LogicalResult verifyMatWindow(SubviewOp op) {
  TileBufType source = op.getSource().getType();
  TileBufType result = op.getResult().getType();
  const bool ordered = source.getBlayout() == BLayout::ColMajor && source.getSlayout() == SLayout::RowMajor;
  if (!ordered || result.getLoc() != Loc::Mat || result.getBlayout() != source.getBlayout() ||
      result.getSlayout() != source.getSlayout() || result.getDtype() != source.getDtype()) {
    return op.emitOpError("expects mat tiles of one element type, in columns of fractals");
  }
  const int64_t box[] = {target::kFractalRows, target::kLineBytes * 8 / elementBits(source.getDtype())};
  const int64_t extents[] = {source.getRows(), source.getCols()};
  for (unsigned axis : {0u, 1u}) {
    std::optional<int64_t> offset = getConstantIntValue(op.getOffsets()[axis]);
    if (op.getSizes()[axis] % box[axis] != 0 || (offset && *offset % box[axis] != 0)) {
      return op.emitOpError("expects a window of whole fractals");
    }
    if (op.getSizes()[axis] > extents[axis] ||
        (offset && (*offset < 0 || *offset + op.getSizes()[axis] > extents[axis]))) {
      return op.emitOpError("window leaves the source tile");
    }
  }
  return success();
}

LogicalResult SubviewOp::verify() {
  TileBufType source = getSource().getType();
  TileBufType result = getResult().getType();
  if (getOffsets().size() != 2 || getSizes().size() != 2 || getValid().size() != 2) {
    return emitOpError("expects two offsets, sizes and valid extents");
  }
  if (result.getRows() != getSizes()[0] || result.getCols() != getSizes()[1]) {
    return emitOpError("expects a result of the given sizes");
  }
  // The whole tile with other valid extents: the order of its bytes does not matter.
  const bool whole =
      getConstantIntValue(getOffsets()[0]) == 0 && getConstantIntValue(getOffsets()[1]) == 0 &&
      result == TileBufType::get(getContext(), source.getLoc(), source.getDtype(), source.getRows(), source.getCols(),
                                 result.getValidRows(), result.getValidCols(), source.getBlayout(), source.getSlayout(),
                                 source.getFractal(), source.getPad());
  if (whole) {
    return success();
  }
  if (source.getLoc() == Loc::Mat) {
    return verifyMatWindow(*this);
  }
  if (source.getLoc() != Loc::Vec || source.getBlayout() != BLayout::RowMajor ||
      result.getBlayout() != BLayout::RowMajor || result.getDtype() != source.getDtype()) {
    return emitOpError("expects row-major vec tiles of one element type");
  }
  const int64_t extents[] = {source.getRows(), source.getCols()};
  for (unsigned axis : {0u, 1u}) {
    std::optional<int64_t> offset = getConstantIntValue(getOffsets()[axis]);
    if (offset && (*offset < 0 || *offset + getSizes()[axis] > extents[axis])) {
      return emitOpError("window leaves the source tile");
    }
  }
  std::optional<int64_t> column = getConstantIntValue(getOffsets()[1]);
  const int64_t bits = elementBits(source.getDtype());
  if (column && *column * bits % (target::kLineBytes * 8) != 0) {
    return emitOpError("expects the window to begin at a multiple of 32 bytes");
  }
  return success();
}

LogicalResult TReshapeOp::verify() {
  TileBufType source = getSource().getType();
  TileBufType result = getResult().getType();
  auto bits = [](TileBufType type) { return type.getRows() * type.getCols() * elementBits(type.getDtype()); };
  if (source.getLoc() != result.getLoc() || bits(source) != bits(result)) {
    return emitOpError("expects tiles of one memory and of the same number of bytes");
  }
  if ((source.getSlayout() == SLayout::NoneBox) != (result.getSlayout() == SLayout::NoneBox)) {
    return emitOpError("does not make a flat tile of one of fractals, or the other way round");
  }
  if (ShapedType::isDynamic(result.getValidRows()) != ShapedType::isDynamic(result.getValidCols())) {
    return emitOpError("expects a result whose valid extents are both numbers, or both said by set_validshape");
  }
  return success();
}

LogicalResult BitcastOp::verify() {
  TileBufType source = getSource().getType();
  TileBufType result = getResult().getType();
  const auto same = TileBufType::get(getContext(), source.getLoc(), result.getDtype(), source.getRows(),
                                     source.getCols(), source.getValidRows(), source.getValidCols(),
                                     source.getBlayout(), source.getSlayout(), source.getFractal(), source.getPad());
  if (result != same || source.getDtype() == result.getDtype() ||
      elementBits(source.getDtype()) != elementBits(result.getDtype())) {
    return emitOpError("expects tiles that differ in their element type alone, of one width");
  }
  return success();
}

LogicalResult SetValidShapeOp::verify() {
  TileBufType type = getSource().getType();
  if (!ShapedType::isDynamic(type.getValidRows()) || !ShapedType::isDynamic(type.getValidCols())) {
    return emitOpError("expects a tile whose type leaves both valid extents open");
  }
  return success();
}

LogicalResult TGetValOp::verify() {
  return getSrc().getType().getLoc() == Loc::Vec ? success() : LogicalResult(emitOpError("expects a tile in vec"));
}

LogicalResult LoadScalarOp::verify() { return success(); }

LogicalResult StoreScalarOp::verify() { return success(); }

} // namespace placid::pto
