// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that deals with the vector unit: instructions of the table, windows of Vec tiles, single
// elements.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"
#include "compiler/dialect/pto/ir/vector_instructions.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/Support/FormatVariadic.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

TileType tileType(Value value) { return value ? dyn_cast<TileType>(value.getType()) : TileType(); }

bool isColumn(TileType type) { return type.getShape()[0] > 1 && type.getShape()[1] == 1; }

/// Windows of several rows that leave out a part of each have gaps between their rows.
bool isPartOfRows(TileType whole, TileType part) {
  return whole.getRank() == 2 && part.getRank() == 2 && !isColumn(whole) && part.getShape()[1] > 1 &&
         part.getShape()[1] != whole.getShape()[1];
}

Type signless(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? IntegerType::get(type.getContext(), integer.getWidth()) : type;
}

std::string userName(GenericOp op) { return "`" + ops::shortPath(op.getRow(), op.getFormKind()) + "`"; }

TileType withValid(TileType type, ArrayRef<int64_t> valid) {
  return TileType::get(type.getContext(), type.getShape(), type.getDtype(), type.getMem(),
                       valid == type.getShape() ? ArrayRef<int64_t>() : valid, type.getTransposed());
}

} // namespace

//===-- Instructions ----------------------------------------------------------------------------------------------===//

LogicalResult KernelConverter::convertGeneric(GenericOp op) {
  if (op->getNumResults() > 0 && op->use_empty() && isMemoryEffectFree(op)) {
    return success();
  }
  StringRef name = op.getName();
  if (const VectorOp *row = findVectorOp(name)) {
    return convertInstruction(op, *row);
  }
  if (name == "tile.set_validshape" && tileType(op.getArgument("tile"))) {
    return success(static_cast<bool>(handle(op->getResult(0))));
  }
  if (name == "tile.assemble") {
    return convertAssemble(op);
  }
  if (name == "tile.gather_row") {
    return convertGatherRow(op);
  }
  if (name == "tile.matmul_bias") {
    return convertBiased(op);
  }
  if (name == "tile.load_scales") {
    return convertLoadScales(op);
  }
  if (name == "tile.matmul_mx" || name == "tile.matmul_mx_acc") {
    return convertMx(op);
  }
  if (std::optional<LogicalResult> done = convertDeviceOp(op)) {
    return *done;
  }
  if (name == "tensor.write" || name == "tile.write") {
    return convertWrite(op);
  }
  return notLowered(op, userName(op));
}

bool KernelConverter::checkInstruction(GenericOp op, const VectorOp &row) {
  const pto::Instruction *instruction = pto::findInstruction(row.instruction);
  StringRef allowed = target_.arch == target::Arch::A5 ? instruction->typesA5 : instruction->types;
  TileType deciding;
  for (Value operand : op.getOperands()) {
    TileType tile = tileType(operand);
    if (tile && (!deciding || (instruction->relation == pto::Relation::Select && operand != op.getArgument("mask") &&
                               deciding == tileType(op.getArgument("mask"))))) {
      deciding = tile;
    }
  }
  if (!deciding || instruction->relation == pto::Relation::Fill || instruction->relation == pto::Relation::Count) {
    deciding = tileType(op->getResult(0));
  }
  if (allowed.empty() || !deciding) {
    return true;
  }
  Type element = elementType(op.getContext(), deciding.getDtype());
  std::string spelled;
  llvm::raw_string_ostream(spelled) << (element ? signless(element) : Type());
  SmallVector<StringRef> list;
  allowed.split(list, ' ');
  const bool known = element && llvm::is_contained(list, StringRef(spelled));
  const bool ordered = target_.arch != target::Arch::A5 && instruction->relation == pto::Relation::Predicate &&
                       pto::isOrderOfIntegers(op.getText("cmp_type", "eq"), spelled);
  if (known && !ordered) {
    return true;
  }
  SmallVector<StringRef> names;
  for (StringRef type : list) {
    if (ordered && type.starts_with("i")) {
      continue;
    }
    for (DType dtype : {DType::I8, DType::I16, DType::I32, DType::F16, DType::BF16, DType::F32}) {
      Type candidate = elementType(op.getContext(), dtype);
      std::string text;
      llvm::raw_string_ostream(text) << candidate;
      if (type == text) {
        names.push_back(plName(dtype));
      }
    }
  }
  auto diagnostic = bridge::emitDiag(rangeLoc(op.getLoc()), diag::VectorDtype,
                                     llvm::formatv("{0} has no {1} of {2} tiles{3}", target_.displayName, userName(op),
                                                   plName(deciding.getDtype()), known ? " but for equality" : "")
                                         .str());
  diagnostic.help("cast to one of " + llvm::join(names, ", "));
  return false;
}

