// SPDX-License-Identifier: Apache-2.0
#include "server/commands/arguments.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

constexpr OptionSpec kSpecs[] = {{"--arch", "ARCH", ""}, {"--define", "K=V", "", true}, {"--flag", "", ""}};

Arguments parse(std::vector<std::string> words) { return parseArguments(words, kSpecs); }

TEST(Arguments, Forms) {
  Arguments given = parse({"a.py", "--arch", "a5", "--define=X=1", "--flag", "--define", "Y=--z", "-", "--", "--arch"});
  EXPECT_EQ(given.error, "");
  EXPECT_EQ(given.value("--arch"), "a5");
  EXPECT_EQ(given.values("--define"), (std::vector<std::string>{"X=1", "Y=--z"}));
  EXPECT_TRUE(given.has("--flag"));
  EXPECT_EQ(given.positional, (std::vector<std::string>{"a.py", "-", "--arch"}));
}

TEST(Arguments, Faults) {
  EXPECT_EQ(parse({"--nope"}).error, "unknown option `--nope`");
  EXPECT_EQ(parse({"-x"}).error, "unknown option `-x`");
  EXPECT_EQ(parse({"--arch"}).error, "`--arch` needs a value: --arch ARCH");
  EXPECT_EQ(parse({"--flag=1"}).error, "`--flag` takes no value");
  EXPECT_EQ(parse({"--arch", "a3", "--arch", "a5"}).error, "`--arch` is given twice, as `a3` and `a5`");
  EXPECT_EQ(parse({"--arch", "a3", "--arch", "a3"}).error, "");
}

} // namespace
} // namespace placid::server
