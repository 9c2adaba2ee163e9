// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/lower/trace_writer.h"

using namespace mlir;

namespace placid::pro {

namespace {

pl::Mem memOf(Space space) {
  switch (space) {
  case Space::Vec:
    return pl::Mem::Vec;
  case Space::Mat:
    return pl::Mem::Mat;
  case Space::Left:
    return pl::Mem::Left;
  case Space::Right:
    return pl::Mem::Right;
  case Space::Acc:
    return pl::Mem::Acc;
  case Space::Bias:
    return pl::Mem::Bias;
  case Space::Scaling:
    return pl::Mem::Scaling;
  case Space::ScaleLeft:
    return pl::Mem::LeftScale;
  case Space::ScaleRight:
    return pl::Mem::RightScale;
  default:
    return pl::Mem::Unset;
  }
}

} // namespace

void TraceWriter::refuse(Site at, std::string why) {
  if (trace_.refused.empty()) {
    trace_.refused = std::move(why);
    trace_.refusedAt = at;
  }
}

Location TraceWriter::location(Site at) {
  if (!at.module) {
    return builder_.getUnknownLoc();
  }
  const source::SourceText &text = *at.module->source;
  source::LineColumn start = text.lines.lineColumn(at.range.begin);
  source::LineColumn end = text.lines.lineColumn(at.range.end);
  return FileLineColRange::get(builder_.getStringAttr(text.path), start.line + 1, start.column + 1, end.line + 1,
                               end.column + 1);
}

std::optional<pl::DType> TraceWriter::dtypeOf(DType dtype) {
  return isFp4(dtype) ? std::nullopt : pl::dtypeFromPlName(name(dtype));
}

Type TraceWriter::tensorType(const TensorInfo &info) {
  std::optional<pl::DType> dtype = info.dtype && info.rankKnown ? dtypeOf(*info.dtype) : std::nullopt;
  bool nz = info.layout == Layout::NZ;
  if (!dtype || info.poisoned || (!nz && info.layout != Layout::ND)) {
    return {};
  }
  constexpr size_t kMaxRank = 5; // of a view in PTO IR
  if (info.shape.size() > kMaxRank) {
    return {};
  }
  MLIRContext *context = builder_.getContext();
  std::vector<Extent> shape = info.shape;
  size_t rank = shape.size();
  if (nz && shape[rank - 2] && shape[rank - 1]) {
    NzPlane plane = nzPlane(*shape[rank - 2], *shape[rank - 1], *info.dtype);
    shape[rank - 2] = plane.paddedRows;
    shape[rank - 1] = plane.paddedColumns;
  } else if (nz) {
    return {}; // the extents of its storage are known at run time only
  }
  SmallVector<Attribute> dims;
  for (const Extent &extent : shape) {
    std::string symbol = info.name + "_" + std::to_string(dims.size());
    dims.push_back(extent ? pl::extentAttr(context, *extent) : pl::extentAttr(context, symbol));
  }
  return pl::TensorType::get(context, dims, *dtype, nz ? pl::Layout::NZ : pl::Layout::ND);
}

pl::TileType TraceWriter::tileType(const TileTypeInfo &type) {
  std::optional<pl::DType> dtype = dtypeOf(*type.dtype);
  pl::Mem mem = memOf(*type.space);
  bool column = *type.space == Space::Vec && *type.layout == Layout::DN && *type.shape.back() == 1;
  Layout standard = *type.space == Space::Vec ? Layout::ND : defaultLayout(*type.space, arch_).value_or(Layout::ND);
  bool line = *type.space == Space::Mat && type.shape[0] == 1 && *type.layout == Layout::ND;
  bool turned = *type.space == Space::Mat && *type.layout == Layout::ZN;
  if (*type.dtype == DType::Fp8E8M0 && *type.space == Space::Mat) { // scales: their default is that of the left operand
    turned = *type.layout == Layout::NN;
    standard = Layout::ZZ;
    column = turned;
    line = false;
  }
  // What is only a step on the way to L1 is the matrix that it holds.
  bool boxed = *type.space == Space::Vec && *type.layout == Layout::NZ;
  if (!dtype || mem == pl::Mem::Unset || !(*type.layout == standard || column || line || turned || boxed)) {
    return {};
  }
  SmallVector<int64_t> shape;
  for (const Extent &extent : type.shape) {
    shape.push_back(*extent);
  }
  return pl::TileType::get(builder_.getContext(), shape, *dtype, mem, ArrayRef<int64_t>{}, turned);
}

pl::TileType TraceWriter::typeOf(unsigned place, Site at) {
  const TraceTile &tile = trace_.tiles[place];
  pl::TileType type = tileType(tile.type);
  if (!type && isFp4(*tile.type.dtype)) {
    refuse(at, std::string(kFp4));
  }
  if (!type) {
    refuse(at, "a " + std::string(name(*tile.type.layout)) + " tile of " + std::string(name(*tile.type.dtype)) +
                   " in " + std::string(name(*tile.type.space)) + " has no form at the tile level");
  }
  return type;
}

mlir::Value TraceWriter::number(int64_t value, Location loc) {
  return arith::ConstantIndexOp::create(builder_, loc, value);
}

mlir::Value TraceWriter::truth(const IndexNode &node, Location loc) {
  using Kind = IndexNode::Kind;
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    Value a = index(*node.a, loc);
    Value b = index(*node.b, loc);
    return arith::CmpIOp::create(builder_, loc, predicate, a, b);
  };
  switch (node.kind) {
  case Kind::Equal:
    return compare(arith::CmpIPredicate::eq);
  case Kind::NotEqual:
    return compare(arith::CmpIPredicate::ne);
  case Kind::Less:
    return compare(arith::CmpIPredicate::slt);
  case Kind::LessEqual:
    return compare(arith::CmpIPredicate::sle);
  case Kind::And:
  case Kind::Or: {
    Value a = truth(*node.a, loc);
    Value b = truth(*node.b, loc);
    return node.kind == Kind::And ? Value(arith::AndIOp::create(builder_, loc, a, b))
                                  : Value(arith::OrIOp::create(builder_, loc, a, b));
  }
  case Kind::Not: {
    Value a = truth(*node.a, loc);
    Value one = arith::ConstantIntOp::create(builder_, loc, 1, 1);
    return arith::XOrIOp::create(builder_, loc, a, one);
  }
  default: {
    Value value = index(node, loc);
    Value zero = number(0, loc);
    return arith::CmpIOp::create(builder_, loc, arith::CmpIPredicate::ne, value, zero);
  }
  }
}

