// SPDX-License-Identifier: Apache-2.0
#include "server/cache/caching_service.h"
#include "server/worker/wire.h"
#include "tests/testing/fake_compiler.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

class Caching : public ::testing::Test {
protected:
  static fs::path freshFolder() {
    fs::path folder = fs::path(::testing::TempDir()) / ("caching-" + std::to_string(::getpid()));
    fs::remove_all(folder);
    return folder;
  }
  ~Caching() override { fs::remove_all(folder_); }
  compiler::CheckResult check(CachingService &service, const std::string &text) {
    return service.check(std::make_shared<source::SourceText>("a.py", text), options_, {});
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> out;
    for (const auto &entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_regular_file()) {
        out.push_back(entry.path());
      }
    }
    return out;
  }

  fs::path folder_ = freshFolder();
  testing::FakeCompiler fake_;
  compiler::Options options_;
  ResultCache cache_{"build", folder_.string()};
  CachingService service_{fake_, cache_, CachingService::Keep::Disk};
};

TEST_F(Caching, TheSameQuestionIsAskedOnce) {
  std::string first = wireBytes(check(service_, "ERR"));
  EXPECT_EQ(wireBytes(check(service_, "ERR")), first);
  EXPECT_EQ(fake_.checks, 1);
  EXPECT_EQ(cache_.hits(), 1U);
  check(service_, "ERR ");
  EXPECT_EQ(fake_.checks, 2);
  options_.arch = "a5";
  check(service_, "ERR");
  EXPECT_EQ(fake_.checks, 3) << "another chip";
  options_.defines = {{"N", "1"}};
  check(service_, "ERR");
  EXPECT_EQ(fake_.checks, 4);
}

/// A compiler that reads one module for every text.
class Importing final : public compiler::CompilerService {
public:
  compiler::CheckResult check(const source::SourcePtr &, const compiler::Options &options, std::stop_token) override {
    ++checks;
    compiler::CheckResult out;
    source::SourcePtr module = options.sources->exists("/m.py") ? options.sources->load("/m.py") : nullptr;
    out.modulesRead = {module ? module->text : "none"};
    return out;
  }
  compiler::InspectResult inspect(const source::SourcePtr &, const compiler::Options &, std::stop_token) override {
    return {};
  }
  compiler::IrResult ir(const source::SourcePtr &, const compiler::Options &, const compiler::IrRequest &,
                        std::stop_token) override {
    return {};
  }
  compiler::LowerResult lower(const source::SourcePtr &, const compiler::Options &, std::stop_token) override {
    return {};
  }
  index::Index index(const source::SourcePtr &) override { return {}; }
  std::vector<index::OpInfo> ops() const override { return {}; }
  std::vector<std::string> passNames() const override { return {}; }
  int checks = 0;
};

TEST_F(Caching, AModuleThatChangesOrAppearsIsNoticed) {
  Importing importing;
  CachingService service(importing, cache_, CachingService::Keep::Disk);
  auto sources = std::make_shared<source::FixedSources>();
  options_.sources = sources;
  EXPECT_EQ(check(service, "x").modulesRead[0], "none");
  EXPECT_EQ(check(service, "x").modulesRead[0], "none");
  EXPECT_EQ(importing.checks, 1);
  sources->add("/m.py", "A = 1");
  EXPECT_EQ(check(service, "x").modulesRead[0], "A = 1") << "a file that did not exist";
  EXPECT_EQ(check(service, "x").modulesRead[0], "A = 1");
  EXPECT_EQ(importing.checks, 2);
  sources->add("/m.py", "A = 2");
  EXPECT_EQ(check(service, "x").modulesRead[0], "A = 2");
  EXPECT_EQ(importing.checks, 3);
}

