// SPDX-License-Identifier: Apache-2.0
#include "compiler/conversion/pl_to_pto/kernel_builder.h"

#include "compiler/conversion/pl_to_pto/passes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

Type elementType(MLIRContext *context, DType dtype) {
  switch (dtype) {
  case DType::UI8:
  case DType::UI16:
  case DType::UI32:
  case DType::UI64:
    return IntegerType::get(context, bitWidth(dtype), IntegerType::Unsigned);
  case DType::I8:
  case DType::I16:
  case DType::I32:
  case DType::I64:
    return IntegerType::get(context, bitWidth(dtype));
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  case DType::F8E8M0:
    return pto::F8E8M0Type::get(context);
  case DType::HF8:
    return pto::HiF8Type::get(context);
  case DType::F16:
    return Float16Type::get(context);
  case DType::BF16:
    return BFloat16Type::get(context);
  case DType::F32:
    return Float32Type::get(context);
  default:
    return {};
  }
}

KernelBuilder::KernelBuilder(func::FuncOp source, StringRef name, Identities identities, int64_t workspaceBytes)
    : body_(source.getContext()), viewBuilder_(source.getContext()) {
  MLIRContext *context = source.getContext();
  OpBuilder builder(context);
  Location loc = rangeLoc(source.getLoc());
  function_ = func::FuncOp::create(loc, name, builder.getFunctionType({}, {}));
  function_.addEntryBlock();
  if (auto entry = source->getAttr(kEntryAttr)) {
    function_->setAttr(kEntryAttr, entry);
  }
  function_->setAttr(kSourceSymbolAttr, source.getSymNameAttr());
  arguments_.resize(source.getNumArguments());
  auto add = [&](bool tensors) {
    for (BlockArgument argument : source.getArguments()) {
      auto tensor = dyn_cast<TensorType>(argument.getType());
      if (static_cast<bool>(tensor) != tensors) {
        continue;
      }
      Type type = argument.getType();
      if (tensor) {
        // Scales are loaded in pairs, see scale_conversion.cpp.
        const DType shown = tensor.getDtype() == DType::F8E8M0 ? DType::I16 : tensor.getDtype();
        Type element = elementType(context, shown);
        type = pto::PtrType::get(context, element ? element : builder.getI8Type());
      }
      SmallVector<NamedAttribute> attrs;
      for (StringRef key : {StringRef(kNameAttr), StringRef(kDirAttr), StringRef(pl::kLogicalShapeAttr)}) {
        if (Attribute value = source.getArgAttr(argument.getArgNumber(), key)) {
          attrs.emplace_back(builder.getStringAttr(key), value);
        }
      }
      attrs.emplace_back(builder.getStringAttr(kArgTypeAttr), TypeAttr::get(argument.getType()));
      arguments_[argument.getArgNumber()] = addArgument(type, rangeLoc(argument.getLoc()), tensor ? "tensor" : "scalar",
                                                        builder.getDictionaryAttr(attrs));
    }
  };
  add(true);
  if (workspaceBytes > 0) {
    workspace_ = addArgument(
        pto::PtrType::get(context, builder.getF32Type()), loc, "workspace",
        builder.getDictionaryAttr({builder.getNamedAttr(kNameAttr, builder.getStringAttr("gm_pipe_buffer")),
                                   builder.getNamedAttr(kBytesAttr, builder.getI64IntegerAttr(workspaceBytes))}));
  }
  add(false);
  for (BlockArgument argument : source.getArguments()) {
    auto tensor = dyn_cast<TensorType>(argument.getType());
    if (tensor && tensor.getDistributed()) {
      auto tensorName = source.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kNameAttr);
      NamedAttribute named(builder.getStringAttr(kNameAttr),
                           builder.getStringAttr((tensorName ? tensorName.getValue() : StringRef("tensor")) + "_ctx"));
      contexts_[argument.getArgNumber()] =
          addArgument(pto::PtrType::get(context, builder.getI64Type()), rangeLoc(argument.getLoc()), "context",
                      builder.getDictionaryAttr(named));
    }
  }
  for (BlockArgument argument : source.getArguments()) {
    auto tensor = dyn_cast<TensorType>(argument.getType());
    for (Attribute dim : tensor ? tensor.getDims() : ArrayRef<Attribute>()) {
      auto symbol = dyn_cast<StringAttr>(dim);
      if (symbol && !extents_.contains(symbol.getValue())) {
        NamedAttribute nameAttr(builder.getStringAttr(kNameAttr), symbol);
        extents_[symbol.getValue()] =
            addArgument(builder.getIndexType(), loc, "extent", builder.getDictionaryAttr(nameAttr));
      }
    }
  }
  auto identity = [&](bool used, StringRef argumentName) -> Value {
    NamedAttribute nameAttr(builder.getStringAttr(kNameAttr), builder.getStringAttr(argumentName));
    return used ? addArgument(builder.getI32Type(), loc, "identity", builder.getDictionaryAttr(nameAttr)) : Value();
  };
  // A launcher passes index and number together, so that one of them brings both.
  const bool block = identities.blockIdx || identities.blockNum;
  blockIdx_ = identity(block, "block_idx");
  blockNum_ = identity(block, "block_num");
  subblockIdx_ = identity(identities.subblockIdx, "subblock_idx");
  body_.setInsertionPointToEnd(&function_.getBody().front());
  viewBuilder_.setInsertionPointToEnd(&views_);
}

