// SPDX-License-Identifier: Apache-2.0
// Type rules of matrix products on tiles, and of what is no tensor: handles, arrays, ranks.
#include "compiler/frontend/op_call.h"

namespace placid::frontend {

using ops::Rule;
using pl::DType;

std::optional<OpResults> KernelBuilder::OpCall::matrix() {
  Shaped lhs = shaped("lhs");
  Shaped rhs = shaped("rhs");
  if (form().rule == Rule::MatmulAcc) {
    // With `init_cond`; what the condition chooses has one type.
    for (std::string_view side : {"acc", "lhs", "rhs"}) {
      if (shaped(side).rank() < 2) {
        return rankFault(side, "takes rows and columns");
      }
    }
    if (lhs.dtype != rhs.dtype) {
      return typeFault("rhs", "takes operands of one dtype: " + operandsText());
    }
    mlir::Attribute inner = flagOf("a_trans") ? lhs.dims[lhs.rank() - 2] : lhs.dims.back();
    if (extentsDiffer(inner, flagOf("b_trans") ? rhs.dims.back() : rhs.dims[rhs.rank() - 2])) {
      return shapeFault("rhs", "the contracted axes of both are equal");
    }
    return like("acc");
  }
  for (std::string_view side : {"lhs", "rhs"}) {
    if (shaped(side).rank() != 2) {
      return rankFault(side, "takes rows and columns");
    }
  }
  if (form().rule != Rule::MatmulMx && lhs.dtype != rhs.dtype) {
    return typeFault("rhs", "takes operands of one dtype: " + operandsText());
  }
  if (extentsDiffer(lhs.dims[1], rhs.dims[0])) {
    return shapeFault("rhs", "the columns of lhs are the rows of rhs");
  }
  if (form().rule == Rule::Gemv && lhs.extent(0) && !isExtent(lhs.dims[0], 1)) {
    return shapeFault("lhs", "lhs is one row");
  }
  Shaped out = lhs;
  out.dims[1] = rhs.dims[1];
  out.dtype = pl::isFloat(lhs.dtype) ? DType::F32 : DType::I32;
  out.mem = pl::Mem::Acc;
  out.transposed = false;
  llvm::ArrayRef<mlir::Attribute> liveRows = lhs.valid.empty() ? lhs.dims : lhs.valid;
  llvm::ArrayRef<mlir::Attribute> liveCols = rhs.valid.empty() ? rhs.dims : rhs.valid;
  out.valid = {liveRows[0], liveCols[1]};
  if (find("bias")) {
    Shaped bias = shaped("bias");
    if (bias.rank() != 2 || !isExtent(bias.dims[0], 1) || extentsDiffer(bias.dims[1], out.dims[1])) {
      return shapeFault("bias", "the bias is one row with a value for each column");
    }
  }
  if (find("acc")) {
    Shaped acc = shaped("acc");
    if (acc.dims != out.dims || acc.dtype != out.dtype) {
      return shapeFault("acc", "the accumulator has the shape and dtype of the product, " +
                                   show(mlir::cast<pl::TileType>(result(out).type)));
    }
    return like("acc");
  }
  return one(out);
}

std::optional<OpResults> KernelBuilder::OpCall::system() {
  switch (form().rule) {
  case Rule::None:
    return OpResults{};
  case Rule::ScalarI32:
    return scalar(DType::I32);
  case Rule::ScalarBool:
    return scalar(DType::Bool);
  case Rule::TaskId:
    return handle("task");
  case Rule::PrefetchContext:
    return handle("context");
  case Rule::AsyncEvent:
    return handle("event");
  case Rule::AsyncSession:
    return handle("session");
  case Rule::TPopVec:
  case Rule::TPopMat: {
    if (!find("shape") || !find("dtype")) {
      return OpResults{}; // the annotation of what it is bound to says the type
    }
    auto dims = extents("shape", true);
    if (!dims) {
      return std::nullopt;
    }
    Shaped out;
    out.isTile = true;
    out.dims = *dims;
    out.dtype = *dtypeOf("dtype");
    out.mem = form().rule == Rule::TPopVec ? pl::Mem::Vec : pl::Mem::Mat;
    return one(out);
  }
  case Rule::ArrayCreate: {
    OpResult out;
    out.kind = Val::Kind::Array;
    std::optional<int64_t> extent = integer("extent");
    if (!extent || *extent <= 0) {
      return typeFault("extent", "an array has at least one element");
    }
    out.dtype = dtypeOf("dtype").value_or(DType::Index);
    out.type = pl::ArrayType::get(context(), *extent, out.dtype);
    return OpResults{out};
  }
  case Rule::ArrayGet: {
    DType dtype = mlir::cast<pl::ArrayType>(find("array")->value.ir.getType()).getDtype();
    return dtype == DType::TaskId ? handle("task") : scalar(dtype);
  }
  case Rule::ArrayUpdate:
    return like("array");
  default:
    return unhandled();
  }
}

/// A window of a tensor here or on a peer; `offsets` may be left out (zeros), `extents` is empty where it is the whole
/// of `sized`, whose axes are the last ones of the window.
bool KernelBuilder::OpCall::windowFits(std::string_view tensor, std::string_view offsets, std::string_view extents,
                                       std::string_view sized) {
  const Argument *base = find(tensor);
  if (!base || !base->value.isTensor()) {
    return true;
  }
  const size_t rank = base->value.tensorType().getRank();
  std::vector<Entry> from(rank, {Val::ofConst(ConstValue::ofInt(0)), nullptr});
  std::vector<Entry> size(rank, {Val::ofConst(ConstValue::ofInt(1)), nullptr});
  for (auto [name, list] : {std::pair(offsets, &from), std::pair(extents, &size)}) {
    const Argument *given = name.empty() ? nullptr : find(name);
    if (given && given->list.size() != rank) {
      builder.reporter_.report(diag::Rank, rangeOf(name), what(),
                               "takes one entry an axis of " + describe(tensor) + ", got " +
                                   std::to_string(given->list.size()));
      return false;
    }
    *list = given ? given->list : std::move(*list);
  }
  if (extents.empty() || !find(extents)) {
    const Shaped whole = shaped(sized);
    if (whole.rank() > rank) {
      builder.reporter_.report(diag::Rank, rangeOf(sized), what(),
                               describe(sized) + " has more axes than " + describe(tensor));
      return false;
    }
    const llvm::SmallVector<mlir::Attribute> &live = whole.valid.empty() ? whole.dims : whole.valid;
    for (size_t axis = 0; axis < live.size(); ++axis) {
      auto number = mlir::dyn_cast<mlir::IntegerAttr>(live[axis]);
      size[rank - live.size() + axis].value = number ? Val::ofConst(ConstValue::ofInt(number.getInt())) : Val::poison();
    }
  }
  return builder.inBounds(base->value, from, size, expr);
}

/// A signal is a word of 32 bits that is counted up and compared.
bool KernelBuilder::OpCall::isSignal(std::string_view name) {
  const Argument &signal = *find(name);
  if (signal.value.isTensor() && pl::bitWidth(shaped(name).dtype) != 32) {
    typeFault(name, "a signal has 32 bits, as INT32 has, got " + describe(name));
    return false;
  }
  const Argument *offsets = find("offsets");
  return !offsets || !signal.value.isTensor() || offsets->list.size() != shaped(name).rank() ||
         builder.elementInBounds(signal.value, offsets->list, expr);
}

/// What a transfer or a signal addresses lies inside of what it names.
bool KernelBuilder::OpCall::reaches() {
  const std::string_view name = row.name;
  if (name == "pld.tensor.remote_store" || name == "pld.tile.remote_store") {
    return windowFits("target", "offsets", "", name == "pld.tensor.remote_store" ? "src" : "src_tile");
  }
  if (name == "pld.tile.remote_load") {
    return windowFits("target", "offsets", find("valid_shape") ? "valid_shape" : "shape", "target");
  }
  if (name.ends_with(".put") || name.ends_with(".get")) {
    const std::string_view sized = name.ends_with(".put") ? "src" : "dst";
    return windowFits("dst", "dst_offsets", "shape", sized) && windowFits("src", "src_offsets", "shape", sized);
  }
  return name == "pld.system.notify"                                    ? isSignal("target")
         : name == "pld.system.wait" || name == "pld.system.defer_wait" ? isSignal("signal")
                                                                        : true;
}

std::optional<OpResults> KernelBuilder::OpCall::distributed() {
  if (form().rule != Rule::RemoteLoad && !reaches()) {
    return std::nullopt;
  }
  switch (form().rule) {
  case Rule::None:
    return OpResults{};
  case Rule::Ptr:
    return handle("ptr");
  case Rule::CommCtx:
    return handle("commctx");
  case Rule::ScalarI32:
    return scalar(DType::I32);
  case Rule::ScalarI64:
    return scalar(DType::I64);
  case Rule::LikeFirst:
    return like(form().parameters[0].name);
  case Rule::LikeTarget:
    return like("target");
  case Rule::Window: {
    auto dims = extents("shape", false);
    if (!dims) {
      return std::nullopt;
    }
    OpResult out;
    out.kind = Val::Kind::Tensor;
    out.type =
        pl::TensorType::get(context(), *dims, dtypeOf("dtype").value_or(DType::F32), pl::Layout::ND, {}, {}, true);
    return OpResults{out};
  }
  case Rule::RemoteLoad: {
    auto dims = extents("shape", true);
    if (!dims) {
      return std::nullopt;
    }
    Shaped target = shaped("target");
    for (std::string_view list : {"offsets", "shape"}) {
      if (find(list)->list.size() != target.rank()) {
        builder.reporter_.report(diag::Rank, rangeOf(list), what(),
                                 "takes one entry an axis of " + describe("target") + ", got " +
                                     std::to_string(find(list)->list.size()));
        return std::nullopt;
      }
    }
    if (!reaches()) {
      return std::nullopt;
    }
    Shaped out;
    out.isTile = true;
    out.dims = *dims;
    out.dtype = target.dtype;
    out.mem = pl::Mem::Vec;
    if (const Argument *valid = find("valid_shape")) {
      for (const Entry &entry : valid->list) {
        out.valid.push_back(entry.value.isInt() ? pl::extentAttr(context(), entry.value.constant.integer)
                                                : pl::extentAttr(context(), "?"));
      }
    }
    return one(out);
  }
  default:
    return unhandled();
  }
}

} // namespace placid::frontend
