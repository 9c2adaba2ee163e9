// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/ir/pl.h"

#include "compiler/dialect/pl/ir/core_ops.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "compiler/dialect/pl/ir/pl_dialect.cpp.inc"
#include "compiler/dialect/pl/ir/pl_enums.cpp.inc"

using namespace mlir;

namespace placid::pl {

namespace {

struct DTypeInfo {
  DType dtype;
  unsigned bits;
  const char *plName;
};

constexpr DTypeInfo kDTypes[] = {
    {DType::Bool, 1, "BOOL"},       {DType::I4, 4, "INT4"},        {DType::UI4, 4, "UINT4"},
    {DType::I8, 8, "INT8"},         {DType::UI8, 8, "UINT8"},      {DType::I16, 16, "INT16"},
    {DType::UI16, 16, "UINT16"},    {DType::I32, 32, "INT32"},     {DType::UI32, 32, "UINT32"},
    {DType::I64, 64, "INT64"},      {DType::UI64, 64, "UINT64"},   {DType::FP4, 4, "FP4"},
    {DType::HF4, 4, "HF4"},         {DType::HF8, 8, "HF8"},        {DType::F8E4M3FN, 8, "FP8E4M3FN"},
    {DType::F8E5M2, 8, "FP8E5M2"},  {DType::F8E8M0, 8, "FP8E8M0"}, {DType::F16, 16, "FP16"},
    {DType::BF16, 16, "BF16"},      {DType::F32, 32, "FP32"},      {DType::Index, 64, "INDEX"},
    {DType::TaskId, 64, "TASK_ID"},
};

const DTypeInfo &info(DType dtype) { return kDTypes[static_cast<unsigned>(dtype)]; }

} // namespace

unsigned bitWidth(DType dtype) { return info(dtype).bits; }
StringRef plName(DType dtype) { return info(dtype).plName; }

std::optional<DType> dtypeFromPlName(StringRef name) {
  for (const DTypeInfo &row : kDTypes) {
    if (name == row.plName) {
      return row.dtype;
    }
  }
  return std::nullopt;
}

bool isFloat(DType dtype) { return dtype >= DType::FP4 && dtype <= DType::F32; }

bool isSignedInt(DType dtype) {
  return dtype == DType::I4 || dtype == DType::I8 || dtype == DType::I16 || dtype == DType::I32 ||
         dtype == DType::I64 || dtype == DType::Index;
}

Type scalarType(MLIRContext *context, DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return IntegerType::get(context, 1);
  case DType::I8:
  case DType::UI8:
  case DType::I16:
  case DType::UI16:
  case DType::I32:
  case DType::UI32:
  case DType::I64:
  case DType::UI64:
    return IntegerType::get(context, bitWidth(dtype));
  case DType::Index:
    return IndexType::get(context);
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

StringRef plName(Layout layout) {
  switch (layout) {
  case Layout::ND:
    return "ND";
  case Layout::DN:
    return "DN";
  case Layout::NZ:
    return "NZ";
  case Layout::MxAZZ:
    return "MX_A_ZZ";
  case Layout::MxBNN:
    return "MX_B_NN";
  }
  return "";
}

StringRef plName(Mem mem) {
  switch (mem) {
  case Mem::Unset:
    return "no memory space";
  case Mem::Vec:
    return "Vec";
  case Mem::Mat:
    return "Mat";
  case Mem::Left:
    return "Left";
  case Mem::Right:
    return "Right";
  case Mem::Acc:
    return "Acc";
  case Mem::Bias:
    return "Bias";
  case Mem::LeftScale:
    return "LeftScale";
  case Mem::RightScale:
    return "RightScale";
  case Mem::DDR:
    return "DDR";
  case Mem::Scaling:
    return "Scaling";
  }
  return "";
}

std::optional<int64_t> c0Elements(DType dtype) {
  unsigned bits = bitWidth(dtype);
  if (bits < 8 || dtype == DType::Index || dtype == DType::TaskId) {
    return std::nullopt;
  }
  return 256 / bits;
}

SmallVector<OpFoldResult> mixedList(ValueRange dynamic, ArrayRef<int64_t> statics, MLIRContext *context) {
  SmallVector<OpFoldResult> out;
  Builder builder(context);
  auto next = dynamic.begin();
  for (int64_t value : statics) {
    if (ShapedType::isDynamic(value)) {
      out.push_back(*next++);
    } else {
      out.push_back(builder.getIndexAttr(value));
    }
  }
  return out;
}

void splitMixedList(ArrayRef<OpFoldResult> list, SmallVectorImpl<Value> &dynamic, SmallVectorImpl<int64_t> &statics) {
  for (OpFoldResult entry : list) {
    if (auto value = dyn_cast<Value>(entry)) {
      dynamic.push_back(value);
      statics.push_back(ShapedType::kDynamic);
    } else {
      statics.push_back(cast<IntegerAttr>(cast<Attribute>(entry)).getInt());
    }
  }
}

Attribute extentAttr(MLIRContext *context, int64_t extent) {
  return IntegerAttr::get(IntegerType::get(context, 64), extent);
}

Attribute extentAttr(MLIRContext *context, StringRef symbol) { return StringAttr::get(context, symbol); }

SmallVector<Attribute> extentAttrs(MLIRContext *context, ArrayRef<int64_t> extents) {
  SmallVector<Attribute> out;
  for (int64_t extent : extents) {
    out.push_back(extentAttr(context, extent));
  }
  return out;
}

void PlDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/pl/ir/pl_ops.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/pl/ir/core_ops.cpp.inc"
      >();
}

} // namespace placid::pl
