// SPDX-License-Identifier: Apache-2.0
// The part of KernelConverter that writes to other devices and signals them, and the arrays of scalars that count what
// goes where. A peer's part of a distributed tensor lies as far from this device's as their windows are apart: the
// context of the tensor is the runtime's record of them.
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/scalar_conversion.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace placid::pl;

namespace placid::conversion {

namespace {

// The runtime's record, in words of 64 bits: in one of them the number of this device and how many there are, and the
// addresses of the windows of all devices.
constexpr int64_t kRankWord = 2;
constexpr int64_t kWindowWords = 4;

} // namespace

std::optional<LogicalResult> KernelConverter::convertDeviceOp(GenericOp op) {
  StringRef name = op.getName();
  if (name == "pld.system.notify") {
    return convertNotify(op);
  }
  if (name == "pld.system.wait") {
    return convertWait(op);
  }
  if (name == "pld.tile.remote_store") {
    return convertRemoteStore(op);
  }
  if (name == "pld.tile.remote_load") {
    return convertRemoteLoad(op);
  }
  if (name == "pld.system.get_comm_ctx" || name == "pld.system.rank" || name == "pld.system.nranks") {
    return convertContext(op);
  }
  if (name.starts_with("array.")) {
    return convertArray(op);
  }
  return std::nullopt;
}

//===-- Between devices -------------------------------------------------------------------------------------------===//

std::optional<unsigned> KernelConverter::distributedArgument(Operation *op, Value tensor) {
  auto root = tensors_.find(tensor);
  auto type = dyn_cast_or_null<TensorType>(tensor ? tensor.getType() : Type());
  if (!type || root == tensors_.end() || !kernel_->context(root->second) || type.isNz() ||
      (type.getLayout() != Layout::ND && type.getLayout() != Layout::DN)) {
    (void)notLowered(op, "a signal or window that is not a distributed parameter");
    return std::nullopt;
  }
  return root->second;
}

Value KernelConverter::integerArgument(GenericOp op, StringRef parameter, Type type) {
  if (auto constant = dyn_cast_or_null<IntegerAttr>(op.getConfig(parameter))) {
    return kernel_->constant(IntegerAttr::get(type, constant.getInt()));
  }
  Value value = op.getArgument(parameter);
  Value known = value ? scalar(value) : Value();
  if (!known) {
    return {};
  }
  Value out = convertScalar(kernel_->body(), locOf(op), known, type);
  if (!out) {
    (void)notLowered(op, "`" + parameter + "` of this type");
  }
  return out;
}

Value KernelConverter::peerView(GenericOp op, Value tensor) {
  std::optional<unsigned> argument = distributedArgument(op, tensor);
  OpBuilder &builder = kernel_->body();
  Value peer = argument ? integerArgument(op, "peer", builder.getIndexType()) : Value();
  if (!peer) {
    return {};
  }
  Location loc = locOf(op);
  auto type = cast<TensorType>(tensor.getType());
  const int64_t bytes = bitWidth(type.getDtype()) / 8;
  if (bytes < 1) {
    (void)notLowered(op, "a window of elements that are less than a byte");
    return {};
  }
  Value context = kernel_->context(*argument);
  Type word = builder.getI64Type();
  auto read = [&](Value at) -> Value { return pto::LoadScalarOp::create(builder, loc, word, context, at); };
  Value pair = read(kernel_->constantIndex(kRankWord));
  Value rank = arith::TruncIOp::create(builder, loc, builder.getI32Type(), pair);
  Value own = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), rank);
  Value windows = kernel_->constantIndex(kWindowWords);
  Value here = read(arith::AddIOp::create(builder, loc, windows, own));
  Value there = read(arith::AddIOp::create(builder, loc, windows, peer));
  Value apart = arith::SubIOp::create(builder, loc, there, here);
  Value elements = arith::DivSIOp::create(builder, loc, apart, kernel_->constant(builder.getI64IntegerAttr(bytes)));
  Value distance = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), elements);
  Value pointer = kernel_->argument(*argument);
  Value remote = pto::AddPtrOp::create(builder, loc, pointer.getType(), pointer, distance);
  std::string why;
  Value view = kernel_->viewAt(namedLoc(loc, nameOf(tensor, "tensor"), "_peer"), remote, type, why);
  if (!view) {
    (void)notLowered(op, why);
  }
  return view;
}

