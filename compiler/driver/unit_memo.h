// SPDX-License-Identifier: Apache-2.0
// What came of kernels, kept for the next text: a kernel is compiled again only when something that it reads has
// changed. Results without places are good wherever the kernel stands; places are moved with its text, and those of
// diagnostics outside of it with the statements that they are in. Bounded. The thread of the compiler.
#pragma once

#include "compiler/driver/kernel_unit.h"
#include "compiler/frontend/call_types.h"
#include "compiler/frontend/kernel_reads.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace placid::compiler {

class UnitMemo {
public:
  explicit UnitMemo(size_t maxBytes = size_t{32} << 20) : maxBytes_(maxBytes) {}

  /// A kernel of a program, with what it reads at the moment. Not longer than the program.
  struct Asked {
    const frontend::Program *program = nullptr;
    frontend::KernelReader *reader = nullptr;
    const frontend::KernelReads *reads = nullptr;
    frontend::CallTypes *calls = nullptr;
    std::vector<std::string> types; ///< Of bare parameters: what calls gave them so far.
    std::string key;                ///< Empty: this kernel is neither found nor kept.
  };
  Asked ask(const frontend::Program &program, frontend::KernelReader &reader, const frontend::KernelDecl &kernel,
            frontend::CallTypes &calls, const std::string &arch, const UnitRequest &request);
  /// The kernel's result, with places of its text of now. What its calls say of types is said again.
  std::optional<UnitResult> find(const Asked &asked);
  /// `before`: the program's use when the compile began.
  void keep(const Asked &asked, const frontend::EvaluationUse &before, const UnitResult &result);

  size_t bytes() const { return bytes_; }

private:
  struct Entry {
    frontend::KernelReads reads;                             ///< Without pointers.
    std::vector<std::pair<std::string, std::string>> bodies; ///< Kernels whose bodies were read, and what these mean.
    std::vector<std::string> types;                          ///< See Asked.
    std::vector<std::pair<std::string, std::vector<std::string>>> calls; ///< What it said of the types of others.
    frontend::EvaluationUse use;
    uint32_t firstLine = 0;
    bool places = false;                   ///< The result has some in the kernel's text.
    std::vector<frontend::Anchor> outside; ///< The other places of its diagnostics, in the order of meeting them.
    UnitResult result;
    size_t bytes = 0;
    uint64_t used = 0;
  };

  bool holds(const Entry &entry, const Asked &asked) const;
  void makeRoom();

  size_t maxBytes_;
  size_t bytes_ = 0;
  uint64_t clock_ = 0;
  std::map<std::string, std::vector<Entry>> entries_;
};

} // namespace placid::compiler
