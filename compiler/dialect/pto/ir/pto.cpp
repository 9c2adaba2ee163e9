// SPDX-License-Identifier: Apache-2.0
// The dialect, its attributes, and the textual form of its types.
#include "compiler/dialect/pto/ir/pto.h"

#include "compiler/dialect/pto/ir/core_ops.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include <utility>

// Generated; in the order in which they use each other.
#include "compiler/dialect/pto/ir/pto_dialect.cpp.inc"
#include "compiler/dialect/pto/ir/pto_enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/pto/ir/pto_attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/pto/ir/pto_types.cpp.inc"

using namespace mlir;

namespace placid::pto {

namespace {

void printView(AsmPrinter &printer, ArrayRef<int64_t> shape, Type elementType) {
  printer << '<';
  printer.printDimensionList(shape);
  printer << (shape.empty() ? "" : "x") << elementType << '>';
}

ParseResult parseView(AsmParser &parser, SmallVectorImpl<int64_t> &shape, Type &elementType) {
  return failure(parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(elementType) ||
                 parser.parseGreater());
}

ParseResult parseKey(AsmParser &parser, StringRef key) {
  return failure(parser.parseKeyword(key) || parser.parseEqual());
}

ParseResult parseExtent(AsmParser &parser, StringRef key, int64_t &value) {
  if (parser.parseComma() || parseKey(parser, key)) {
    return failure();
  }
  if (succeeded(parser.parseOptionalQuestion())) {
    value = ShapedType::kDynamic;
    return success();
  }
  return parser.parseInteger(value);
}

template <class Enum>
ParseResult parseWord(AsmParser &parser, StringRef key, std::optional<Enum> (*symbolize)(StringRef), Enum &value) {
  StringRef word;
  if (parseKey(parser, key)) {
    return failure();
  }
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  std::optional<Enum> parsed = symbolize(word);
  if (!parsed) {
    return parser.emitError(at, "unknown ") << key << " `" << word << "`";
  }
  value = *parsed;
  return success();
}

void printExtent(AsmPrinter &printer, StringRef key, int64_t value) {
  printer << ", " << key << '=';
  if (ShapedType::isDynamic(value)) {
    printer << '?';
  } else {
    printer << value;
  }
}

} // namespace

int64_t elementBits(Type type) { return type.isIntOrFloat() ? static_cast<int64_t>(type.getIntOrFloatBitWidth()) : 8; }

void TensorViewType::print(AsmPrinter &printer) const { printView(printer, getShape(), getElementType()); }
void PartitionTensorViewType::print(AsmPrinter &printer) const { printView(printer, getShape(), getElementType()); }

Type TensorViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  return parseView(parser, shape, elementType) ? Type() : get(parser.getContext(), shape, elementType);
}

Type PartitionTensorViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  return parseView(parser, shape, elementType) ? Type() : get(parser.getContext(), shape, elementType);
}

void TileBufType::print(AsmPrinter &printer) const {
  printer << "<loc=" << stringifyLoc(getLoc()) << ", dtype=" << getDtype();
  printExtent(printer, "rows", getRows());
  printExtent(printer, "cols", getCols());
  printExtent(printer, "v_row", getValidRows());
  printExtent(printer, "v_col", getValidCols());
  printer << ", blayout=" << stringifyBLayout(getBlayout()) << ", slayout=" << stringifySLayout(getSlayout())
          << ", fractal=" << getFractal() << ", pad=" << getPad() << '>';
}

Type TileBufType::parse(AsmParser &parser) {
  Loc loc = Loc::Vec;
  Type dtype;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t validRows = 0;
  int64_t validCols = 0;
  BLayout blayout = BLayout::RowMajor;
  SLayout slayout = SLayout::NoneBox;
  int64_t fractal = 0;
  int64_t pad = 0;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseLess() || parseWord<Loc>(parser, "loc", symbolizeLoc, loc) || parser.parseComma() ||
      parseKey(parser, "dtype") || parser.parseType(dtype) || parseExtent(parser, "rows", rows) ||
      parseExtent(parser, "cols", cols) || parseExtent(parser, "v_row", validRows) ||
      parseExtent(parser, "v_col", validCols) || parser.parseComma() ||
      parseWord<BLayout>(parser, "blayout", symbolizeBLayout, blayout) || parser.parseComma() ||
      parseWord<SLayout>(parser, "slayout", symbolizeSLayout, slayout) || parseExtent(parser, "fractal", fractal) ||
      parseExtent(parser, "pad", pad) || parser.parseGreater()) {
    return {};
  }
  return getChecked([&]() { return parser.emitError(at); }, parser.getContext(), loc, dtype, rows, cols, validRows,
                    validCols, blayout, slayout, fractal, pad);
}

