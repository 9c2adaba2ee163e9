// SPDX-License-Identifier: Apache-2.0
// Which core each operation of a kernel runs on: by the memories of its tiles. Vec is the vector core's, all other
// memories the cube core's; scalars and control flow belong to both. Decides only, changes nothing; ExpandMixedKernel
// builds from it. Valid until the function changes.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/lower/core_handoffs.h"
#include "compiler/target/target.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace placid::pl {

class CoreSplit {
public:
  enum class Place : uint8_t {
    Both, ///< Scalars, control flow, views of tensors.
    Cube,
    Vector,
    Crossing, ///< A move from one core's memory to the other's.
  };
  /// Why the kernel cannot be split; completes "… cannot be lowered to PTO IR yet".
  struct Refusal {
    mlir::Operation *op;
    std::string why;
  };

  explicit CoreSplit(mlir::func::FuncOp function);

  /// Tiles go from one core to the other, or should. Two cores that have nothing to do with each other are no one
  /// kernel.
  bool isMixed() const { return toVector_ || toCube_ || refusal_.has_value(); }
  const std::optional<Refusal> &refusal() const { return refusal_; }
  Place placeOf(mlir::Operation *op) const { return places_.lookup(op); }
  /// `Both` for a memory that is nobody's.
  static Place placeOf(Mem mem);

  bool toVector() const { return toVector_; }
  bool toCube() const { return toCube_; }
  /// Both vector lanes run the vector part, each for its share of the work.
  bool lanes() const { return lanes_; }
  /// Tokens that order what both cores do with a tensor.
  llvm::ArrayRef<CoreHandoff> handoffs() const { return handoffs_; }
  /// A tile that passes only to say that the other core may go on; its contents are nothing. As the cube core has it,
  /// or each vector lane.
  TileType tokenType(mlir::MLIRContext *context, bool toVector, bool cube) const;
  /// The axis that the lanes divide tokens along: one pipe carries whole tiles or halves, never both.
  std::optional<int64_t> tokenAxis() const { return lanes_ && !whole_ ? std::optional<int64_t>(0) : std::nullopt; }
  /// Bytes of the largest tile that crosses, whole.
  int64_t largestTile() const { return largestTile_; }

private:
  void classify(mlir::Operation *op);
  void checkCrossing(TileMoveOp move);
  void checkPipe(const target::Target &target);
  /// Why the live part of a tile that crosses cannot go with it, or empty.
  static std::string liveFault(TileMoveOp move);
  void findTokens(mlir::func::FuncOp function);
  void refuse(mlir::Operation *op, std::string why);

  llvm::DenseMap<mlir::Operation *, Place> places_;
  bool cube_ = false;
  bool vector_ = false;
  bool toVector_ = false;
  bool toCube_ = false;
  bool lanes_ = false;
  mlir::Operation *lane_ = nullptr;   ///< The first operation that asks which lane runs it.
  mlir::Operation *device_ = nullptr; ///< The first operation between devices …
  mlir::Operation *signal_ = nullptr; ///< … and the first that gives a signal.
  bool cubeWindow_ = false;           ///< The cube core writes what other devices read.
  int64_t largestTile_ = 0;
  llvm::SmallVector<CoreHandoff> handoffs_;
  TileMoveOp whole_;                ///< The first move of which each vector lane has all …
  TileMoveOp halved_;               ///< … and the first of which each has its half.
  mlir::Operation *open_ = nullptr; ///< The first operation with regions that is neither a counted loop nor a branch.
  std::optional<Refusal> refusal_;
};

} // namespace placid::pl
