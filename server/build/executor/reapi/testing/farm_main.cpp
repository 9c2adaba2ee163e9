// SPDX-License-Identifier: Apache-2.0
// The tests' farm as a program: `reapi_farm unix:/PATH [SEED PERCENT]` says "ready" and serves until its input ends. A
// line on its input is a command, which it answers with the number of executions: "restart", "damage" (what it has
// made), "faults N" (each, N times, by chance where there is a seed), "counts".
#include "server/build/executor/reapi/testing/farm.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace {

void say(const std::string &line) {
  std::string text = line + "\n";
  (void)!::write(STDOUT_FILENO, text.data(), text.size());
}

} // namespace

int main(int count, char **words) {
  if (count != 2 && count != 4) {
    std::cerr << "usage: reapi_farm unix:/PATH [SEED PERCENT]\n";
    return 2;
  }
  placid::server::FarmTraits traits;
  if (count == 4) {
    traits.faultSeed = std::strtoull(words[2], nullptr, 10);
    traits.faultPercent = std::atoi(words[3]);
  }
  placid::server::Farm farm(words[1], traits);
  say("ready");
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "restart") {
      farm.restart();
    } else if (line == "damage") {
      farm.damageResults();
    } else if (line.starts_with("faults ")) {
      for (int fault = 0; fault < static_cast<int>(placid::server::Fault::Count); ++fault) {
        farm.plan(static_cast<placid::server::Fault>(fault), std::atoi(line.c_str() + 7));
      }
    }
    say(std::to_string(farm.counts().executions));
  }
  return 0;
}