LogicalResult TileBufType::verify(function_ref<InFlightDiagnostic()> emitError, Loc, Type dtype, int64_t rows,
                                  int64_t cols, int64_t validRows, int64_t validCols, BLayout blayout, SLayout slayout,
                                  int64_t fractal, int64_t pad) {
  if (rows < 1 || cols < 1) {
    return emitError() << "expects positive static rows and cols, got " << rows << " x " << cols;
  }
  if ((!ShapedType::isDynamic(validRows) && (validRows < 0 || validRows > rows)) ||
      (!ShapedType::isDynamic(validCols) && (validCols < 0 || validCols > cols))) {
    return emitError() << "expects valid extents within " << rows << " x " << cols;
  }
  if (fractal != 32 && fractal != 512 && fractal != 1024) {
    return emitError() << "expects a fractal of 32, 512 or 1024 bytes, got " << fractal;
  }
  if (pad < 0 || pad > 3) {
    return emitError() << "expects pad 0 to 3, got " << pad;
  }
  const int64_t bits = elementBits(dtype);
  if (slayout == SLayout::NoneBox) {
    int64_t line = blayout == BLayout::RowMajor ? cols : rows;
    if (line * bits % (target::kLineBytes * 8) != 0) {
      return emitError() << "expects the contiguous extent " << line << " to be a multiple of 32 bytes";
    }
    return success();
  }
  // In a box, `slayout` says which direction is contiguous: a C0 line of 32 bytes, or 16 elements in an accumulator.
  int64_t line = fractal == 1024 ? target::kFractalRows : target::kLineBytes * 8 / bits;
  if (fractal == 32) {
    line = 2;
  }
  int64_t boxRows = slayout == SLayout::RowMajor ? target::kFractalRows : line;
  int64_t boxCols = slayout == SLayout::RowMajor ? line : target::kFractalRows;
  if (rows % boxRows != 0 || cols % boxCols != 0) {
    return emitError() << "expects whole " << boxRows << " x " << boxCols << " boxes, got " << rows << " x " << cols;
  }
  return success();
}

const target::Target &targetOf(Operation *op) {
  while (op) {
    if (auto name = op->getAttrOfType<StringAttr>(kTargetArchAttr)) {
      const target::Target *found = target::find(name.getValue());
      return found ? *found : target::get(target::Arch::A3);
    }
    op = op->getParentOp();
  }
  return target::get(target::Arch::A3);
}

target::Space spaceOf(Loc loc) {
  switch (loc) {
  case Loc::Vec:
    return target::Space::Vec;
  case Loc::Mat:
    return target::Space::Mat;
  case Loc::Left:
    return target::Space::Left;
  case Loc::Right:
    return target::Space::Right;
  case Loc::Acc:
    return target::Space::Acc;
  case Loc::Bias:
    return target::Space::Bias;
  case Loc::Scaling:
    return target::Space::Scaling;
  }
  return target::Space::Vec;
}

target::Space spaceOf(TileBufType type) {
  if (type.getLoc() == Loc::Scaling && type.getSlayout() != SLayout::NoneBox) {
    return type.getBlayout() == BLayout::ColMajor ? target::Space::RightScale : target::Space::LeftScale;
  }
  return spaceOf(type.getLoc());
}

TileBufType makeTileType(function_ref<InFlightDiagnostic()> emitError, const target::Target &target, Loc loc,
                         Type dtype, int64_t rows, int64_t cols, int64_t validRows, int64_t validCols, bool transposed,
                         int64_t pad) {
  BLayout blayout = BLayout::RowMajor;
  SLayout slayout = SLayout::NoneBox;
  int64_t fractal = 512;
  constexpr int64_t kScales = 32;
  switch (loc) {
  case Loc::Mat:
    if (isa<F8E8M0Type>(dtype)) {
      blayout = transposed ? BLayout::ColMajor : BLayout::RowMajor;
      slayout = transposed ? SLayout::ColMajor : SLayout::RowMajor;
      fractal = kScales;
      break;
    }
    if (rows == 1 && !transposed) {
      break; // a line: what the bias table and the fixpipe's buffer are filled from
    }
    blayout = transposed ? BLayout::RowMajor : BLayout::ColMajor;
    slayout = transposed ? SLayout::ColMajor : SLayout::RowMajor;
    break;
  case Loc::Left:
    blayout = target.leftColMajor ? BLayout::ColMajor : BLayout::RowMajor;
    slayout = SLayout::RowMajor;
    break;
  case Loc::Right:
    slayout = SLayout::ColMajor;
    break;
  case Loc::Acc:
    blayout = BLayout::ColMajor;
    slayout = SLayout::RowMajor;
    fractal = 1024;
    break;
  case Loc::Vec:
    blayout = rows > 1 && cols == 1 ? BLayout::ColMajor : BLayout::RowMajor;
    break;
  case Loc::Scaling:
    if (isa<F8E8M0Type>(dtype)) {
      blayout = transposed ? BLayout::ColMajor : BLayout::RowMajor;
      slayout = transposed ? SLayout::ColMajor : SLayout::RowMajor;
      fractal = kScales;
    }
    break;
  case Loc::Bias:
    break;
  }
  return TileBufType::getChecked(emitError, dtype.getContext(), loc, dtype, rows, cols, validRows, validCols, blayout,
                                 slayout, fractal, pad);
}

LogicalResult PtoDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == kTargetArchAttr) {
    auto arch = dyn_cast<StringAttr>(attribute.getValue());
    if (!isa<ModuleOp>(op) || !arch || !llvm::is_contained(target::kArchNames, std::string_view(arch.getValue()))) {
      return op->emitError("`pto.target_arch` is one of ") << target::kArchChoices << ", on a module";
    }
  }
  if (attribute.getName() == kKernelKindAttr &&
      (!isa<func::FuncOp>(op) || !isa<KernelKindAttr>(attribute.getValue()))) {
    return op->emitError("`pto.kernel_kind` is #pto.kernel_kind<cube|vector>, on a function");
  }
  return success();
}

void PtoDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/pto/ir/pto_types.cpp.inc"
      >();
}

void PtoDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/pto/ir/pto_attrs.cpp.inc"
      >();
}

void PtoDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/pto/ir/pto_ops.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/pto/ir/core_ops.cpp.inc"
      >();
}

} // namespace placid::pto
