// SPDX-License-Identifier: Apache-2.0
// The program `placidd`: the server with the compiler in the same process. The one file of the server that names an
// implementation of CompilerService.
#include "compiler/driver/in_process.h"
#include "server/program.h"

int main(int argc, char **argv) {
  std::unique_ptr<placid::compiler::CompilerService> compiler = placid::compiler::makeInProcessService();
  return placid::server::runProgram(argc, argv, *compiler, &placid::compiler::importsPl, &placid::compiler::runKernels);
}
