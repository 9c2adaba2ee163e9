// SPDX-License-Identifier: Apache-2.0
// What the origin of a result tells apart, and what it leaves out.
#include "compiler/interpreter/memory.h"

#include <gtest/gtest.h>

#include <functional>

namespace placid::interp {
namespace {

/// Bytes that come in, bytes of the core, bytes that go out.
class Bytes {
public:
  Bytes() {
    input.markWritten();
    for (Memory *memory : {&input, &local, &result}) {
      origins.give(memory);
      memory->follow(&origins);
    }
  }

  /// One statement that reads a byte and writes one.
  void step(const char *operation, Memory &from, int64_t read, Memory &to, int64_t written, uint32_t core = 0) {
    Number value;
    origins.begin(core, operation, "", 0);
    EXPECT_EQ(from.read(read, DType::I8, value), "");
    EXPECT_EQ(to.write(written, DType::I8, value), "");
  }
  void look(Memory &from, int64_t read) {
    Number value;
    origins.begin(0, "pto.tgetval", "e", 0);
    EXPECT_EQ(from.read(read, DType::I8, value), "");
  }

  Origins origins;
  Memory input{"input", 8}, local{"local", 8}, result{"result", 8};
};

uint64_t digestOf(const std::function<void(Bytes &)> &body) {
  Bytes run;
  run.origins.addCore();
  run.origins.addCore();
  body(run);
  return run.origins.digest({&run.result});
}

uint64_t copied(int64_t read, int64_t room, int64_t written, const char *how = "pto.tmov") {
  return digestOf([&](Bytes &run) {
    run.step(how, run.input, read, run.local, room);
    run.step("pto.tstore", run.local, room, run.result, written);
  });
}

TEST(Origins, TellPlacesOfArgumentsAndOperations) {
  EXPECT_EQ(copied(0, 0, 0), copied(0, 0, 0));
  EXPECT_NE(copied(0, 0, 0), copied(1, 0, 0));
  EXPECT_NE(copied(0, 0, 0), copied(0, 0, 1));
  EXPECT_NE(copied(0, 0, 0), copied(0, 0, 0, "pto.tneg"));
}

TEST(Origins, LeaveOutTheWay) {
  EXPECT_EQ(copied(0, 0, 0), copied(0, 5, 0));
  EXPECT_EQ(copied(0, 0, 0), digestOf([](Bytes &run) {
              run.step("pto.tmov", run.input, 0, run.local, 2);
              run.step("pto.tmov", run.local, 2, run.local, 3);
              run.step("pto.tstore", run.local, 3, run.result, 0);
            }));
}

TEST(Origins, MoveSeveralInTheOrderInWhichTheyAreRead) {
  auto digest = [](bool atOnce, int64_t second) {
    return digestOf([&](Bytes &run) {
      Number value;
      run.origins.begin(0, "pto.tmov", "", 0);
      EXPECT_EQ(run.input.read(3, DType::I8, value), "");
      if (!atOnce) {
        EXPECT_EQ(run.result.write(0, DType::I8, value), "");
      }
      EXPECT_EQ(run.input.read(second, DType::I8, value), "");
      if (atOnce) {
        EXPECT_EQ(run.result.write(0, DType::I8, value), "");
      }
      EXPECT_EQ(run.result.write(1, DType::I8, value), "");
    });
  };
  EXPECT_EQ(digest(false, 5), digest(true, 5));
  EXPECT_NE(digest(true, 5), digest(true, 6));
}

TEST(Origins, LeaveOutTheRoundOfWhatGoesElementByElement) {
  auto digest = [](const char *operation, bool both) {
    return digestOf([&](Bytes &run) {
      Number value;
      run.origins.begin(0, operation, "", 0);
      if (both) {
        EXPECT_EQ(run.input.read(2, DType::I8, value), "");
        EXPECT_EQ(run.local.write(2, DType::I8, value), "");
      }
      EXPECT_EQ(run.input.read(3, DType::I8, value), "");
      EXPECT_EQ(run.result.write(3, DType::I8, value), "");
    });
  };
  EXPECT_EQ(digest("pto.tneg", true), digest("pto.tneg", false));
  EXPECT_NE(digest("pto.trowsum", true), digest("pto.trowsum", false)); // may depend on all that was read
  EXPECT_NE(digest("pto.tneg", true), digest("pto.tabs", true));
}

TEST(Origins, KeepWhatEachElementIsMadeOf) {
  // All is read before anything is written, as operations that may work in place do.
  auto digest = [](int64_t second, bool swapped) {
    return digestOf([&](Bytes &run) {
      Number value;
      run.origins.begin(0, "pto.tneg", "", 0);
      std::vector<std::vector<uint64_t>> own;
      for (const int64_t at : {int64_t{1}, second}) {
        EXPECT_EQ(run.input.read(at, DType::I8, value), "");
        own.push_back(run.origins.handOver());
      }
      for (const int64_t at : {0, 1}) {
        run.origins.derive({}, own[swapped ? 1 - at : at]);
        EXPECT_EQ(run.result.write(at, DType::I8, value), "");
      }
    });
  };
  EXPECT_EQ(digest(2, false), digest(2, false));
  EXPECT_NE(digest(2, false), digest(3, false)); // the second element
  EXPECT_NE(digest(2, false), digest(2, true));
}

TEST(Origins, LeaveOutWhatNobodyReadsOrIsOverwritten) {
  EXPECT_EQ(copied(0, 0, 0), digestOf([](Bytes &run) {
              run.step("pto.tmov", run.input, 4, run.result, 0);
              run.step("pto.tneg", run.input, 5, run.local, 7);
              run.step("pto.tstore", run.input, 0, run.result, 0);
            }));
}

TEST(Origins, LeaveOutHowCoresTakeTurns) {
  auto digest = [](bool swapped) {
    return digestOf([&](Bytes &run) {
      for (const int i : {swapped ? 1 : 0, swapped ? 0 : 1}) {
        run.step("pto.tneg", run.input, i, run.result, i, static_cast<uint32_t>(i));
      }
    });
  };
  EXPECT_EQ(digest(false), digest(true));
}

TEST(Origins, KeepReadsThatMayDecideWhatRuns) {
  auto digest = [](int64_t read) { return digestOf([&](Bytes &run) { run.look(run.input, read); }); };
  EXPECT_NE(digest(2), digest(3));
}

} // namespace
} // namespace placid::interp
