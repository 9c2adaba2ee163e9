// SPDX-License-Identifier: Apache-2.0
// `placidd` around the FakeCompiler: what transcripts and editor tests run against, so that they test the server and
// not the front end, and run under the thread sanitizer.
#include "server/program.h"
#include "tests/testing/fake_compiler.h"

int main(int argc, char **argv) {
  placid::testing::FakeCompiler compiler;
  return placid::server::runProgram(argc, argv, compiler, &placid::testing::fakeImportsPl);
}
