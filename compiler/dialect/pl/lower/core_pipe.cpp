// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/core_pipe.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace placid::pl {

namespace {

constexpr llvm::StringLiteral kPipeAttr = "pl.pipe";

} // namespace

int64_t CorePipe::reservedBytes(target::Space space) const {
  const bool here = (side == CoreSide::Vector && space == target::Space::Vec && toVector) ||
                    (side == CoreSide::Cube && space == target::Space::Mat && toCube);
  const int64_t shared = side == CoreSide::Vector && space == target::Space::Vec ? sharedVec
                         : side == CoreSide::Cube && space == target::Space::Mat ? sharedMat
                                                                                 : 0;
  return here ? slotBytes * slots : shared;
}

void setCorePipe(func::FuncOp function, const CorePipe &pipe) {
  Builder builder(function.getContext());
  function->setAttr(
      kPipeAttr,
      builder.getDictionaryAttr({
          builder.getNamedAttr("core", builder.getStringAttr(pipe.side == CoreSide::Cube ? "cube" : "vector")),
          builder.getNamedAttr("kernel", builder.getStringAttr(pipe.kernel)),
          builder.getNamedAttr("peer", builder.getStringAttr(pipe.peer)),
          builder.getNamedAttr("shared_mat", builder.getI64IntegerAttr(pipe.sharedMat)),
          builder.getNamedAttr("shared_vec", builder.getI64IntegerAttr(pipe.sharedVec)),
          builder.getNamedAttr("slot_bytes", builder.getI64IntegerAttr(pipe.slotBytes)),
          builder.getNamedAttr("slots", builder.getI64IntegerAttr(pipe.slots)),
          builder.getNamedAttr("to_cube", builder.getBoolAttr(pipe.toCube)),
          builder.getNamedAttr("to_vector", builder.getBoolAttr(pipe.toVector)),
      }));
}

std::optional<CorePipe> corePipeOf(func::FuncOp function) {
  auto attr = function->getAttrOfType<DictionaryAttr>(kPipeAttr);
  if (!attr) {
    return std::nullopt;
  }
  auto text = [&](StringRef key) {
    auto value = attr.getAs<StringAttr>(key);
    return value ? value.str() : std::string();
  };
  auto number = [&](StringRef key) {
    auto value = attr.getAs<IntegerAttr>(key);
    return value ? value.getInt() : 0;
  };
  auto flag = [&](StringRef key) {
    auto value = attr.getAs<BoolAttr>(key);
    return value && value.getValue();
  };
  CorePipe pipe;
  pipe.side = text("core") == "vector" ? CoreSide::Vector : CoreSide::Cube;
  pipe.kernel = text("kernel");
  pipe.peer = text("peer");
  pipe.slotBytes = number("slot_bytes");
  pipe.slots = number("slots");
  pipe.sharedMat = number("shared_mat");
  pipe.sharedVec = number("shared_vec");
  pipe.toCube = flag("to_cube");
  pipe.toVector = flag("to_vector");
  return pipe;
}

} // namespace placid::pl
