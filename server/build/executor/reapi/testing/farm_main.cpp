// SPDX-License-Identifier: Apache-2.0
// The tests' farm as a program: `reapi_farm unix:/PATH` says "ready" and serves until its input ends. A line on its
// input is a command: "restart", or "counts", which it answers with the number of executions.
#include "server/build/executor/reapi/testing/farm.h"

#include <unistd.h>

#include <iostream>

namespace {

void say(const std::string &line) {
  std::string text = line + "\n";
  (void)!::write(STDOUT_FILENO, text.data(), text.size());
}

} // namespace

int main(int count, char **words) {
  if (count != 2) {
    std::cerr << "usage: reapi_farm unix:/PATH\n";
    return 2;
  }
  placid::server::Farm farm(words[1]);
  say("ready");
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "restart") {
      farm.restart();
    }
    say(std::to_string(farm.counts().executions));
  }
  return 0;
}
