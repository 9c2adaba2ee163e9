// SPDX-License-Identifier: Apache-2.0
// Textual form and verifiers of the `pl` operations. A verifier's complaint is a fault of ours, never of the user.
#include "compiler/dialect/pl/ir/pl.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

//===-- Custom directives -----------------------------------------------------------------------------------------===//

static void printMixedList(OpAsmPrinter &printer, Operation *, OperandRange values, TypeRange types,
                           DenseI64ArrayAttr statics) {
  printer << '[';
  unsigned next = 0;
  llvm::interleaveComma(statics.asArrayRef(), printer, [&](int64_t entry) {
    if (!ShapedType::isDynamic(entry)) {
      printer << entry;
      return;
    }
    printer.printOperand(values[next]);
    if (!types[next].isIndex()) {
      printer << " : " << types[next];
    }
    ++next;
  });
  printer << ']';
}

static ParseResult parseMixedList(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                                  SmallVectorImpl<Type> &types, DenseI64ArrayAttr &statics) {
  SmallVector<int64_t> entries;
  auto one = [&]() -> ParseResult {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value()) {
      return parser.parseInteger(entries.emplace_back());
    }
    Type type = parser.getBuilder().getIndexType();
    if (failed(*parsed) || (succeeded(parser.parseOptionalColon()) && parser.parseType(type))) {
      return failure();
    }
    values.push_back(operand);
    types.push_back(type);
    entries.push_back(ShapedType::kDynamic);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, one)) {
    return failure();
  }
  statics = parser.getBuilder().getDenseI64ArrayAttr(entries);
  return success();
}

static void printOptionalList(OpAsmPrinter &printer, Operation *op, StringRef keyword, OperandRange values,
                              TypeRange types, DenseI64ArrayAttr statics) {
  if (!statics.empty()) {
    printer << keyword << ' ';
    printMixedList(printer, op, values, types, statics);
  }
}

static ParseResult parseOptionalList(OpAsmParser &parser, StringRef keyword,
                                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                                     SmallVectorImpl<Type> &types, DenseI64ArrayAttr &statics) {
  if (succeeded(parser.parseOptionalKeyword(keyword))) {
    return parseMixedList(parser, values, types, statics);
  }
  statics = parser.getBuilder().getDenseI64ArrayAttr({});
  return success();
}

static void printOptionalInts(OpAsmPrinter &printer, Operation *, StringRef keyword, DenseI64ArrayAttr ints) {
  if (!ints.empty()) {
    printer << keyword << " [";
    llvm::interleaveComma(ints.asArrayRef(), printer);
    printer << ']';
  }
}

static ParseResult parseOptionalInts(OpAsmParser &parser, StringRef keyword, DenseI64ArrayAttr &ints) {
  SmallVector<int64_t> values;
  if (succeeded(parser.parseOptionalKeyword(keyword)) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     [&]() { return parser.parseInteger(values.emplace_back()); })) {
    return failure();
  }
  ints = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

static void printNamedOperands(OpAsmPrinter &printer, Operation *, OperandRange operands, ArrayAttr names) {
  llvm::interleaveComma(llvm::zip(operands, names.getAsRange<StringAttr>()), printer, [&](auto pair) {
    auto [operand, name] = pair;
    printer << name.getValue() << ' ';
    printer.printOperand(operand);
  });
}

static ParseResult parseNamedOperands(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                                      ArrayAttr &names) {
  SmallVector<Attribute> list;
  StringRef name;
  while (succeeded(parser.parseOptionalKeyword(&name))) {
    list.push_back(parser.getBuilder().getStringAttr(name));
    if (parser.parseOperand(operands.emplace_back())) {
      return failure();
    }
    if (failed(parser.parseOptionalComma())) {
      break;
    }
  }
  names = parser.getBuilder().getArrayAttr(list);
  return success();
}

#define GET_OP_CLASSES
#include "compiler/dialect/pl/ir/pl_ops.cpp.inc"

namespace placid::pl {

LogicalResult TensorSliceOp::verify() {
  unsigned rank = getSource().getType().getRank();
  if (getStaticOffsets().size() != rank || getStaticSizes().size() != rank ||
      (!getStaticValid().empty() && getStaticValid().size() != rank)) {
    return emitOpError("expects offsets, sizes and valid of the source's rank ") << rank;
  }
  return success();
}

LogicalResult TileLoadOp::verify() {
  unsigned rank = getSource().getType().getRank();
  if (getStaticOffsets().size() != rank || getSizes().size() != rank ||
      (!getStaticValid().empty() && getStaticValid().size() != rank)) {
    return emitOpError("expects offsets, sizes and valid of the source's rank ") << rank;
  }
  // The tile's rank is free: FlattenTileNdTo2D and BlockNzTensorViews change window and tile separately.
  return success();
}

LogicalResult TileStoreOp::verify() {
  unsigned rank = getDest().getType().getRank();
  if (getStaticOffsets().size() != rank || (getSizes() && getSizes()->size() != rank)) {
    return emitOpError("expects offsets and sizes of the destination's rank ") << rank;
  }
  Value scale = getScale();
  if (!scale) {
    return success();
  }
  auto row = dyn_cast<TileType>(scale.getType());
  if (!scale.getType().isInteger(64) && (!row || row.getMem() != Mem::Scaling)) {
    return emitOpError("expects a scale that is an i64 or a tile in Scaling");
  }
  return success();
}

} // namespace placid::pl