bool KernelConverter::instructionConfig(GenericOp op, NamedAttrList &config, NamedAttrList &trailing) {
  Builder builder(op.getContext());
  StringRef name = op.getName();
  if (op.getFlag("high_precision")) {
    (void)notLowered(op, "`high_precision`");
    return false;
  }
  if (name == "tile.cast") {
    config.set("rmode", builder.getStringAttr("#pto<round_mode " + op.getText("mode", "round").upper() + ">"));
  } else if (name == "tile.cmp" || name == "tile.cmps") {
    config.set("cmpMode", builder.getStringAttr("#pto<cmp " + op.getText("cmp_type", "eq").str() + ">"));
  } else if (name == "tile.col_sum" && op.getArgument("tmp_tile")) {
    config.set("isBinary", builder.getBoolAttr(true));
  } else if (name == "tile.gather_mask") {
    config.set("maskPattern",
               builder.getStringAttr("#pto.mask_pattern<" + op.getText("mask_pattern", "P1111").str() + ">"));
  } else if (name == "tile.histogram") {
    auto byte = dyn_cast_or_null<IntegerAttr>(op.getConfig("byte"));
    trailing.set("byte", builder.getI32IntegerAttr(byte ? static_cast<int32_t>(byte.getInt()) : 1));
  } else if (name == "tile.quant") {
    const bool moved = static_cast<bool>(op.getArgument("offset"));
    trailing.set("quant_type",
                 builder.getStringAttr(moved ? "#pto<quant_type INT8_ASYM>" : "#pto<quant_type INT8_SYM>"));
  } else if (name == "tile.arange" || name == "tile.ci") {
    trailing.set("descending", builder.getBoolAttr(op.getFlag("descending")));
  }
  return true;
}

Value KernelConverter::elementScalar(GenericOp op, StringRef parameter, Type type) {
  Builder builder(op.getContext());
  Type target = signless(type);
  if (auto constant = dyn_cast_or_null<IntegerAttr>(op.getConfig(parameter))) {
    if (isa<FloatType>(target)) {
      return kernel_->constant(builder.getFloatAttr(target, constant.getValue().signedRoundToDouble()));
    }
    return kernel_->constant(builder.getIntegerAttr(target, constant.getInt()));
  }
  Value value = op.getArgument(parameter);
  if (!value) {
    (void)notLowered(op, "`" + parameter + "` as it is given");
    return {};
  }
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()); number && isa<FloatType>(target)) {
      APFloat converted = number.getValue();
      bool loses = false;
      converted.convert(cast<FloatType>(target).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
      return kernel_->constant(FloatAttr::get(target, converted));
    }
    if (auto number = dyn_cast<IntegerAttr>(constant.getValue())) {
      if (isa<FloatType>(target)) {
        return kernel_->constant(builder.getFloatAttr(target, number.getValue().signedRoundToDouble()));
      }
      return kernel_->constant(IntegerAttr::get(target, number.getValue().sextOrTrunc(target.getIntOrFloatBitWidth())));
    }
  }
  Value mapped = scalar(value);
  if (!mapped) {
    return {};
  }
  Value converted = convertScalar(kernel_->body(), locOf(op), mapped, target);
  if (!converted) {
    (void)notLowered(op, "this conversion of a scalar");
  }
  return converted;
}

Value KernelConverter::flatHandle(Value tile) {
  std::optional<View> view = viewOf(tile);
  if (!view) {
    return {};
  }
  if (isColumn(view->type)) {
    TileType row = view->type.withShape({1, view->type.getShape()[0]});
    view->type = withValid(row, {1, view->type.getValidOrShape()[0]});
    std::swap(view->live[0], view->live[1]);
  }
  return handle(tile, *view);
}

