// SPDX-License-Identifier: Apache-2.0
// What the lowering passes share: which functions they touch, the target behind `pl.arch`, tile sizes, names and
// locations of the operations they make.
#pragma once

#include "compiler/dialect/pl/ir/locations.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/target/target.h"

#include "mlir/IR/BuiltinOps.h"

namespace placid::pl {

inline constexpr llvm::StringLiteral kFailedAttr = "pl.failed"; ///< On a function: a fault was reported.
/// On a function: legal, but some operation in it that says why (kNotLoweredAttr) keeps it from being planned.
inline constexpr llvm::StringLiteral kLeftAttr = "pl.left";
inline constexpr llvm::StringLiteral kAddrAttr = "pl.addr"; ///< On an op: byte address of its tile, i64.
/// On a tile.extract of whole rows in Vec that is only stored: it is a window of its source, and nothing is copied.
inline constexpr llvm::StringLiteral kWindowAttr = "pl.window";
inline constexpr llvm::StringLiteral kStageAttr = "pl.stage"; ///< On an op of a pipeline body: its copy, i64.
inline constexpr llvm::StringLiteral kNotLoweredAttr = "pl.not_lowered"; ///< On an op: why it cannot be lowered.

/// A core function with a body and without a reported fault, and not left alone either.
bool isLowerable(mlir::func::FuncOp function);
void markFailed(mlir::func::FuncOp function);
/// `run` for each lowerable function of the module, in order. One that it reports an error of is lowered no further.
void forEachKernel(mlir::ModuleOp module, llvm::function_ref<void(mlir::func::FuncOp)> run);

/// The target of the module around `op`; A3 when it names none.
const target::Target &targetOf(mlir::Operation *op);
/// The assembler gives the module's tiles their addresses; the text holds none.
bool isPlannedByAssembler(mlir::Operation *op);
/// Nullopt for Unset and DDR.
std::optional<target::Space> spaceOf(Mem mem);
/// Physical bytes, saturating; 0 for a tile without a memory.
int64_t tileBytes(const target::Target &target, TileType type);
/// `pl.split` leaves each vector lane half of the function's tiles; in `pl.split_aiv` the tiles are a lane's own.
bool isHalvedByLanes(mlir::func::FuncOp function);
/// A matmul operand that the user did not load by hand, so that its size is the compiler's to choose.
bool isImpliedOperand(mlir::Value value);
/// "524800 bytes", also for a saturated count.
std::string bytesText(int64_t bytes);
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// `loc` without the name of the value it was given to.
mlir::Location rangeLoc(mlir::Location loc);
/// `<name><suffix>` at the range of `loc`.
mlir::Location namedLoc(mlir::Location loc, llvm::StringRef name, llvm::StringRef suffix);
/// The value's name, or `fallback`.
std::string nameOf(mlir::Value value, llvm::StringRef fallback);

} // namespace placid::pl
