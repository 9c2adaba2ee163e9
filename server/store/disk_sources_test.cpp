// SPDX-License-Identifier: Apache-2.0
#include "server/commands/sources.h"
#include "server/store/disk_sources.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

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

TEST_F(DiskSourcesTest, AFileThatTakesAnothersPlaceWithItsTimeIsReadAnew) {
  write("a.py", "A = 1\n");
  auto time = fs::last_write_time(folder / "a.py") - std::chrono::hours(1);
  fs::last_write_time(folder / "a.py", time);
  DiskSources sources(folder.string());
  EXPECT_EQ(sources.load("a.py")->text, "A = 1\n");
  write("b.py", "A = 2\n");
  fs::last_write_time(folder / "b.py", time);
  fs::rename(folder / "b.py", folder / "a.py");
  EXPECT_EQ(sources.load("a.py")->text, "A = 2\n");
  // In place, and the time set back.
  std::ofstream(folder / "a.py") << "A = 3\n";
  fs::last_write_time(folder / "a.py", time);
  EXPECT_EQ(sources.load("a.py")->text, "A = 3\n");
}

TEST_F(DiskSourcesTest, ManyWritesWithinOneTickAreSeen) {
  DiskSources sources(folder.string());
  for (int i = 0; i < 500; ++i) {
    std::string text = "A = " + std::to_string(1000 + i) + "\n";
    std::ofstream(folder / "a.py") << text;
    ASSERT_EQ(sources.load("a.py")->text, text);
  }
}

TEST_F(DiskSourcesTest, AMarkOfByteOrderIsNoText) {
  write("a.py", "\xef\xbb\xbf"
                "A = 1\n");
  EXPECT_EQ(DiskSources(folder.string()).load("a.py")->text, "A = 1\n");
}

TEST_F(DiskSourcesTest, AnOpenDocumentHidesItsFileUnderEveryName) {
  write("a.py", "A = 1\n");
  write("b.py", "A = 1\n");
  fs::create_symlink(folder / "a.py", folder / "link.py");
  std::string open = (folder / "link.py").string();
  OpenSources sources({{open, std::make_shared<source::SourceText>(open, "A = 2\n")}}, std::make_shared<DiskSources>());
  source::SourcePtr seen = sources.load((folder / "a.py").string());
  EXPECT_EQ(seen->text, "A = 2\n");
  EXPECT_EQ(seen->path, (folder / "a.py").string());
  EXPECT_EQ(sources.load((folder / "a.py").string()), seen);
  EXPECT_EQ(sources.load((folder / "b.py").string())->text, "A = 1\n");
  EXPECT_EQ(sources.askedElsewhere(), std::vector<std::string>{open});
}

} // namespace
} // namespace placid::server