mlir::Value TraceWriter::index(const IndexNode &node, Location loc) {
  using Kind = IndexNode::Kind;
  if (node.range && node.range->isSingle()) {
    return number(node.range->low, loc);
  }
  if (node.kind == Kind::Symbol) {
    return symbol(node, loc);
  }
  if (node.kind == Kind::Loop) {
    auto found = loops_.find(node.constant);
    if (found == loops_.end()) {
      refuse(now_, "a number of a loop that is over is not known while compiling");
    }
    return found != loops_.end() ? found->second : number(0, loc);
  }
  if (node.kind == Kind::And || node.kind == Kind::Or) { // Python's: the operand that decides
    Value a = index(*node.a, loc);
    Value b = index(*node.b, loc);
    Value zero = number(0, loc);
    Value holds = arith::CmpIOp::create(builder_, loc, arith::CmpIPredicate::ne, a, zero);
    Value whenTrue = node.kind == Kind::And ? b : a;
    Value whenFalse = node.kind == Kind::And ? a : b;
    return arith::SelectOp::create(builder_, loc, holds, whenTrue, whenFalse);
  }
  if (node.kind > Kind::Max) {
    Value flag = truth(node, loc);
    return arith::IndexCastUIOp::create(builder_, loc, builder_.getIndexType(), flag);
  }
  Value a = index(*node.a, loc);
  Value b = index(*node.b, loc);
  switch (node.kind) {
  case Kind::Add:
    return arith::AddIOp::create(builder_, loc, a, b);
  case Kind::Sub:
    return arith::SubIOp::create(builder_, loc, a, b);
  case Kind::Mul:
    return arith::MulIOp::create(builder_, loc, a, b);
  case Kind::FloorDiv:
    return arith::FloorDivSIOp::create(builder_, loc, a, b);
  case Kind::FloorMod:
    return pl::FloorModOp::create(builder_, loc, a, b);
  case Kind::Min:
    return arith::MinSIOp::create(builder_, loc, a, b);
  default:
    return arith::MaxSIOp::create(builder_, loc, a, b);
  }
}

mlir::Value TraceWriter::symbol(const IndexNode &node, Location loc) {
  using Origin = IndexNode::Origin;
  if (node.symbol == Origin::Variable) {
    Value value = variable(node.constant, loc);
    return value ? value : number(0, loc);
  }
  if (node.symbol == Origin::Subblock && side_ == Side::Vector) {
    return pl::SubblockIdxOp::create(builder_, loc);
  }
  if (node.symbol == Origin::Subblock) {
    refuse(now_,
           "which vector core of its pair this is, of a kernel of which one core has nothing to do, is not lowered");
    return number(0, loc);
  }
  if (node.symbol == Origin::BlockIndex) {
    return pl::BlockIdxOp::create(builder_, loc);
  }
  if (node.symbol == Origin::BlockCount) {
    return pl::BlockNumOp::create(builder_, loc);
  }
  if (node.symbol == Origin::Parameter) {
    auto found = scalars_.find(node.first);
    if (found == scalars_.end()) {
      return number(0, loc);
    }
    auto [value, isUnsigned] = found->second;
    return isUnsigned ? Value(arith::IndexCastUIOp::create(builder_, loc, builder_.getIndexType(), value))
                      : Value(arith::IndexCastOp::create(builder_, loc, builder_.getIndexType(), value));
  }
  for (auto [i, tensor] : llvm::enumerate(trace_.tensors)) {
    if (tensor.info.number == node.first) {
      return pl::DimOp::create(builder_, loc, tensors_[i], builder_.getI64IntegerAttr(node.second));
    }
  }
  return number(0, loc);
}

