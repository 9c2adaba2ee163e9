// SPDX-License-Identifier: Apache-2.0
// The life of a worker process: takes calls from its socket, runs them on the compiler that was handed in, answers. It
// ends when the socket closes, at once and in the middle of a compile if need be. Owns the process it runs in.
#pragma once

#include "compiler/driver/compiler_service.h"

namespace placid::server {

struct WorkerLimits {
  uint64_t addressSpace = uint64_t{6} << 30; ///< Bytes; ignored under a sanitizer.
  uint64_t cpuSeconds = 120;                 ///< For one call.
};

/// Serves `fd` until it closes. Does not return.
[[noreturn]] void runWorker(int fd, compiler::CompilerService &compiler, const WorkerLimits &limits = {});

} // namespace placid::server