LogicalResult KernelConverter::convertContext(GenericOp op) {
  Value result = op->getResult(0);
  if (op.getName() == "pld.system.get_comm_ctx") {
    std::optional<unsigned> argument = distributedArgument(op, op.getArgument("dist_tensor"));
    contexts_[result] = argument ? kernel_->context(*argument) : Value();
    return success(argument.has_value());
  }
  Value context = contexts_.lookup(op.getArgument("ctx"));
  if (!context || !result.getType().isInteger(32)) {
    return notLowered(op, "a context that is not that of a distributed parameter");
  }
  OpBuilder &builder = kernel_->body();
  Location loc = namedLoc(locOf(op), nameOf(result, "rank"), "");
  // The lower half of the word is the number of this device, the upper one how many there are.
  Value word =
      pto::LoadScalarOp::create(builder, loc, builder.getI64Type(), context, kernel_->constantIndex(kRankWord));
  if (op.getName() == "pld.system.nranks") {
    word = arith::ShRUIOp::create(builder, loc, word, kernel_->constant(builder.getI64IntegerAttr(32)));
  }
  scalars_[result] = arith::TruncIOp::create(builder, loc, builder.getI32Type(), word);
  return success();
}

bool KernelConverter::checkSignal(GenericOp op, TensorType type) {
  const bool counts = !isFloat(type.getDtype()) && bitWidth(type.getDtype()) == 32;
  if (!counts) {
    (void)notLowered(op, "a signal of " + plName(type.getDtype()) + ", which is no integer of 32 bits,");
  }
  return counts;
}

LogicalResult KernelConverter::convertNotify(GenericOp op) {
  Value tensor = op.getArgument("target");
  Value view = peerView(op, tensor);
  Value value = view ? integerArgument(op, "value", kernel_->body().getI32Type()) : Value();
  auto type = dyn_cast<TensorType>(tensor.getType());
  if (!value || !checkSignal(op, type)) {
    return failure();
  }
  SmallVector<Value> ones(type.getRank(), kernel_->constantIndex(1));
  Value signal = windowOf(op, view, type, op.getList("offsets"), ones, "signal");
  if (!signal) {
    return failure();
  }
  StringRef how = op.getText("op", "AtomicAdd");
  Location loc = locOf(op);
  // Whatever this core was about is done before the other device hears of it.
  pto::BarrierAllOp::create(kernel_->body(), loc);
  pto::TNotifyOp::create(kernel_->body(), loc, signal, value,
                         kernel_->body().getStringAttr(how.ends_with("Set") ? "set" : "atomic_add"));
  return success();
}

LogicalResult KernelConverter::convertWait(GenericOp op) {
  Value tensor = op.getArgument("signal");
  if (!distributedArgument(op, tensor) || !checkSignal(op, cast<TensorType>(tensor.getType()))) {
    return failure();
  }
  Value value = integerArgument(op, "expected", kernel_->body().getI32Type());
  if (!value) {
    return failure();
  }
  SmallVector<Value> ones(cast<TensorType>(tensor.getType()).getRank(), kernel_->constantIndex(1));
  Value signal = window(op, tensor, op.getList("offsets"), ones, "signal");
  if (!signal) {
    return failure();
  }
  Location loc = locOf(op);
  StringRef how = op.getText("cmp", "Ge");
  pto::TWaitOp::create(kernel_->body(), loc, signal, value,
                       kernel_->body().getStringAttr(how.ends_with("Eq") ? "eq" : "ge"));
  pto::CacheInvalidOp::create(kernel_->body(), loc, Value()); // what is read now is what the others wrote
  return success();
}

LogicalResult KernelConverter::convertRemoteStore(GenericOp op) {
  Value tile = op.getArgument("src_tile");
  Value tensor = op.getArgument("target");
  auto tileType = dyn_cast<TileType>(tile.getType());
  auto type = dyn_cast<TensorType>(tensor.getType());
  if (!tileType || tileType.getRank() != 2 || !type || type.getRank() < 2 || tileType.getDtype() != type.getDtype() ||
      (tileType.getMem() != Mem::Vec && tileType.getMem() != Mem::Acc)) {
    return notLowered(op, "a store to another device of this tile");
  }
  noteCore(tileType.getMem(), op);
  Value buffer = handle(tile);
  Value view = buffer ? peerView(op, tensor) : Value();
  if (!view) {
    return failure();
  }
  SmallVector<Value> sizes(type.getRank() - 2, kernel_->constantIndex(1));
  sizes.push_back(validOf(tile, 0));
  sizes.push_back(validOf(tile, 1));
  Value window = windowOf(op, view, type, op.getList("offsets"), sizes, nameOf(tile, "tile"));
  if (!window) {
    return failure();
  }
  StringRef atomic = op.getText("atomic", "None_");
  auto add =
      atomic.ends_with("Add") ? pto::AtomicTypeAttr::get(op.getContext(), pto::AtomicType::Add) : pto::AtomicTypeAttr();
  Location loc = locOf(op);
  pto::TStoreOp::create(kernel_->body(), loc, buffer, window, Value(), Value(), pto::StPhaseAttr(), add,
                        pto::ReluPreModeAttr());
  pto::CacheInvalidOp::create(kernel_->body(), loc, window);
  pto::FenceOp::create(kernel_->body(), loc);
  return success();
}

