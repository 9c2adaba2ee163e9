// SPDX-License-Identifier: Apache-2.0
// The pipe between the cube and the vector core of one kernel, as the attributes that ExpandMixedKernel leaves on both
// functions: which directions it has, how large a tile may be, how many are in flight. Apart from the pass, because the
// memory plan and the conversion to PTO read it. One thread a context.
#pragma once

#include "compiler/target/target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace placid::pl {

enum class CoreSide : uint8_t { Cube, Vector };

struct CorePipe {
  CoreSide side = CoreSide::Cube; ///< Of the function that carries it.
  std::string kernel;             ///< The name of the function both were made from.
  std::string peer;               ///< Symbol of the other core's function.
  bool toVector = false;          ///< Cube to vector.
  bool toCube = false;            ///< Vector to cube.
  int64_t slotBytes = 0;          ///< The largest tile that goes through.
  int64_t slots = 0;              ///< Tiles that each direction holds.
  int64_t sharedVec = 0;          ///< Bytes from address 0 on that both cores name, of the vector core's memory …
  int64_t sharedMat = 0;          ///< … and of the cube core's.

  /// What popped or shared tiles take of a memory on this function's core, from address 0.
  int64_t reservedBytes(target::Space space) const;
  /// Tiles travel through it. Without, the functions order themselves by flags.
  bool carries() const { return toVector || toCube; }
  /// What the way through GM takes, for one block of a launch: a ring for each direction.
  int64_t workspaceBytes() const { return slotBytes * slots * (toVector && toCube ? 2 : 1); }
};

/// Nullopt for a function that runs on one core only.
std::optional<CorePipe> corePipeOf(mlir::func::FuncOp function);
void setCorePipe(mlir::func::FuncOp function, const CorePipe &pipe);

/// How many tiles the pipe holds each way when the kernel does not say.
inline constexpr int64_t kDefaultSlots = 2;

} // namespace placid::pl
