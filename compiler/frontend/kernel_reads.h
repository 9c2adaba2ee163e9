// SPDX-License-Identifier: Apache-2.0
// What the building of one kernel depends on, as digests: its own syntax, and the values behind every name that this
// reads, through modules, helpers, classes and the heads of other kernels. Equal digests mean equal results, so what
// was made for one text serves the next one. Apart from the builder, which knows nothing of it. The thread of the
// Program.
#pragma once

#include "compiler/frontend/program.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace placid::frontend {

class SyntaxMemo;

struct KernelReads {
  /// False: something is read whose sameness cannot be told. Then the digests say nothing.
  bool known = true;
  /// Syntax without places, comments and blanks, and values. 16 bytes.
  std::string meaning;
  /// The text from the decorators to the end as it stands, and its first column: what places inside hang on. 16 bytes.
  std::string text;
  /// What messages may show beyond that: names for proposals, and where values come from. 16 bytes.
  std::string around;
  source::ByteRange range; ///< Of that text, in the module of the kernel.
  bool pastes = false;     ///< Bodies of inlined kernels are among what is read: places may lie in them.
  /// Kernels that are called. Of these only the heads are in `meaning`.
  std::vector<const KernelDecl *> callees;
};

/// What building did beyond reading.
struct EvaluationUse {
  uint64_t steps = 0; ///< Of the budget that all kernels share; so are `bytes`.
  size_t bytes = 0;
  uint64_t changes = 0; ///< Of values that other kernels may read.
};
/// Of all that was built of the program so far.
EvaluationUse evaluationUse(const Program &program);
/// Takes from the shared budget what a kernel took that is not built again.
void takeFromBudget(const Program &program, const EvaluationUse &use);

/// A place outside of a kernel, by the text of the top-level statement that it is in.
struct Anchor {
  std::string path;   ///< Of the module.
  std::string text;   ///< A digest of the statement as it stands. 16 bytes.
  uint32_t begin = 0; ///< Behind the statement's beginning.
  uint32_t end = 0;
};

/// Of one Program, while no kernel is being built.
class KernelReader {
public:
  KernelReader(const Program &program, SyntaxMemo &syntax) : program_(program), syntax_(syntax) {}
  const KernelReads &read(const KernelDecl &kernel);
  /// To be called when a value of the program has changed.
  void forget() {
    known_.clear();
    names_.clear();
  }
  /// Where to find the kernel again in another Program of the same entry; empty when its name is not its own.
  std::string keyOf(const KernelDecl &kernel) const;
  const KernelDecl *find(const std::string &key) const;
  /// Nothing where the place is in no statement, or in one whose text the module has twice.
  std::optional<Anchor> anchorOf(const std::string &path, source::ByteRange range);
  /// Where the anchor's place is now; nothing when its statement is gone.
  std::optional<source::ByteRange> placeOf(const Anchor &anchor);

private:
  /// The top-level statements of a module.
  struct Statements {
    std::vector<std::pair<source::ByteRange, std::string>> list; ///< With digests of their texts, in order.
    std::map<std::string, std::optional<uint32_t>> begins;       ///< By digest; nothing for a text that is there twice.
  };
  const std::string &namesAround(const Scope *scope);
  const Statements &statementsOf(const std::string &path);

  const Program &program_;
  SyntaxMemo &syntax_;
  std::map<std::string, Statements> statements_;            ///< By the module's path.
  std::map<const Scope *, std::string> names_;              ///< Looked up, never listed.
  std::map<const KernelDecl *, KernelReads> known_;         ///< Looked up, never listed.
  mutable std::map<std::string, const KernelDecl *> byKey_; ///< Null: several. Made when it is first asked for.
};

} // namespace placid::frontend
