// SPDX-License-Identifier: Apache-2.0
// The symbolic forms of index values: arithmetic of the IR, loop variables, extents that a run decides. A value that is
// made in another way is a number of its own. Reads the IR, changes nothing; keeps no value longer than the IR lives.
// Any thread that owns the context.
#pragma once

#include "compiler/symbolic/symbolic.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace placid::pl {

/// On an argument of a kernel: its type came from a call, so the names in it mean nothing beside other arguments.
inline constexpr llvm::StringLiteral kToldAttr = "pl.told";

class SymbolicValues {
public:
  symbolic::Form of(mlir::Value value);
  symbolic::Form of(mlir::OpFoldResult value);
  /// The extent of one axis of a tensor. Extents are at least 1; parameters that declare the same symbol have the
  /// same.
  symbolic::Form extent(mlir::Value tensor, unsigned axis);
  /// What holds around an operation; one of them is unknown where something around it is not followed.
  std::vector<symbolic::Condition> conditionsAround(mlir::Operation *op);
  /// The loop or dispatch that an atom of a loop is the variable of.
  mlir::Operation *loopOf(symbolic::Atom atom) const;
  symbolic::Table &table() { return table_; }

private:
  symbolic::Form make(mlir::Value value);
  symbolic::Form own(mlir::Value value);
  symbolic::Form loopVariable(mlir::Operation *op);
  symbolic::Form carried(mlir::BlockArgument argument);
  void conditions(mlir::Value condition, bool expected, std::vector<symbolic::Condition> &out);

  symbolic::Table table_;
  llvm::DenseMap<mlir::Value, symbolic::Form> known_;
  llvm::DenseMap<mlir::Operation *, symbolic::Form> loops_;
  std::map<symbolic::Atom, mlir::Operation *> loopOf_;
  std::map<std::string, symbolic::Form, std::less<>> symbols_;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, symbolic::Form> extents_;
  unsigned depth_ = 0;
};

} // namespace placid::pl
