// SPDX-License-Identifier: Apache-2.0
// How source ranges travel through the IR. An op's location is the range of the whole call; where arguments have ranges
// of their own it is fused with a dictionary that holds one location per argument:
//   loc(fused<{offsets = [loc("r0"(…)), …], sizes = […]}>["k.py":24:16 to :71])
// An argument's location is NameLoc(spelling, range) or NameLoc(spelling, fused[range, binding]) where the argument is
// a bare name and `binding` the statement that bound it. All of it survives printing, parsing and rewriting.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace placid::pl {

/// The lists an access may carry.
inline constexpr llvm::StringLiteral kOffsetsArg = "offsets";
inline constexpr llvm::StringLiteral kSizesArg = "sizes";
inline constexpr llvm::StringLiteral kValidArg = "valid";
inline constexpr llvm::StringLiteral kOperandsArg = "operands"; ///< By operand number, for any op.
inline constexpr llvm::StringLiteral kTargetArg = "target";     ///< One entry: target_memory, or the kwarg's value.

mlir::Location makeArgLoc(llvm::StringRef spelling, mlir::Location range, std::optional<mlir::Location> binding);
/// `args` maps list names to arrays of argument locations.
mlir::Location makeAccessLoc(mlir::Location call, mlir::ArrayRef<mlir::NamedAttribute> args);

/// `access` with another spelling for one argument; unchanged when it says nothing of that argument.
mlir::Location withSpelling(mlir::Location access, llvm::StringRef list, unsigned index, llvm::StringRef spelling);

struct ArgLoc {
  mlir::Location range;
  std::string spelling; ///< Empty when the IR was written without one.
  std::optional<mlir::Location> binding;
};
/// The location of one argument; its range falls back to the op's own.
ArgLoc argLoc(mlir::Location access, llvm::StringRef list, unsigned index);
inline ArgLoc argLoc(mlir::Operation *op, llvm::StringRef list, unsigned index) {
  return argLoc(op->getLoc(), list, index);
}

/// The source range of a location: itself stripped of names, fusion and metadata. Null for an unknown location.
mlir::FileLineColRange sourceRange(mlir::Location loc);

/// A value's user-given name: its NameLoc, else `pl.name` / `pl.result`, else empty.
llvm::StringRef valueName(mlir::Value value);

} // namespace placid::pl