LogicalResult KernelConverter::convertMerge(GenericOp op) {
  SmallVector<Value> ins;
  for (StringRef word : {"src0", "src1", "src2", "src3", "tmp"}) {
    Value operand = op.getArgument(word);
    if (!operand) {
      continue;
    }
    TileType type = tileType(operand);
    if (!type || type.getShape()[0] != 1) {
      return notLowered(op, "merging tiles of several rows");
    }
    ins.push_back(handle(operand));
    if (!ins.back()) {
      return failure();
    }
  }
  noteCore(Mem::Vec, op);
  Value out = handle(op->getResult(0));
  if (!out) {
    return failure();
  }
  // The assembler wants a place for how many of each were taken, which nobody asks for.
  Builder builder(op.getContext());
  auto counts = VectorType::get({4}, builder.getI16Type());
  ins.push_back(kernel_->constant(DenseElementsAttr::get(counts, builder.getI16IntegerAttr(0))));
  NamedAttrList config;
  config.set("exhausted", builder.getBoolAttr(op.getFlag("exhausted")));
  pto::InstrOp::create(kernel_->body(), locOf(op), builder.getStringAttr("tmrgsort"), ins, ValueRange{out},
                       builder.getI64IntegerAttr(static_cast<int64_t>(ins.size()) - 2),
                       config.getDictionary(op.getContext()), DictionaryAttr());
  return success();
}

