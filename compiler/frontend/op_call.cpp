// SPDX-License-Identifier: Apache-2.0
// A call of an operation in the generic form: what rules ask of it, and the operation that comes out.
#include "compiler/frontend/op_call.h"

#include "compiler/dialect/pl/ir/lane_attrs.h"

namespace placid::frontend {

using syntax::Expr;

std::optional<int64_t> Shaped::extent(size_t axis) const {
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(dims[axis]);
  return number ? std::optional<int64_t>(number.getInt()) : std::nullopt;
}

bool Shaped::isStatic() const {
  return llvm::all_of(dims, [](mlir::Attribute dim) { return mlir::isa<mlir::IntegerAttr>(dim); });
}

bool extentsDiffer(mlir::Attribute a, mlir::Attribute b) {
  return mlir::isa<mlir::IntegerAttr>(a) && mlir::isa<mlir::IntegerAttr>(b) && a != b;
}

bool isExtent(mlir::Attribute extent, int64_t value) {
  auto number = mlir::dyn_cast<mlir::IntegerAttr>(extent);
  return number && number.getInt() == value;
}

bool isInteger(pl::DType dtype) { return !pl::isFloat(dtype) && dtype != pl::DType::TaskId; }

pl::DType promote(pl::DType a, pl::DType b) {
  if (a == b || pl::isFloat(a) != pl::isFloat(b)) {
    return pl::isFloat(b) ? b : a;
  }
  if (pl::bitWidth(a) != pl::bitWidth(b)) {
    return pl::bitWidth(a) > pl::bitWidth(b) ? a : b;
  }
  return !pl::isSignedInt(a) && pl::isSignedInt(b) ? b : a;
}

Val KernelBuilder::OpCall::value(std::string_view name) {
  const Expr *argument = get(name);
  if (!argument) {
    return Val::poison();
  }
  return argument == firstExpr ? first : builder.expression(*argument);
}

const KernelBuilder::OpCall::Argument *KernelBuilder::OpCall::find(std::string_view name) const {
  auto found = llvm::find_if(arguments, [&](const Argument &a) { return a.parameter && a.parameter->name == name; });
  return found == arguments.end() ? nullptr : &*found;
}

bool KernelBuilder::OpCall::hasShape(std::string_view name) const {
  const Argument *argument = find(name);
  return argument && (argument->value.isTensor() || argument->value.isTile());
}

Shaped KernelBuilder::OpCall::shaped(std::string_view name) const {
  Shaped out;
  const Val &value = find(name)->value;
  if (value.isTensor()) {
    pl::TensorType type = value.tensorType();
    out.dims.assign(type.getDims().begin(), type.getDims().end());
    out.valid.assign(type.getValid().begin(), type.getValid().end());
    out.dtype = type.getDtype();
    out.ragged = value.ragged;
    return out;
  }
  pl::TileType type = value.tileType();
  out.isTile = true;
  out.dims = pl::extentAttrs(context(), type.getShape());
  for (int64_t extent : type.getValid()) {
    out.valid.push_back(mlir::ShapedType::isDynamic(extent) ? pl::extentAttr(context(), "?")
                                                            : pl::extentAttr(context(), extent));
  }
  out.dtype = type.getDtype();
  out.mem = type.getMem();
  out.transposed = type.getTransposed();
  return out;
}

std::string KernelBuilder::OpCall::describe(std::string_view name) const {
  const Argument *argument = find(name);
  return argument ? builder.describe(argument->value) : "nothing";
}

source::ByteRange KernelBuilder::OpCall::rangeOf(std::string_view name) const {
  const Argument *argument = find(name);
  return argument ? argument->expr->range : expr.range;
}

std::optional<int64_t> KernelBuilder::OpCall::integer(std::string_view name) const {
  const Argument *argument = find(name);
  if (!argument) {
    return std::nullopt;
  }
  const ConstValue &constant = argument->isOperand ? argument->value.constant : argument->constant;
  bool known = argument->isOperand ? argument->value.isInt() : constant.isInt();
  return known ? std::optional<int64_t>(constant.integer) : std::nullopt;
}

bool KernelBuilder::OpCall::flagOf(std::string_view name) const {
  const Argument *argument = find(name);
  return argument && argument->constant.isNumber() && argument->constant.truthy();
}

std::string KernelBuilder::OpCall::text(std::string_view name) const {
  if (const Argument *argument = find(name)) {
    return argument->constant.text;
  }
  const ops::Parameter *parameter = form().find(name);
  return parameter ? std::string(parameter->defaultText) : "";
}

std::optional<pl::DType> KernelBuilder::OpCall::dtypeOf(std::string_view name) const {
  if (const Argument *argument = find(name)) {
    return argument->constant.dtype;
  }
  const ops::Parameter *parameter = form().find(name);
  return parameter ? pl::dtypeFromPlName(parameter->defaultText) : std::nullopt;
}

std::optional<pl::Mem> KernelBuilder::OpCall::memOf(std::string_view name) const {
  if (const Argument *argument = find(name)) {
    return argument->constant.mem;
  }
  const ops::Parameter *parameter = form().find(name);
  ConstValue value = parameter ? plName("pl", "Mem." + std::string(parameter->defaultText)) : ConstValue();
  return value.kind == ConstValue::Kind::Mem ? std::optional<pl::Mem>(value.mem) : std::nullopt;
}

//===-- Faults ----------------------------------------------------------------------------------------------------===//

std::string KernelBuilder::OpCall::operandsText() const {
  std::string out;
  for (const Argument &argument : arguments) {
    if (argument.isOperand && argument.parameter && !argument.value.isConst()) {
      out +=
          (out.empty() ? "" : ", ") + std::string(argument.parameter->name) + " is " + builder.describe(argument.value);
    }
  }
  return out;
}

std::nullopt_t KernelBuilder::OpCall::dtypeFault(std::string_view argument, const std::string &takes) {
  builder.reporter_.report(diag::OperandDtype, rangeOf(argument), path,
                           "`" + std::string(argument) + "` " + takes + ", got " + describe(argument));
  return std::nullopt;
}

std::nullopt_t KernelBuilder::OpCall::shapeFault(std::string_view argument, const std::string &words) {
  builder.shapeMismatch(rangeOf(argument), what(), words + ": " + operandsText());
  return std::nullopt;
}

std::nullopt_t KernelBuilder::OpCall::rankFault(std::string_view argument, const std::string &words) {
  builder.reporter_.report(diag::Rank, rangeOf(argument), what(), words + ", got " + describe(argument));
  return std::nullopt;
}

std::nullopt_t KernelBuilder::OpCall::typeFault(std::string_view argument, const std::string &words) {
  builder.typeMismatch(rangeOf(argument), what(), words);
  return std::nullopt;
}

//===-- Results ---------------------------------------------------------------------------------------------------===//

OpResult KernelBuilder::OpCall::result(const Shaped &shaped) const {
  OpResult out;
  if (!shaped.isTile) {
    out.kind = Val::Kind::Tensor;
    out.ragged = shaped.ragged;
    out.type = pl::TensorType::get(context(), shaped.dims, shaped.dtype, pl::Layout::ND, {}, shaped.valid, false);
    return out;
  }
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<int64_t> valid;
  for (mlir::Attribute dim : shaped.dims) {
    shape.push_back(mlir::cast<mlir::IntegerAttr>(dim).getInt());
  }
  for (mlir::Attribute dim : shaped.valid) {
    auto number = mlir::dyn_cast<mlir::IntegerAttr>(dim);
    valid.push_back(number ? number.getInt() : mlir::ShapedType::kDynamic);
  }
  if (valid == shape || valid.size() != shape.size()) {
    valid.clear();
  }
  out.kind = Val::Kind::Tile;
  out.type = pl::TileType::get(context(), shape, shaped.dtype, shaped.mem, valid, shaped.transposed);
  return out;
}

OpResults KernelBuilder::OpCall::scalar(pl::DType dtype) const {
  OpResult out;
  out.kind = Val::Kind::Scalar;
  out.dtype = dtype;
  out.type = pl::scalarType(context(), dtype);
  return {out};
}

OpResults KernelBuilder::OpCall::handle(llvm::StringRef handleKind) const {
  OpResult out;
  out.kind = Val::Kind::Task;
  out.type = pl::HandleType::get(context(), handleKind);
  return {out};
}

OpResults KernelBuilder::OpCall::like(std::string_view argument) const {
  const Val &value = find(argument)->value;
  OpResult out;
  out.kind = value.kind;
  out.dtype = value.dtype;
  out.type = value.ir.getType();
  out.ragged = value.ragged;
  return {out};
}

pl::Mem KernelBuilder::OpCall::resultMem() const {
  std::string_view rule = row.memory.result;
  if (rule.empty()) {
    return pl::Mem::Vec;
  }
  if (rule.front() == '=') {
    const Argument *argument = find(form().parameters[static_cast<size_t>(rule[1] - '0')].name);
    return argument && argument->value.isTile() ? argument->value.tileType().getMem() : pl::Mem::Vec;
  }
  if (form().find(rule)) {
    return memOf(rule).value_or(pl::Mem::Vec);
  }
  ConstValue value = plName("pl", "Mem." + std::string(rule));
  return value.kind == ConstValue::Kind::Mem ? value.mem : pl::Mem::Vec;
}

Val KernelBuilder::OpCall::afterFault() const {
  std::string_view written = kind == ops::FormKind::Tile ? row.writesTile : row.writesTensor;
  const Argument *argument = written.empty() ? nullptr : find(written);
  return argument ? argument->value : Val::poison();
}

//===-- The operation ---------------------------------------------------------------------------------------------===//

mlir::Value KernelBuilder::OpCall::operandOf(const Argument &argument) {
  const Val &value = argument.value;
  if (!value.isConst()) {
    return value.ir;
  }
  if (!value.constant.isNumber()) {
    return {};
  }
  // A literal takes the dtype of the first tensor or tile; an integer next to none is an INDEX.
  pl::DType dtype = value.constant.isFloat() ? pl::DType::F32 : pl::DType::Index;
  bool adopts = (argument.parameter->kinds & (ops::kNumber | ops::kIntNumber | ops::kScalar)) != 0;
  for (const Argument &other : arguments) {
    const bool predicate = form().rule == ops::Rule::SelectScalar && other.parameter->name == "mask";
    if (adopts && !predicate && (other.value.isTensor() || other.value.isTile())) {
      pl::DType element =
          other.value.isTensor() ? other.value.tensorType().getDtype() : other.value.tileType().getDtype();
      bool keeps = value.constant.isFloat() && !pl::isFloat(element);
      dtype = !keeps && pl::scalarType(context(), element) ? element : dtype;
      break;
    }
  }
  return builder.materialize(value, dtype, argument.expr->range);
}

mlir::Attribute KernelBuilder::OpCall::attributeOf(const Argument &argument) const {
  mlir::Builder &make = builder.builder_;
  const ConstValue &constant = argument.isOperand ? argument.value.constant : argument.constant;
  switch (constant.kind) {
  case ConstValue::Kind::Bool:
    return make.getBoolAttr(constant.truthy());
  case ConstValue::Kind::Int:
    return make.getI64IntegerAttr(constant.integer);
  case ConstValue::Kind::Float:
    return make.getF64FloatAttr(constant.real);
  case ConstValue::Kind::DType:
    return make.getStringAttr(pl::stringifyDType(constant.dtype));
  case ConstValue::Kind::Mem:
    return make.getStringAttr(pl::stringifyMem(constant.mem));
  case ConstValue::Kind::Layout:
    return make.getStringAttr(pl::stringifyLayout(constant.layout));
  default:
    return make.getStringAttr(constant.text);
  }
}

bool KernelBuilder::OpCall::gather(const Argument &argument, Gathered &out) {
  mlir::OpBuilder &make = builder.builder_;
  std::string_view name = argument.parameter->name;
  llvm::StringRef key(name.data(), name.size());
  auto add = [&](mlir::Value value) {
    if (value) {
      out.operands.push_back(value);
      out.names.push_back(make.getStringAttr(key));
      out.exprs.push_back(argument.expr);
    }
  };
  if (argument.isList) {
    Mixed list = mixed(argument.list);
    for (mlir::Value value : list.dynamic) {
      add(value);
    }
    out.attributes.push_back(make.getNamedAttr(key, make.getDenseI64ArrayAttr(list.statics)));
    if (name.starts_with("shape")) {
      out.lists.push_back({pl::kSizesArg, builder.exprsOf(argument.list, *argument.expr)});
    } else if (name.starts_with("offset")) {
      out.lists.push_back({pl::kOffsetsArg, builder.exprsOf(argument.list, *argument.expr)});
    }
    return true;
  }
  if (!argument.isOperand) {
    out.attributes.push_back(make.getNamedAttr(key, attributeOf(argument)));
    return true;
  }
  for (const Val &item : argument.items) {
    add(item.ir);
  }
  if (!argument.items.empty()) {
    return true;
  }
  // A literal is an operand where it stands for elements, else an attribute.
  bool element = (argument.parameter->kinds & (ops::kNumber | ops::kIntNumber | ops::kScalar)) != 0;
  if (argument.value.isConst() && !element) {
    out.attributes.push_back(make.getNamedAttr(key, attributeOf(argument)));
    return true;
  }
  mlir::Value value = operandOf(argument);
  if (!value && argument.value.isConst()) {
    return false; // a literal that does not fit, reported
  }
  out.scalarRight |= name == "rhs" && !argument.value.isTensor() && !argument.value.isTile();
  add(value);
  return true;
}

std::string KernelBuilder::OpCall::irNameFor(const Gathered &gathered) const {
  std::string name = ops::irName(row, kind);
  if (!gathered.scalarRight) {
    return name;
  }
  // `pl.mul(x, 2.0)` is `muls`, where there is such a row.
  std::string withScalar = ops::irNameWithScalar(name);
  ops::OpMatch match = ops::findIrName(withScalar);
  bool fits = match.row && llvm::all_of(gathered.attributes, [&](const mlir::NamedAttribute &attribute) {
                llvm::StringRef key = attribute.getName().getValue();
                return match.row->form(*match.kind)->find(std::string_view(key.data(), key.size())) != nullptr;
              });
  return fits ? withScalar : name;
}

Val KernelBuilder::OpCall::emit(const OpResults &results) {
  Gathered gathered;
  for (const Argument &argument : arguments) {
    if (!gather(argument, gathered)) {
      return Val::poison();
    }
  }
  mlir::OpBuilder &make = builder.builder_;
  llvm::SmallVector<mlir::Type> types;
  for (const OpResult &made : results) {
    types.push_back(made.type);
  }
  gathered.lists.push_back({pl::kOperandsArg, gathered.exprs});
  auto op = pl::GenericOp::create(make, builder.accessLocation(expr.range, gathered.lists), types,
                                  make.getStringAttr(irNameFor(gathered)), gathered.operands,
                                  make.getArrayAttr(gathered.names));
  for (const mlir::NamedAttribute &attribute : gathered.attributes) {
    op->setDiscardableAttr(attribute.getName(), attribute.getValue());
  }
  if (const std::optional<int64_t> axis = row.category == ops::Category::Split ? laneAxis() : std::nullopt) {
    op->setDiscardableAttr(pl::kLaneAxisAttr, make.getI64IntegerAttr(*axis));
  }
  std::vector<Val> bound;
  for (auto [i, made] : llvm::enumerate(results)) {
    Val out;
    out.kind = made.kind;
    out.ir = op->getResult(static_cast<unsigned>(i));
    out.dtype = made.dtype;
    out.ragged = made.ragged;
    bound.push_back(std::move(out));
  }
  std::string_view written = kind == ops::FormKind::Tile ? row.writesTile : row.writesTensor;
  if (const Argument *target = written.empty() ? nullptr : find(written)) {
    if (!bound.empty()) {
      bound[0].origin = target->value.origin;
    }
  }
  if (bound.empty()) {
    return Val::poison();
  }
  if (bound.size() == 1) {
    return bound[0];
  }
  Val out;
  out.kind = Val::Kind::Tuple;
  out.items = std::move(bound);
  return out;
}

} // namespace placid::frontend
