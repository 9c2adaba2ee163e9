// SPDX-License-Identifier: Apache-2.0
#include "server/support/read_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

struct ReadFile : ::testing::Test {
  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("read_file_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string at(const char *name) { return (folder / name).string(); }
};

TEST_F(ReadFile, WhatIsThereUpToTheLimit) {
  std::ofstream(at("a")) << "12345";
  EXPECT_EQ(readRegularFile(at("a"), 5), "12345");
  EXPECT_EQ(readRegularFile(at("a"), 4), std::nullopt);
  FileContent more = readFile(at("a"), 4);
  EXPECT_TRUE(more.tooLarge);
  EXPECT_EQ(more.size, 5U);
  EXPECT_EQ(readRegularFile(at("none"), 5), std::nullopt);
  std::ofstream(at("empty")).flush();
  EXPECT_EQ(readRegularFile(at("empty"), 5), "");
}

// With a plain open() this test never ends.
TEST_F(ReadFile, PipesDevicesAndFoldersAreNotWaitedFor) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(readFile(at("pipe"), 100).error, EINVAL);
  EXPECT_EQ(readFile("/dev/zero", 100).error, EINVAL);
  EXPECT_EQ(readFile(folder.string(), 100).error, EISDIR);
}

} // namespace
} // namespace placid::server