LogicalResult KernelConverter::convertInstruction(GenericOp op, const VectorOp &row) {
  Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
  if (!tileType(result)) {
    return notLowered(op, userName(op));
  }
  const pto::Relation relation = pto::findInstruction(row.instruction)->relation;
  if (relation == pto::Relation::Count && tileType(result).getShape()[0] != 1) {
    return notLowered(op, "counting up in a tile of several rows");
  }
  NamedAttrList config;
  NamedAttrList trailing;
  if (op.getName() == "tile.mrgsort" && op.getArgument("src1")) {
    return checkInstruction(op, row) ? convertMerge(op) : failure();
  }
  if (!checkInstruction(op, row) || !instructionConfig(op, config, trailing)) {
    return failure();
  }
  noteCore(Mem::Vec, op);
  std::optional<View> made = viewOf(result);
  if (!made) {
    return failure();
  }
  // What is computed is what is live in the result and in every operand along the axes they share.
  const bool byRow = relation == pto::Relation::RowSpread || relation == pto::Relation::RowExpand;
  const bool byColumn = relation == pto::Relation::ColSpread || relation == pto::Relation::ColExpand;
  const bool common = byRow || byColumn || relation == pto::Relation::Same || relation == pto::Relation::Cast ||
                      relation == pto::Relation::Select || relation == pto::Relation::Update;
  ArrayRef<int64_t> shape = tileType(result).getShape();
  auto shares = [&](TileType type, unsigned axis) {
    return type.getShape() == shape || (type.getShape()[axis] == shape[axis] && (axis == 0 ? byRow : byColumn));
  };
  SmallVector<int64_t> valid(made->type.getValidOrShape());
  StringRef scratchName = scratchParameter(row);
  Value scratch = scratchName.empty() ? Value() : op.getArgument(scratchName);
  SmallVector<StringRef> all;
  SmallVector<StringRef> words;
  row.operands.split(all, ' ');
  for (StringRef word : all) {
    if (!word.consume_back("?") || op.getArgument(word)) {
      words.push_back(word);
    }
  }
  SmallVector<std::pair<Value, View>> views;
  for (StringRef word : words) {
    Value operand = word.starts_with("*") ? Value() : op.getArgument(word);
    if (!tileType(operand)) {
      continue;
    }
    std::optional<View> view = viewOf(operand);
    if (!view) {
      return failure();
    }
    for (unsigned axis : {0u, 1u}) {
      if (common && word != "mask" && shares(view->type, axis)) {
        const int64_t live = view->type.getValidOrShape()[axis];
        if (ShapedType::isDynamic(live) && !ShapedType::isDynamic(valid[axis])) {
          valid[axis] = live;
          made->live[axis] = view->live[axis];
        } else if (!ShapedType::isDynamic(live) && !ShapedType::isDynamic(valid[axis])) {
          valid[axis] = std::min(valid[axis], live);
        }
      }
    }
    views.emplace_back(operand, *view);
  }
  made->type = withValid(made->type, valid);
  auto narrowed = [&](View view) {
    SmallVector<int64_t> own(view.type.getValidOrShape());
    for (unsigned axis : {0u, 1u}) {
      if (shares(view.type, axis)) {
        own[axis] = valid[axis];
        view.live[axis] = made->live[axis];
      }
    }
    view.type = withValid(view.type, own);
    return view;
  };
  auto shown = [&](Value tile, View view) -> Value {
    if (common && tile != scratch && tile != op.getArgument("mask")) {
      view = narrowed(view);
    }
    return handle(tile, view);
  };
  if (relation == pto::Relation::Pad) {
    made->pad = llvm::StringSwitch<int64_t>(op.getText("pad_value", "zero"))
                    .Case("null", 0)
                    .Case("zero", 1)
                    .Case("max", 2)
                    .Default(3);
  }
  if (relation == pto::Relation::Count && !isSignedInt(made->type.getDtype())) {
    // Counting up knows signed integers only; the bits are the same.
    const DType dtype = bitWidth(made->type.getDtype()) == 16 ? DType::I16 : DType::I32;
    made->type = TileType::get(op.getContext(), made->type.getShape(), dtype, made->type.getMem(),
                               made->type.getValid(), made->type.getTransposed());
  }
  Value out = shown(result, *made);
  if (!out) {
    return failure();
  }
  Type element = cast<pto::TileBufType>(out.getType()).getDtype();
  // A line stood on its end keeps its bytes.
  if (relation == pto::Relation::Transpose && llvm::is_contained(made->type.getShape(), 1)) {
    Value source = flatHandle(op.getArgument("tile"));
    Value target = flatHandle(result);
    if (!source || !target) {
      return failure();
    }
    pto::TMovOp::create(kernel_->body(), locOf(op), source, target);
    return success();
  }
  SmallVector<Value> ins;
  std::optional<int64_t> scratchAt;
  for (StringRef word : words) {
    if (word.starts_with("*")) {
      if (!scratch) {
        continue;
      }
      scratchAt = ins.size();
      ins.push_back(handle(scratch));
    } else if (Value operand = op.getArgument(word); tileType(operand)) {
      auto found = llvm::find_if(views, [&](const auto &entry) { return entry.first == operand; });
      ins.push_back(shown(operand, found->second));
    } else if (operand && isa<TensorType>(operand.getType())) {
      return notLowered(op, userName(op) + " of a tensor in GM");
    } else {
      Type scalarType = word == "block_len" ? Type(kernel_->body().getI32Type()) : element;
      if (relation == pto::Relation::Predicate || relation == pto::Relation::Update) {
        scalarType = cast<pto::TileBufType>(ins.front().getType()).getDtype();
      }
      ins.push_back(elementScalar(op, word, scalarType));
    }
    if (!ins.back()) {
      return failure();
    }
  }
  Builder builder(op.getContext());
  auto dictionary = [&](NamedAttrList &list) {
    return list.empty() ? DictionaryAttr() : list.getDictionary(op.getContext());
  };
  pto::InstrOp::create(kernel_->body(), locOf(op), builder.getStringAttr(row.instruction), ins, ValueRange{out},
                       scratchAt ? builder.getI64IntegerAttr(*scratchAt) : IntegerAttr(), dictionary(config),
                       dictionary(trailing));
  return success();
}

//===-- Copies and windows ----------------------------------------------------------------------------------------===//

LogicalResult KernelConverter::convertVectorMove(TileMoveOp move) {
  Value source = flatHandle(move.getSource());
  Value result = flatHandle(move.getResult());
  if (!source || !result) {
    return failure();
  }
  pto::TMovOp::create(kernel_->body(), locOf(move), source, result);
  return success();
}

