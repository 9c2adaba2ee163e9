// SPDX-License-Identifier: Apache-2.0
// The argument types that calls give to kernels whose parameters do not say them (a bare `pl.Tensor`). Filled while
// callers are built, or from what was noted when they were built for another text; read when the callee is. And the
// other way round: what kernels were found to hand back. Lives as long as the MLIRContext of one compile. One thread.
#pragma once

#include "compiler/frontend/build_cache.h"
#include "compiler/frontend/program.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Types.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace placid::frontend {

class CallTypes {
public:
  /// One call as text, which outlives the context: the type of each argument, empty where it says none.
  struct Call {
    const KernelDecl *callee = nullptr;
    std::vector<std::string> arguments;
  };

  /// The first call decides, as in the reference; null entries are filled by later ones.
  void record(const KernelDecl &callee, const std::vector<mlir::Type> &arguments);
  void record(const Call &call);
  /// The type of the argument at `position`, `self` not counted; null when no call says it.
  mlir::Type find(const KernelDecl &callee, size_t position, mlir::MLIRContext *context) const;
  bool knows(const KernelDecl &callee) const { return types_.contains(&callee); }
  /// What is known of the callee's arguments, as text.
  std::vector<std::string> texts(const KernelDecl &callee) const;
  /// Calls since this was asked last, of kernels with bare parameters. False: one has a type that no text gives back.
  bool takeCalls(std::vector<Call> &out);

  /// What the kernels of the compile share.
  const std::shared_ptr<BuildCache> &cache() const { return cache_; }
  /// For one call alone: knows no types yet, and shares the same.
  CallTypes forOneCall() const;
  void found(const KernelDecl &callee, FoundResults results) { cache_->found[&callee].push_back(std::move(results)); }
  /// What a call with these arguments hands back, where a build asked for no others; null when none did.
  const FoundResults *find(const KernelDecl &callee, const std::vector<mlir::Type> &arguments) const;

private:
  struct Known {
    mutable mlir::Type type; ///< Null until it is asked for, when it came as text.
    std::string text;
    bool none() const { return !type && text.empty(); }
  };
  std::vector<Known> &entry(const KernelDecl &callee, size_t size);

  std::map<const KernelDecl *, std::vector<Known>> types_; ///< Looked up, never listed.
  std::vector<Call> calls_;
  bool exact_ = true;
  llvm::DenseMap<mlir::Type, std::pair<std::string, bool>> texts_; ///< And whether the text gives the type back.
  std::shared_ptr<BuildCache> cache_ = std::make_shared<BuildCache>();
};

} // namespace placid::frontend