TEST_F(Caching, ANewDaemonFindsItOnDisk) {
  std::string first = wireBytes(check(service_, "ERR pl.NZ BADUSE"));
  ResultCache next("build", folder_.string());
  CachingService after(fake_, next, CachingService::Keep::Disk);
  EXPECT_EQ(wireBytes(check(after, "ERR pl.NZ BADUSE")), first);
  EXPECT_EQ(fake_.checks, 1);
  ResultCache other("another build", folder_.string());
  CachingService stranger(fake_, other, CachingService::Keep::Disk);
  check(stranger, "ERR pl.NZ BADUSE");
  EXPECT_EQ(fake_.checks, 2);
}

TEST_F(Caching, TypingStaysInMemory) {
  CachingService typing(fake_, cache_, CachingService::Keep::Memory);
  check(typing, "ERR");
  check(typing, "ERR");
  EXPECT_EQ(fake_.checks, 1);
  EXPECT_TRUE(files().empty());
}

TEST_F(Caching, ADamagedEntryIsAMiss) {
  check(service_, "ERR");
  ASSERT_EQ(files().size(), 1U);
  fs::path file = files()[0];
  auto size = fs::file_size(file);
  for (uintmax_t at : {uintmax_t{0}, size / 2, size - 1}) {
    {
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(static_cast<std::streamoff>(at));
      char byte = static_cast<char>(stream.get());
      stream.seekp(static_cast<std::streamoff>(at));
      stream.put(static_cast<char>(byte ^ 1));
    }
    int before = fake_.checks;
    ResultCache next("build", folder_.string());
    CachingService after(fake_, next, CachingService::Keep::Disk);
    EXPECT_EQ(check(after, "ERR").counts.errors, 1U);
    EXPECT_EQ(fake_.checks, before + 1) << at;
    ASSERT_TRUE(fs::exists(file)) << "written again";
  }
  fs::resize_file(file, 10);
  ResultCache next("build", folder_.string());
  CachingService after(fake_, next, CachingService::Keep::Disk);
  EXPECT_EQ(check(after, "ERR").counts.errors, 1U);
}

TEST_F(Caching, AFolderThatIsDeletedIsMadeAgain) {
  fs::remove_all(folder_);
  check(service_, "ERR");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(Caching, AFolderThatCannotBeWrittenCostsNothingElse) {
  ResultCache nowhere("build", "/proc/none/here");
  CachingService service(fake_, nowhere, CachingService::Keep::Disk);
  EXPECT_EQ(check(service, "ERR").counts.errors, 1U);
  EXPECT_EQ(check(service, "ERR").counts.errors, 1U);
  EXPECT_EQ(fake_.checks, 1);
}

TEST_F(Caching, InternalErrorsAndStoppedResultsAreNotKept) {
  check(service_, "ICE");
  check(service_, "ICE");
  EXPECT_EQ(fake_.checks, 2);
  std::stop_source stop;
  stop.request_stop();
  service_.check(std::make_shared<source::SourceText>("a.py", "ERR"), options_, stop.get_token());
  EXPECT_EQ(check(service_, "ERR").stopped, false);
  EXPECT_EQ(fake_.checks, 4);
}

TEST_F(Caching, BudgetsHold) {
  ResultCache small("build", "", 10000);
  CachingService service(fake_, small, CachingService::Keep::Disk);
  for (int i = 0; i < 200; ++i) {
    check(service, "ERR" + std::to_string(i));
  }
  EXPECT_LE(small.bytes(), 10000U);
  BlobStore store(folder_.string(), 20000);
  for (int i = 0; i < 100; ++i) {
    store.put("ab" + std::to_string(1000 + i), std::string(1000, 'x'));
  }
  uint64_t total = 0;
  for (const fs::path &file : files()) {
    total += fs::file_size(file);
  }
  EXPECT_LE(total, 20000U);
  EXPECT_GT(total, 5000U);
  EXPECT_EQ(store.get("ab1099"), std::string(1000, 'x')) << "the newest stay";
}

} // namespace
} // namespace placid::server
