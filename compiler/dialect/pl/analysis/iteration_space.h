// SPDX-License-Identifier: Apache-2.0
// Which values an index expression takes while the loops around one operation run. Two answers: a strided interval that
// holds every value, for proofs; and one iteration with the values in it, for a refutation that can be shown to a
// person. Silent about what it cannot follow (parameters, reads, dynamic extents): "cannot tell" is no fault.
// Reads the IR, changes nothing. Any thread that owns the context.
#pragma once

#include "compiler/dialect/pl/analysis/index_range.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>
#include <string>

namespace placid::pl {

/// The loops, SPMD dispatches and conditions around one operation.
class IterationSpace {
public:
  explicit IterationSpace(mlir::Operation *access);

  /// An expression of the space; made once, evaluated often.
  using Expr = unsigned;
  Expr expression(mlir::OpFoldResult value);
  Expr constant(int64_t value);
  Expr sum(Expr a, Expr b);

  /// Every value that it may have, the conditions of `if`s not counted; nullopt when that is not known.
  std::optional<IndexRange> range(Expr expr) const { return nodes_[expr].range; }

  /// One iteration that runs whenever the code around the loops does, and the two expressions in it.
  struct Witness {
    int64_t low = 0;
    int64_t high = 0;
    std::string iteration;                      ///< "`m0 = 0`, `ki = 7`": the loops that matter, outermost first.
    llvm::SmallVector<mlir::Operation *> loops; ///< Those loops and dispatches.
  };
  /// Of the iterations looked at, the one where `high` passes `limit` the most or, if none does and `negative` is set,
  /// where `low` is below 0 the most. Looks at the corners of the space, then, while it is small, at all of it, at most
  /// as often as `budget` says, and takes from that. nullopt when none is at fault or none can be told to be.
  std::optional<Witness> worst(Expr low, Expr high, int64_t limit, bool negative, int64_t &budget);

private:
  enum class Kind : uint8_t {
    Unknown,
    Constant,
    LoopVariable, ///< constant: the number of its level
    Add,
    Sub,
    Mul,
    FloorDiv,
    CeilDiv,
    FloorMod,
    Min,
    Max,
    Compare, ///< constant: the predicate of arith
    And,
    Or,
    Xor,
    Select,
  };
  struct Node {
    Kind kind = Kind::Unknown;
    int64_t constant = 0;
    Expr a = 0;
    Expr b = 0;
    Expr c = 0;
    unsigned bits = 64;  ///< What the result must fit.
    uint64_t levels = 0; ///< The loop variables that it depends on, one bit each.
    std::optional<IndexRange> range;
  };
  /// A loop or an SPMD dispatch; its bounds are expressions over outer levels.
  struct Level {
    mlir::Operation *op = nullptr;
    Expr lower = 0;
    Expr upper = 0;
    Expr step = 0;
  };
  struct Guard {
    Expr condition = 0;
    bool expected = true;
  };
  struct Rounds {
    int64_t first = 0;
    int64_t step = 0;
    int64_t count = 0;
  };
  struct Search;

  void enter(mlir::Operation *parent, mlir::Region *child);
  Expr add(Node node);
  Expr binary(Kind kind, Expr a, Expr b, unsigned bits = 64, int64_t constant = 0);
  Expr build(mlir::Value value, unsigned depth);
  Expr buildNew(mlir::Value value, unsigned depth);
  Expr buildArgument(mlir::BlockArgument argument, unsigned depth);
  Expr loopVariable(mlir::Operation *op);
  std::optional<IndexRange> rangeOf(const Node &node) const;
  std::optional<IndexRange> rangeOfLevel(const Level &level) const;

  std::optional<int64_t> apply(const Node &node, llvm::ArrayRef<int64_t> point) const;
  void evaluate(llvm::ArrayRef<int64_t> point);
  std::optional<Rounds> rounds(const Level &level) const;
  bool isDead() const;
  uint64_t closure(uint64_t levels) const;
  bool visit(Search &search, unsigned level);
  void judge(Search &search);
  std::string describe(uint64_t levels, llvm::ArrayRef<int64_t> point);

  llvm::SmallVector<Level> levels_; ///< Outermost first.
  llvm::SmallVector<Guard> guards_;
  bool uncertain_ = false; ///< Inside something whose rounds are not followed, such as a while loop.
  llvm::SmallVector<Node> nodes_;
  llvm::SmallVector<std::optional<int64_t>> values_; ///< Of nodes_, under the point evaluated last.
  llvm::DenseMap<mlir::Value, Expr> known_;
};

} // namespace placid::pl