LogicalResult KernelConverter::convertRemoteLoad(GenericOp op) {
  Value tile = op->getResult(0);
  Value tensor = op.getArgument("target");
  auto tileType = dyn_cast<TileType>(tile.getType());
  auto type = dyn_cast<TensorType>(tensor.getType());
  SmallVector<OpFoldResult> extents = op.getList("valid_shape");
  extents = extents.empty() ? op.getList("shape") : extents;
  if (!tileType || tileType.getRank() != 2 || !type || type.getRank() != 2 || extents.size() != 2 ||
      tileType.getDtype() != type.getDtype() || tileType.getMem() != Mem::Vec) {
    return notLowered(op, "a load of this tile from another device");
  }
  noteCore(tileType.getMem(), op);
  Value buffer = handle(tile);
  Value view = buffer ? peerView(op, tensor) : Value();
  if (!view) {
    return failure();
  }
  Location loc = locOf(op);
  SmallVector<Value> sizes{extent(loc, extents[0]), extent(loc, extents[1])};
  Value window = windowOf(op, view, type, op.getList("offsets"), sizes, nameOf(tile, "tile"));
  if (!window) {
    return failure();
  }
  pto::TLoadOp::create(kernel_->body(), loc, window, buffer);
  return success();
}

void KernelConverter::publish(Operation *op, Value tensor, Value window) {
  auto root = tensors_.find(tensor);
  if (root == tensors_.end() || !kernel_->context(root->second)) {
    return;
  }
  Location loc = locOf(op);
  pto::CacheInvalidOp::create(kernel_->body(), loc, window);
  pto::FenceOp::create(kernel_->body(), loc);
}

//===-- Arrays ----------------------------------------------------------------------------------------------------===//

LogicalResult KernelConverter::convertArray(GenericOp op) {
  StringRef name = op.getName();
  OpBuilder &builder = kernel_->body();
  if (name == "array.create") {
    auto type = dyn_cast<ArrayType>(op->getResult(0).getType());
    Type element = type ? scalarType(op.getContext(), type.getDtype()) : Type();
    if (!element || !isa<IntegerType, IndexType>(element)) {
      return notLowered(op, "an array of these elements");
    }
    auto made = pto::LocalArrayType::get(op.getContext(), type.getExtent(), element);
    arrays_[op->getResult(0)] =
        pto::DeclareLocalArrayOp::create(builder, namedLoc(locOf(op), nameOf(op->getResult(0), "array"), ""), made);
    return success();
  }
  Value array = arrays_.lookup(op.getArgument("array"));
  if (!array) {
    return isa<BlockArgument>(op.getArgument("array")) ? notLowered(op, "an array that a loop or branch hands on")
                                                       : failure();
  }
  Value index = integerArgument(op, "index", builder.getIndexType());
  if (!index) {
    return failure();
  }
  Type element = cast<pto::LocalArrayType>(array.getType()).getElementType();
  if (name == "array.get_element") {
    Value result = op->getResult(0);
    scalars_[result] = pto::LocalArrayGetOp::create(builder, namedLoc(locOf(op), nameOf(result, "element"), ""),
                                                    result.getType(), array, index);
    return result.getType() == element ? success() : notLowered(op, "an element of another type than its array's");
  }
  if (name != "array.update_element") {
    return notLowered(op, "`" + name + "`");
  }
  Value value = integerArgument(op, "value", element);
  if (!value) {
    return failure();
  }
  pto::LocalArraySetOp::create(builder, locOf(op), array, index, value);
  if (op->getNumResults() == 1) {
    arrays_[op->getResult(0)] = array; // in place
  }
  return success();
}

} // namespace placid::conversion