bool KernelConverter::checkWindowStart(Operation *op, TileType whole, OpFoldResult first) {
  const int64_t unit = *c0Elements(whole.getDtype());
  if (std::optional<int64_t> column = getConstantIntValue(first)) {
    if (*column % unit == 0) {
      return true;
    }
    bridge::emitDiag(
        rangeLoc(op->getLoc()), diag::VectorAlign,
        llvm::formatv("the window begins at element {0} of a row of {1}: the vector unit reads rows from a "
                      "multiple of {2} elements (32 bytes) on",
                      *column, plName(whole.getDtype()), unit)
            .str());
    return false;
  }
  if (prover_.isMultiple(cast<Value>(first), unit)) {
    return true;
  }
  bridge::emitDiag(rangeLoc(op->getLoc()), diag::VectorAlign,
                   llvm::formatv("the window begins at an element of a row of {0} that is not provably a multiple of "
                                 "{1}: the vector unit reads rows in blocks of 32 bytes",
                                 plName(whole.getDtype()), unit)
                       .str());
  return false;
}

std::optional<KernelConverter::View> KernelConverter::copyView(Operation *op, Value tile) {
  // A copy looks at widths, and has only one type of each.
  std::optional<View> view = viewOf(tile);
  if (!view) {
    return std::nullopt;
  }
  const TileType type = view->type;
  const unsigned bits = bitWidth(type.getDtype());
  if (bits > 32) {
    (void)notLowered(op, "a window of 64-bit elements");
    return std::nullopt;
  }
  if (!isFloat(type.getDtype())) {
    const DType dtype = bits == 32 ? DType::F32 : bits == 16 ? DType::F16 : DType::I8;
    view->type =
        TileType::get(type.getContext(), type.getShape(), dtype, type.getMem(), type.getValid(), type.getTransposed());
  }
  if (isColumn(type)) {
    view->type = withValid(view->type.withShape({1, type.getShape()[0]}), {1, type.getValidOrShape()[0]});
    std::swap(view->live[0], view->live[1]);
  }
  return view;
}

LogicalResult KernelConverter::copyByIndex(Operation *op, StringRef instruction, Value source, Value result,
                                           ArrayRef<OpFoldResult> offsets) {
  std::optional<View> sourceView = copyView(op, source);
  std::optional<View> resultView = sourceView ? copyView(op, result) : std::nullopt;
  Location loc = locOf(op);
  Value row = extent(loc, offsets[0]);
  Value column = extent(loc, offsets[1]);
  Value from = resultView ? handle(source, *sourceView) : Value();
  if (!row || !column || !from) {
    return failure();
  }
  // No copy was planned for what is only stored; an assembler that places tiles has room for one.
  const bool stored = op->hasAttr(kWindowAttr);
  std::optional<pto::TileBufType> type = stored ? bufferType(result, *resultView) : std::nullopt;
  Location at = namedLoc(loc, nameOf(result, "tile"), "_window");
  Value to =
      type     ? pto::AllocTileOp::create(kernel_->body(), at, *type, Value(), resultView->live[0], resultView->live[1])
                     .getResult()
      : stored ? Value()
               : handle(result, *resultView);
  if (!to) {
    return failure();
  }
  Builder builder(op->getContext());
  pto::InstrOp::create(kernel_->body(), loc, builder.getStringAttr(instruction), ValueRange{from, row, column},
                       ValueRange{to}, IntegerAttr(), DictionaryAttr(), DictionaryAttr());
  if (!stored) {
    return success();
  }
  std::optional<View> own = viewOf(result);
  std::optional<pto::TileBufType> ownType = own ? bufferType(result, *own) : std::nullopt;
  windows_[result] = !ownType || *ownType == *type ? to : reshaped(at, to, *own, *ownType);
  return success(ownType.has_value());
}

bool KernelConverter::isShownOtherwise(Value tile) {
  Value shown = planned_ ? Value() : flatHandle(tile);
  return shown && isa_and_nonnull<pto::TReshapeOp, pto::BitcastOp>(shown.getDefiningOp());
}

