// SPDX-License-Identifier: Apache-2.0
// The `placidd` program with its compiler handed in: `main.cpp` gives the real one, tests give another. Reads the
// environment and the terminal, owns standard output; everything below it returns text.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/driver/kernel_runner.h"

#include <string_view>

namespace placid::server {

/// The exit code of the process.
int runProgram(int argc, char **argv, compiler::CompilerService &compiler, bool (*importsPl)(std::string_view),
               compiler::RunKernels runKernels = nullptr);

} // namespace placid::server
