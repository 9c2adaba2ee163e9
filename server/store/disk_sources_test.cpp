// SPDX-License-Identifier: Apache-2.0
#include "server/commands/sources.h"
#include "server/store/disk_sources.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

struct DiskSourcesTest : ::testing::Test {
  // A folder a test: they run at the same time.
  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("disk_sources_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void write(const std::string &name, const std::string &text) {
    ASSERT_EQ(writeAtomically((folder / name).string(), text), "");
  }
};

TEST_F(DiskSourcesTest, GivesTheSameTextUntilTheFileChanges) {
  write("a.py", "A = 1\n");
  DiskSources sources(folder.string());
  source::SourcePtr first = sources.load("a.py");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->path, "a.py");
  EXPECT_EQ(first->text, "A = 1\n");
  EXPECT_EQ(sources.load("a.py"), first);
  write("a.py", "A = 1234\n");
  source::SourcePtr second = sources.load("a.py");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->text, "A = 1234\n");
  fs::remove(folder / "a.py");
  EXPECT_EQ(sources.load("a.py"), nullptr);
  EXPECT_FALSE(sources.exists("a.py"));
}

TEST_F(DiskSourcesTest, FoldersAndMissingFilesAreNotFiles) {
  fs::create_directories(folder / "pkg");
  DiskSources sources(folder.string());
  EXPECT_FALSE(sources.exists("pkg"));
  EXPECT_EQ(sources.load("pkg"), nullptr);
  EXPECT_EQ(sources.load("missing.py"), nullptr);
}

TEST_F(DiskSourcesTest, OpenDocumentsHideTheDisk) {
  write("a.py", "A = 1\n");
  write("b.py", "B = 1\n");
  auto edited = std::make_shared<source::SourceText>("a.py", "A = 2\n");
  OpenSources sources({{"a.py", edited}}, std::make_shared<DiskSources>(folder.string()));
  EXPECT_EQ(sources.load("a.py"), edited);
  ASSERT_TRUE(sources.load("b.py"));
  EXPECT_EQ(sources.load("b.py")->text, "B = 1\n");
  EXPECT_TRUE(sources.exists("a.py"));
  EXPECT_FALSE(OpenSources({}, nullptr).exists("a.py"));
}

} // namespace
} // namespace placid::server
