// SPDX-License-Identifier: Apache-2.0
// What is worked out once for all the kernels that one compile builds: the same helpers are pasted into many of them,
// and rounds of loops are unrolled. Everything here follows from the syntax, or from types that are part of the key; a
// kernel built without it is the same. Lives as long as the MLIRContext and the syntax of one compile. One thread.
#pragma once

#include "compiler/frontend/liveness.h"
#include "compiler/frontend/program.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Types.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace placid::frontend {

/// What a kernel hands back, found by building its body.
struct FoundResults {
  struct Result {
    enum class Kind : uint8_t { Other, Tensor, Scalar };
    Kind kind = Kind::Other;
    mlir::Type type; ///< Tensor
    pl::DType dtype = pl::DType::Index;
  };
  std::vector<Result> results;
  /// The arguments whose types the build asked for, and what it was told; nothing else of the call was looked at.
  std::vector<std::pair<size_t, mlir::Type>> asked;
  std::vector<const KernelDecl *> bodiesRead; ///< Of others, in turn.
  unsigned depth = 0;                         ///< How many bodies within bodies were built for it.
  uint64_t steps = 0;                         ///< Of the budget that all kernels share; so are `bytes`.
  size_t bytes = 0;
};

struct BuildCache {
  NameFates fates;
  /// See name_flow.h.
  /// The block must live as long as this: it is told by where it is.
  const std::vector<std::string> &assignedNames(const NameFates::Statements &block);
  const std::set<std::string, std::less<>> &exposedReads(const NameFates::Statements &block);

  /// What a round of a `while` runs: its condition as a statement, then its body.
  const NameFates::Statements &roundOf(const syntax::Stmt &loop);

  /// By the module whose places are meant, and the packed range.
  llvm::DenseMap<std::pair<const syntax::Module *, uint64_t>, mlir::LocationAttr> places;
  /// Of arguments; by that module, the expression, and the packed range of its binding, 0 without one.
  llvm::DenseMap<std::tuple<const syntax::Module *, const syntax::Expr *, uint64_t>, mlir::LocationAttr> arguments;

  std::map<const KernelDecl *, std::vector<FoundResults>> found; ///< Looked up, never listed.

private:
  struct Round {
    syntax::Stmt condition;
    NameFates::Statements all;
  };
  std::unordered_map<const syntax::Stmt *, Round> rounds_; ///< Its elements stay where they are.
  std::unordered_map<const NameFates::Statements *, std::vector<std::string>> assigned_;
  std::unordered_map<const NameFates::Statements *, std::set<std::string, std::less<>>> exposed_;
};

} // namespace placid::frontend
