// SPDX-License-Identifier: Apache-2.0
#include "server/build/build_progress.h"
#include "server/build/build_trace.h"
#include "server/build/events.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace placid::server {
namespace {

using Ordered = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(BuildTrace, StepsFollowEachOtherInTheKernelsRow) {
  BuildTrace trace;
  trace.add("fileLowered", {{"source", "k.py"}}, 1000);
  trace.add("kernelStarted", {{"kernel", "a"}, {"toolchain", "cpu-sim"}}, 2000);
  trace.add("kernelStarted", {{"kernel", "b"}}, 3000);
  trace.add("passFinished", {{"kernel", "a"}, {"step", "ptoas"}, {"queueMs", 4}, {"runMs", 3}}, 10000);
  trace.add("cacheHit", {{"kernel", "a"}, {"step", "compile"}}, 11000);
  trace.add("kernelFinished", {{"kernel", "a"}, {"status", "succeeded"}}, 12000);
  trace.add("kernelStarted", {{"kernel", "c"}}, 13000);
  trace.add("passFinished", {{"kernel", "nobody"}, {"step", "ptoas"}}, 14000);
  Ordered whole = Ordered::parse(trace.text(20000));
  std::map<std::string, Ordered> bars;
  std::map<int, int> rows;
  for (const Ordered &event : whole["traceEvents"]) {
    if (event["ph"] == "X") {
      bars[event["name"].get<std::string>()] = event;
    }
  }
  EXPECT_EQ(bars["lower k.py"]["dur"], 1000);
  EXPECT_EQ(bars["waits"]["ts"], 2000);
  EXPECT_EQ(bars["waits"]["dur"], 4000);
  EXPECT_EQ(bars["ptoas"]["ts"], 6000);
  EXPECT_EQ(bars["ptoas"]["dur"], 4000);
  EXPECT_EQ(bars["compile (known)"]["cat"], "cache");
  EXPECT_EQ(bars["a"]["ts"], 2000);
  EXPECT_EQ(bars["a"]["dur"], 10000);
  EXPECT_EQ(bars["a"]["tid"], bars["ptoas"]["tid"]);
  EXPECT_NE(bars["a"]["tid"], bars["b"]["tid"]) << "at the same time";
  EXPECT_EQ(bars["a"]["tid"], bars["c"]["tid"]) << "after it";
  EXPECT_EQ(bars["b"]["args"]["status"], "stopped");
  EXPECT_EQ(bars["build"]["dur"], 20000);
}

TEST(BuildProgress, ALineThatIsDrawnOverAndTakenAway) {
  std::string screen;
  std::chrono::steady_clock::time_point now{std::chrono::hours(1)};
  BuildProgress progress({100, false}, 1, [&](const std::string &text) { screen += text; }, [&] { return now; });
  EXPECT_THAT(progress.line(), HasSubstr("lowering [------------------------] 0/1 files"));
  progress.add("fileLowered", {{"source", "k.py"}});
  progress.add("kernelQueued", {{"kernel", "a"}});
  progress.add("kernelQueued", {{"kernel", "b"}});
  progress.add("kernelStarted", {{"kernel", "a\x1b[2J\n"}});
  progress.add("cacheHit", {{"kernel", "a\x1b[2J\n"}, {"step", "ptoas"}});
  EXPECT_EQ(progress.line(), "building [------------------------] 0/2 kernels, 1 step known | a?[2J? after ptoas");
  size_t once = screen.size();
  progress.add("kernelFinished", {{"kernel", "a\x1b[2J\n"}, {"status", "failed"}});
  EXPECT_EQ(screen.size(), once) << "not more often than anyone can see";
  now += std::chrono::seconds(1);
  progress.add("kernelStarted", {{"kernel", "b"}});
  EXPECT_THAT(screen, ::testing::EndsWith(
                          "\r\x1b[Kbuilding [############------------] 1/2 kernels, 1 step known, 1 failed | b"));
  EXPECT_THAT(screen, Not(HasSubstr("\x1b[2J")));
  progress.clear();
  EXPECT_THAT(screen, ::testing::EndsWith("\r\x1b[K"));
  size_t cleared = screen.size();
  now += std::chrono::seconds(1);
  progress.add("kernelFinished", {{"kernel", "b"}, {"status", "succeeded"}});
  progress.clear();
  EXPECT_EQ(screen.size(), cleared);
}

TEST(BuildProgress, WhatIsSaidAgainCountsOnce) {
  std::string screen;
  BuildProgress progress({100, false}, 1, [&](const std::string &text) { screen += text; });
  for (int twice = 0; twice < 2; ++twice) {
    progress.add("fileLowered", {{"source", "k.py"}});
    EXPECT_EQ(progress.line(), "lowering [########################] 1/1 files");
  }
  progress.add("fileLowered", {{"source", "a file that nobody asked for"}});
  EXPECT_EQ(progress.line(), "lowering [########################] 1/1 files");
  for (int twice = 0; twice < 2; ++twice) {
    progress.add("kernelQueued", {{"kernel", "a"}});
    progress.add("kernelQueued", {{"kernel", "b"}});
    progress.add("kernelStarted", {{"kernel", "a"}});
    EXPECT_EQ(progress.line().substr(0, 47), "building [------------------------] 0/2 kernels") << progress.line();
    progress.add("kernelFinished", {{"kernel", "a"}, {"status", twice == 0 ? "failed" : "succeeded"}});
  }
  EXPECT_EQ(progress.line(), "building [############------------] 1/2 kernels");
}

TEST(BuildEvents, AWatcherThatThrowsEndsNothing) {
  std::string lines;
  int heard = 0;
  int heardByOther = 0;
  {
    BuildEvents events(
        [&](std::string_view line) {
          lines += line;
          return true;
        },
        "id");
    events.watch([&](std::string_view, const Ordered &) {
      ++heard;
      (void)std::string().at(1); // std::out_of_range
    });
    events.watch([&](std::string_view, const Ordered &) { ++heardByOther; });
    events.emit("one", Ordered::object());
    events.emit("two", Ordered::object());
  }
  EXPECT_EQ(heard, 1);
  EXPECT_EQ(heardByOther, 3);
  std::string last = lines.substr(lines.rfind('\n', lines.size() - 2) + 1);
  Ordered end = Ordered::parse(last);
  EXPECT_EQ(end["type"], "buildFinished");
  EXPECT_EQ(end["status"], "internal");
  EXPECT_EQ(end["exitCode"], 3);
  for (const char *name : {"kernels", "built", "errors", "warnings"}) {
    EXPECT_EQ(end[name], 0) << name;
  }
}

TEST(BuildProgress, ANarrowTerminalHasTheNumbers) {
  BuildProgress narrow({10, true}, 0, [](const std::string &) {});
  narrow.add("kernelQueued", {{"kernel", "a"}});
  EXPECT_EQ(narrow.line(), "\x1b[1mbuilding\x1b[0m 0/1 kernel");
  BuildProgress wide({200, false}, 0, [](const std::string &) {});
  wide.add("kernelQueued", {{"kernel", "a"}});
  wide.add("kernelStarted", {{"kernel", "a"}});
  wide.add("passFinished", {{"kernel", "a"}, {"step", "ptoas"}});
  EXPECT_EQ(wide.line(), "building [------------------------] 0/1 kernels | a after ptoas");
}

} // namespace
} // namespace placid::server