Value KernelConverter::tileWindow(Operation *op, Value tile, ArrayRef<OpFoldResult> offsets, Value window) {
  TileType whole = tileType(tile);
  std::optional<View> part = viewOf(window);
  if (!part || whole.getRank() != 2 || offsets.size() != 2) {
    return {};
  }
  SmallVector<OpFoldResult> begin(offsets);
  if (isColumn(whole)) {
    std::swap(begin[0], begin[1]);
    TileType row = part->type.withShape({1, part->type.getShape()[0]});
    part->type = withValid(row, {1, part->type.getValidOrShape()[0]});
    std::swap(part->live[0], part->live[1]);
  } else if (part->type.getShape()[1] == 1) {
    (void)notLowered(op, "a window of one column of a wider tile");
    return {};
  }
  if (!checkWindowStart(op, whole, begin[1])) {
    return {};
  }
  Location loc = locOf(op);
  SmallVector<Value> indices;
  SmallVector<Value> valid;
  for (unsigned axis : {0u, 1u}) {
    indices.push_back(extent(loc, begin[axis]));
    const int64_t live = part->type.getValidOrShape()[axis];
    valid.push_back(ShapedType::isDynamic(live) ? part->live[axis] : kernel_->constantIndex(live));
  }
  Value source = flatHandle(tile);
  Type element = elementType(source_.getContext(), whole.getDtype());
  if (!source || !indices[0] || !indices[1] || !valid[0] || !valid[1] || !element) {
    return {};
  }
  auto type = pto::makeTileType([&]() { return source_->emitOpError(); }, target_, pto::Loc::Vec, element,
                                part->type.getShape()[0], part->type.getShape()[1], part->type.getValidOrShape()[0],
                                part->type.getValidOrShape()[1], false);
  if (!type) {
    return {};
  }
  return pto::SubviewOp::create(kernel_->body(), namedLoc(loc, nameOf(window, "tile"), "_window"), type, source,
                                indices, part->type.getShape(), valid);
}

LogicalResult KernelConverter::convertWindowCopy(TileExtractOp extract) {
  noteCore(Mem::Vec, extract);
  SmallVector<OpFoldResult> offsets = mixedList(extract.getOffsets(), extract.getStaticOffsets(), source_.getContext());
  TileType whole = extract.getSource().getType();
  TileType part = extract.getResult().getType();
  if (isColumn(whole) && isColumn(part) && part.getShape()[0] != whole.getShape()[0]) {
    // A part of the row that a column is shown as: a view of it would keep the length of the whole.
    std::swap(offsets[0], offsets[1]);
    return checkWindowStart(extract, whole, offsets[1])
               ? copyByIndex(extract, "textract", extract.getSource(), extract.getResult(), offsets)
               : failure();
  }
  if (isPartOfRows(whole, part) || isShownOtherwise(extract.getSource())) {
    if (isColumn(whole)) {
      std::swap(offsets[0], offsets[1]);
    }
    return checkWindowStart(extract, whole, offsets[1])
               ? copyByIndex(extract, "textract", extract.getSource(), extract.getResult(), offsets)
               : failure();
  }
  Value window = tileWindow(extract, extract.getSource(), offsets, extract.getResult());
  if (extract->hasAttr(kWindowAttr)) {
    windows_[extract.getResult()] = window;
    return success(static_cast<bool>(window));
  }
  Value result = window ? flatHandle(extract.getResult()) : Value();
  if (!window || !result) {
    return failure();
  }
  pto::TMovOp::create(kernel_->body(), locOf(extract), window, result);
  return success();
}

LogicalResult KernelConverter::convertAssemble(GenericOp op) {
  Value source = op.getArgument("source");
  Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
  if (!tileType(source) || !tileType(result) || tileType(source).getMem() != Mem::Vec ||
      tileType(result).getMem() != Mem::Vec) {
    return notLowered(op, userName(op) + " of these memories");
  }
  noteCore(Mem::Vec, op);
  SmallVector<OpFoldResult> offsets = op.getList("offset");
  const TileType whole = tileType(result);
  // A subview has the order of the tile itself, so that there is none of another view of it.
  if (offsets.size() == 2 && whole.getRank() == 2 &&
      (isPartOfRows(whole, tileType(source)) || isShownOtherwise(result))) {
    if (isColumn(whole)) {
      std::swap(offsets[0], offsets[1]);
    }
    return checkWindowStart(op, tileType(result), offsets[1]) ? copyByIndex(op, "tinsert", source, result, offsets)
                                                              : failure();
  }
  Value window = tileWindow(op, result, offsets, source);
  Value from = window ? flatHandle(source) : Value();
  if (!window || !from) {
    return failure();
  }
  pto::TMovOp::create(kernel_->body(), locOf(op), from, window);
  return success();
}

} // namespace placid::conversion
