// SPDX-License-Identifier: Apache-2.0
// Executing lowered kernels, as the server sees it: plain data in and out. Apart from CompilerService because it needs
// no compiler: kernels come as PTO IR text, from a build or from a file. One call at a time. Nothing throws.
#pragma once

#include "compiler/driver/compiler_service.h"

namespace placid::compiler {

/// Kernels run one after the other on shared tensors: arguments of one name are one tensor. Bytes are logical,
/// row-major, little-endian; NZ and DN tensors are packed and unpacked behind this interface.
struct RunRequest {
  std::vector<LoweredKernel> kernels;         ///< Without arguments: they are read from the text's tensor views.
  std::map<std::string, std::string> tensors; ///< Bytes by argument name.
  std::map<std::string, std::vector<int64_t>> shapes; ///< Of tensors of which it is known: held against the kernels.
  std::map<std::string, std::string> scalars;         ///< Numbers by name: scalar arguments and dynamic extents.
  int64_t blocks = 0;                                 ///< For every kernel; 0 means what its text says, else 1.
};

struct RunResult {
  struct Output {
    std::string name, dtype, bytes;
    std::vector<int64_t> shape;
    int64_t unwritten = 0; ///< Elements that no kernel wrote; they are zero.
  };
  std::vector<Output> outputs; ///< Every argument that is written, in order of first use.
  std::string wrong;           ///< The request does not fit the kernels: a usage error.
  std::string fault;           ///< What stopped a kernel.
  std::string faultAt;         ///< "file:line:column" of the program, or the line of the PTO IR text.
  bool stopped = false;
};

using RunKernels = RunResult (*)(const RunRequest &request, std::stop_token stop);

/// The implementation in this process.
RunResult runKernels(const RunRequest &request, std::stop_token stop);

} // namespace placid::compiler
