// SPDX-License-Identifier: Apache-2.0
// The program `placidd`: the server with the compiler in the same process. The one file of the server that names an
// implementation of CompilerService.
#include "compiler/driver/in_process.h"
#include "server/program.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace {

/// Whether a text may come again: everywhere but in a command that ends.
bool remembers(std::span<char *const> words) {
  auto given = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  return words.size() < 2 || words[1] != std::string_view("oneshot") || given("lsp") || given("--watch");
}

} // namespace

int main(int argc, char **argv) {
  // Never taken apart: the process ends.
  static placid::compiler::CompilerService *compiler =
      placid::compiler::makeInProcessService(remembers({argv, static_cast<size_t>(argc)})).release();
  return placid::server::runProgram(argc, argv, *compiler, &placid::compiler::importsPl, &placid::compiler::runKernels);
}