KernelBuilder::~KernelBuilder() {
  if (!finished_) {
    // Body, views and constants use each other: uses go first, then what they used.
    views_.dropAllReferences();
    function_->dropAllReferences();
    function_->erase();
  }
}

Value KernelBuilder::addArgument(Type type, Location loc, StringRef kind, DictionaryAttr attrs) {
  Builder builder(function_.getContext());
  SmallVector<NamedAttribute> all(attrs.begin(), attrs.end());
  all.emplace_back(builder.getStringAttr(kArgKindAttr), builder.getStringAttr(kind));
  unsigned index = function_.getNumArguments();
  (void)function_.insertArgument(index, type, builder.getDictionaryAttr(all), loc);
  return function_.getArgument(index);
}

Value KernelBuilder::identity(Operation *reader) {
  if (isa<BlockIdxOp>(reader)) {
    return blockIdx_;
  }
  return isa<BlockNumOp>(reader) ? blockNum_ : subblockIdx_;
}

Value KernelBuilder::constant(TypedAttr value) {
  Value &known = constantValues_[value];
  if (!known) {
    OpBuilder builder(context());
    builder.setInsertionPointToEnd(&constants_);
    known = arith::ConstantOp::create(builder, function_.getLoc(), value);
  }
  return known;
}

Value KernelBuilder::constantIndex(int64_t value) { return constant(Builder(context()).getIndexAttr(value)); }

Value KernelBuilder::extentValue(Attribute extent) {
  if (auto value = dyn_cast<IntegerAttr>(extent)) {
    return constantIndex(value.getInt());
  }
  return this->extent(cast<StringAttr>(extent).getValue());
}

Value KernelBuilder::multiply(Value lhs, Value rhs) {
  std::optional<int64_t> left = getConstantIntValue(lhs);
  std::optional<int64_t> right = getConstantIntValue(rhs);
  if (left && right) {
    return constantIndex(*left * *right);
  }
  if (left == 1) {
    return rhs;
  }
  if (right == 1) {
    return lhs;
  }
  return arith::MulIOp::create(viewBuilder_, function_.getLoc(), lhs, rhs);
}

