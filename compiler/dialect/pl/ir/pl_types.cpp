// SPDX-License-Identifier: Apache-2.0
// Textual form and helpers of !pl.tensor and !pl.tile.
#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

static void printWord(mlir::AsmPrinter &printer, llvm::StringRef word) { printer << word; }

static mlir::ParseResult parseWord(mlir::AsmParser &parser, std::string &word) {
  llvm::StringRef keyword;
  if (parser.parseKeyword(&keyword)) {
    return mlir::failure();
  }
  word = keyword.str();
  return mlir::success();
}

#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/pl/ir/pl_types.cpp.inc"

using namespace mlir;

namespace placid::pl {

namespace {

bool isBareSymbol(StringRef text) {
  return !text.empty() && (llvm::isAlpha(text.front()) || text.front() == '_') &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

void printExtents(AsmPrinter &printer, ArrayRef<Attribute> extents) {
  printer << '[';
  llvm::interleaveComma(extents, printer, [&](Attribute extent) {
    if (auto value = dyn_cast<IntegerAttr>(extent)) {
      printer << value.getInt();
    } else {
      StringRef symbol = cast<StringAttr>(extent).getValue();
      if (isBareSymbol(symbol)) {
        printer << symbol;
      } else {
        printer.printAttribute(extent);
      }
    }
  });
  printer << ']';
}

ParseResult parseExtents(AsmParser &parser, SmallVectorImpl<Attribute> &extents) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    int64_t value = 0;
    std::string text;
    StringRef keyword;
    OptionalParseResult number = parser.parseOptionalInteger(value);
    if (number.has_value()) {
      extents.push_back(extentAttr(parser.getContext(), value));
      return *number;
    }
    if (succeeded(parser.parseOptionalString(&text))) {
      extents.push_back(extentAttr(parser.getContext(), text));
      return success();
    }
    if (parser.parseKeyword(&keyword)) {
      return failure();
    }
    extents.push_back(extentAttr(parser.getContext(), keyword));
    return success();
  });
}

template <class Enum>
ParseResult parseEnum(AsmParser &parser, std::optional<Enum> (*symbolize)(StringRef), StringRef what, Enum &out) {
  StringRef keyword;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword)) {
    return failure();
  }
  std::optional<Enum> value = symbolize(keyword);
  if (!value) {
    return parser.emitError(at, "unknown ") << what << " `" << keyword << "`";
  }
  out = *value;
  return success();
}

} // namespace

TensorType TensorType::get(MLIRContext *context, ArrayRef<int64_t> extents, DType dtype, Layout layout) {
  return get(context, extentAttrs(context, extents), dtype, layout);
}

std::optional<int64_t> TensorType::getExtent(unsigned axis) const {
  auto value = dyn_cast<IntegerAttr>(getDims()[axis]);
  return value ? std::optional<int64_t>(value.getInt()) : std::nullopt;
}

bool TensorType::hasStaticShape() const {
  return llvm::all_of(getDims(), [](Attribute extent) { return isa<IntegerAttr>(extent); });
}

TensorType TensorType::withDims(ArrayRef<Attribute> dims) const {
  return get(getContext(), dims, getDtype(), getLayout(), {}, {}, getDistributed());
}

TileType TileType::withShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> valid) const {
  return get(getContext(), shape, getDtype(), getMem(), valid == shape ? ArrayRef<int64_t>{} : valid, getTransposed());
}

TileType TileType::withMem(Mem mem) const { return get(getContext(), getShape(), getDtype(), mem, getValid(), false); }

void TensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printExtents(printer, getDims());
  printer << " x " << stringifyDType(getDtype());
  if (getLayout() != Layout::ND) {
    printer << ", " << stringifyLayout(getLayout());
  }
  if (!getStrides().empty()) {
    printer << ", strides = ";
    printExtents(printer, getStrides());
  }
  if (!getValid().empty()) {
    printer << ", valid = ";
    printExtents(printer, getValid());
  }
  if (getDistributed()) {
    printer << ", distributed";
  }
  printer << '>';
}

Type TensorType::parse(AsmParser &parser) {
  SmallVector<Attribute> dims;
  SmallVector<Attribute> strides;
  SmallVector<Attribute> valid;
  DType dtype = DType::F32;
  Layout layout = Layout::ND;
  bool distributed = false;
  if (parser.parseLess() || parseExtents(parser, dims) || parser.parseKeyword("x") ||
      parseEnum<DType>(parser, symbolizeDType, "dtype", dtype)) {
    return {};
  }
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("strides"))) {
      if (parser.parseEqual() || parseExtents(parser, strides)) {
        return {};
      }
    } else if (succeeded(parser.parseOptionalKeyword("valid"))) {
      if (parser.parseEqual() || parseExtents(parser, valid)) {
        return {};
      }
    } else if (succeeded(parser.parseOptionalKeyword("distributed"))) {
      distributed = true;
    } else if (parseEnum<Layout>(parser, symbolizeLayout, "layout", layout)) {
      return {};
    }
  }
  if (parser.parseGreater()) {
    return {};
  }
  return get(parser.getContext(), dims, dtype, layout, strides, valid, distributed);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape()) {
    printer << extent << 'x';
  }
  printer << stringifyDType(getDtype()) << ", " << stringifyMem(getMem());
  if (!getValid().empty()) {
    printer << ", valid = [";
    llvm::interleaveComma(getValid(), printer, [&](int64_t extent) {
      if (ShapedType::isDynamic(extent)) {
        printer << '?';
      } else {
        printer << extent;
      }
    });
    printer << ']';
  }
  if (getTransposed()) {
    printer << ", transposed";
  }
  printer << '>';
}

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  SmallVector<int64_t> valid;
  DType dtype = DType::F32;
  Mem mem = Mem::Unset;
  bool transposed = false;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false, /*withTrailingX=*/true) ||
      parseEnum<DType>(parser, symbolizeDType, "dtype", dtype) || parser.parseComma() ||
      parseEnum<Mem>(parser, symbolizeMem, "memory space", mem)) {
    return {};
  }
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("transposed"))) {
      transposed = true;
      continue;
    }
    if (parser.parseKeyword("valid") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
          if (succeeded(parser.parseOptionalQuestion())) {
            valid.push_back(ShapedType::kDynamic);
            return success();
          }
          return parser.parseInteger(valid.emplace_back());
        })) {
      return {};
    }
  }
  if (parser.parseGreater()) {
    return {};
  }
  return get(parser.getContext(), shape, dtype, mem, valid, transposed);
}

void ArrayType::print(AsmPrinter &printer) const {
  printer << '<' << getExtent() << " x " << stringifyDType(getDtype()) << '>';
}

Type ArrayType::parse(AsmParser &parser) {
  int64_t extent = 0;
  DType dtype = DType::Index;
  if (parser.parseLess() || parser.parseInteger(extent) || parser.parseKeyword("x") ||
      parseEnum<DType>(parser, symbolizeDType, "dtype", dtype) || parser.parseGreater()) {
    return {};
  }
  return get(parser.getContext(), extent, dtype);
}

void PlDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/pl/ir/pl_types.cpp.inc"
      >();
}

} // namespace placid::pl