mlir::Value TraceWriter::variable(int64_t number, Location) {
  auto found = variables_.find(number);
  if (found == variables_.end() || !found->second) {
    const TraceVariable &lost = trace_.variables[static_cast<size_t>(number)];
    refuse(now_.module ? now_ : lost.at, "what `" + lost.name + "` holds is not known while compiling");
    return {};
  }
  return found->second;
}

void TraceWriter::split(const std::vector<Index> &offsets, Location loc, SmallVector<Value> &dynamic,
                        SmallVector<int64_t> &statics) {
  for (const Index &offset : offsets) {
    if (offset->range && offset->range->isSingle()) {
      statics.push_back(offset->range->low);
    } else {
      dynamic.push_back(index(*offset, loc));
      statics.push_back(ShapedType::kDynamic);
    }
  }
}

pl::TileType TraceWriter::withValid(pl::TileType type, ArrayRef<int64_t> valid) {
  return pl::TileType::get(builder_.getContext(), type.getShape(), type.getDtype(), type.getMem(), valid,
                           type.getTransposed());
}

Type TraceWriter::scalarTypeOf(DType dtype) {
  std::optional<pl::DType> known = dtypeOf(dtype);
  return known ? pl::scalarType(builder_.getContext(), *known) : Type();
}

func::FuncOp TraceWriter::declare(ModuleOp module, const Trace *other) {
  std::map<int, Type> inputs; // by the number of the parameter
  SmallVector<Type> results;
  for (const TraceTensor &tensor : trace_.tensors) {
    Type type = tensorType(tensor.info);
    if (!type && tensor.info.dtype && isFp4(*tensor.info.dtype)) {
      refuse(tensor.info.annotation, std::string(kFp4));
    }
    if (!type) {
      refuse(tensor.info.annotation, "`" + tensor.info.name + "` has no form at the tile level");
      return {};
    }
    inputs[tensor.info.number] = type;
    if (tensor.written) {
      results.push_back(type);
    }
  }
  for (const TraceScalar &scalar : trace_.scalars) {
    Type type = scalarTypeOf(scalar.dtype);
    if (!type) {
      refuse(names_.at, "the number `" + scalar.name + "` has no form at the tile level");
      return {};
    }
    inputs[scalar.number] = type;
  }
  SmallVector<Type> types;
  std::map<int, unsigned> places;
  for (const auto &[number, type] : inputs) {
    places[number] = static_cast<unsigned>(types.size());
    types.push_back(type);
  }
  builder_.setInsertionPointToEnd(module.getBody());
  const std::string ending = side_ == Side::Cube ? "_aic" : side_ == Side::Vector ? "_aiv" : "";
  auto function = func::FuncOp::create(builder_, location(names_.at), names_.function + ending,
                                       builder_.getFunctionType(types, results));
  function->setAttr(pl::kKindAttr, builder_.getStringAttr("incore"));
  function->setAttr(pl::kEntryAttr, builder_.getStringAttr(names_.entry));
  Block *entry = function.addEntryBlock();
  for (auto [i, tensor] : llvm::enumerate(trace_.tensors)) {
    unsigned place = places[tensor.info.number];
    const bool written = tensor.written || (other && other->tensors[i].written);
    const bool isRead = tensor.read || (other && other->tensors[i].read);
    llvm::StringRef direction = written && isRead ? "inout" : written ? "out" : "in";
    function.setArgAttr(place, pl::kNameAttr, builder_.getStringAttr(tensor.info.name));
    function.setArgAttr(place, pl::kDirAttr, builder_.getStringAttr(direction));
    function.setArgAttr(place, pl::kAnnotationAttr, LocationAttr(location(tensor.info.annotation)));
    tensors_[i] = entry->getArgument(place);
  }
  for (const TraceScalar &scalar : trace_.scalars) {
    unsigned place = places[scalar.number];
    function.setArgAttr(place, pl::kNameAttr, builder_.getStringAttr(scalar.name));
    bool isUnsigned = name(scalar.dtype).starts_with("U") || scalar.dtype == DType::Bool;
    scalars_[scalar.number] = {entry->getArgument(place), isUnsigned};
    if (scalar.real >= 0) {
      variables_[scalar.real] = entry->getArgument(place);
    }
  }
  return function;
}

} // namespace placid::pro