bool KernelBuilder::viewStrides(TensorType type, SmallVectorImpl<Value> &strides, pto::Layout &layout,
                                std::string &why) {
  const unsigned rank = type.getRank();
  layout = pto::Layout::ND;
  if (type.getLayout() == Layout::NZ) {
    layout = pto::Layout::NZ;
    if (rank != 5) {
      why = "an NZ tensor that was not blocked";
      return false;
    }
    if (bitWidth(type.getDtype()) > 32) { // ptoas knows NZ fractals of one, two and four bytes
      why = std::string("an NZ tensor of ") + plName(type.getDtype()).str();
      return false;
    }
  } else if (type.getLayout() == Layout::DN) {
    layout = pto::Layout::DN;
  } else if (type.getLayout() != Layout::ND) {
    why = std::string("a tensor of layout ") + plName(type.getLayout()).str();
    return false;
  }
  auto isOne = [](Attribute stride) {
    auto value = dyn_cast<IntegerAttr>(stride);
    return value && value.getInt() == 1;
  };
  // A static column [M, 1] is contiguous both ways; the assembler wants it as DN.
  const bool packedColumn =
      layout == pto::Layout::ND && rank == 2 && type.getExtent(1) == 1 && llvm::all_of(type.getStrides(), isOne);
  if (packedColumn) {
    layout = pto::Layout::DN;
  }
  SmallVector<unsigned> order(rank);
  std::iota(order.begin(), order.end(), 0u);
  if (layout == pto::Layout::DN && rank >= 2) {
    std::swap(order[rank - 1], order[rank - 2]);
  }
  strides.assign(rank, Value());
  if (!type.getStrides().empty() && !packedColumn) {
    for (unsigned axis : llvm::reverse(order)) {
      strides[axis] = extentValue(type.getStrides()[axis]);
      if (!strides[axis]) {
        why = "a stride that is not the extent of an argument";
        return false;
      }
    }
    return true;
  }
  Value stride;
  unsigned inner = 0;
  for (unsigned axis : llvm::reverse(order)) {
    stride = stride ? multiply(extentValue(type.getDims()[inner]), stride) : constantIndex(1);
    strides[axis] = stride;
    inner = axis;
  }
  return true;
}

Value KernelBuilder::view(unsigned sourceIndex, TensorType type, std::string &why) {
  Value &known = viewValues_[{sourceIndex, type}];
  if (known) {
    return known;
  }
  auto name =
      function_.getArgAttrOfType<StringAttr>(cast<BlockArgument>(argument(sourceIndex)).getArgNumber(), kNameAttr);
  Location loc = namedLoc(function_.getLoc(), name ? name.getValue() : "tensor", "_view");
  known = makeView(viewBuilder_, loc, argument(sourceIndex), type, why);
  return known;
}

Value KernelBuilder::viewAt(Location loc, Value pointer, TensorType type, std::string &why) {
  return makeView(body_, loc, pointer, type, why);
}

Value KernelBuilder::makeView(OpBuilder &builder, Location loc, Value pointer, TensorType type, std::string &why) {
  Type element = elementType(context(), type.getDtype());
  if (!element || type.getDtype() == DType::F8E8M0) {
    why = std::string("a tensor of ") + plName(type.getDtype()).str();
    return {};
  }
  SmallVector<Value> shape;
  for (Attribute dim : type.getDims()) {
    Value value = extentValue(dim);
    if (!value) {
      why = "an extent that no argument has";
      return {};
    }
    shape.push_back(value);
  }
  SmallVector<Value> strides;
  pto::Layout layout;
  if (!viewStrides(type, strides, layout, why)) {
    return {};
  }
  auto viewType =
      pto::TensorViewType::get(context(), SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic), element);
  return pto::MakeTensorViewOp::create(builder, loc, viewType, pointer, shape, strides,
                                       pto::LayoutAttr::get(context(), layout));
}

func::FuncOp KernelBuilder::finish() {
  // Scalars that only unused offsets needed. Backwards, so that what they used goes with them.
  SmallVector<Operation *> scalars;
  function_.walk([&](Operation *op) {
    if (isa<arith::ArithDialect>(op->getDialect())) {
      scalars.push_back(op);
    }
  });
  for (Operation *op : llvm::reverse(scalars)) {
    if (op->use_empty()) {
      op->erase();
    }
  }
  Block &entry = function_.getBody().front();
  for (Operation &constant : llvm::make_early_inc_range(constants_)) {
    if (constant.use_empty()) {
      constant.erase();
    }
  }
  entry.getOperations().splice(entry.begin(), views_.getOperations());
  entry.getOperations().splice(entry.begin(), constants_.getOperations());
  finished_ = true;
  return function_;
}

} // namespace placid::conversion
