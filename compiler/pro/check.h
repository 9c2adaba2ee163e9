// SPDX-License-Identifier: Apache-2.0
// Checks one kernel of pypto_pro.language: everything the driver needs of this folder. Shares the evaluator, the
// modules and the diagnostics with the first dialect, and no rule. One thread.
#pragma once

#include "compiler/frontend/program.h"
#include "compiler/pro/kernel/reader.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace placid::pro {

struct KernelCheck {
  std::vector<diag::Diagnostic> diagnostics; ///< Unsorted.
  std::unique_ptr<KernelReader> reader;      ///< What was read, for reports; null for a function that is plain Python.
  target::Arch arch = target::Arch::A5;
  bool stopped = false;
};

/// `arch` is what was asked for: "" leaves it to the decorator's `arch=`, then to A5. `traces` gets what each core
/// runs, one entry a reading; null: nobody wants it. It must outlive the reader. `chooseSlots`: in them, which slot of
/// a group a tile is, is a number of run time; without, tiles that are taken in turn are places of their own.
KernelCheck checkKernel(const frontend::Program &program, const frontend::KernelDecl &kernel, const std::string &arch,
                        const std::stop_token &stop, std::deque<Trace> *traces = nullptr, bool chooseSlots = false);

} // namespace placid::pro
