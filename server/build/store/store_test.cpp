// SPDX-License-Identifier: Apache-2.0
#include "server/build/store/store.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace placid::server {
namespace {

namespace fs = std::filesystem;

class StoreTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "placid-store-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override {
    std::error_code error;
    fs::remove_all(folder, error);
  }
  std::string blob(const Digest &digest) const {
    return folder + "/s/cas/" + digest.hex.substr(0, 2) + "/" + digest.hex;
  }
  StoreOptions options() {
    StoreOptions out;
    out.freeFloor = 0;
    out.useGrain = 0;
    out.now = [this] { return ++clock; };
    return out;
  }
  std::string folder;
  int64_t clock = 1000;
};

TEST_F(StoreTest, PutGetByDigest) {
  Store store(folder + "/s");
  StoreResult<Digest> put = store.put("hello");
  ASSERT_TRUE(put);
  EXPECT_EQ(put->hex, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
  EXPECT_EQ(*store.get(*put), "hello");
  EXPECT_TRUE(store.has(*put));
  EXPECT_EQ(store.put("hello")->hex, put->hex);
  EXPECT_EQ(store.bytes(), 5U);
  StoreResult<std::string> none = store.get(digestOf("nobody"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, StoreFault::Kind::Missing);
  EXPECT_FALSE(store.get({"../../etc/passwd"}));
}

TEST_F(StoreTest, ADamagedBlobIsAMissAndHeals) {
  Store store(folder + "/s");
  Digest digest = *store.put("content of a kernel");
  ::chmod(blob(digest).c_str(), 0600);
  std::fstream(blob(digest), std::ios::in | std::ios::out) << 'C';
  StoreResult<std::string> damaged = store.get(digest);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().kind, StoreFault::Kind::Missing);
  EXPECT_FALSE(store.has(digest)) << "it is not asked for again";
  ASSERT_TRUE(store.put("content of a kernel"));
  EXPECT_EQ(*store.get(digest), "content of a kernel");
  fs::resize_file(blob(digest), 3);
  ASSERT_TRUE(store.put("content of a kernel")) << "a put over a short file writes it again";
  EXPECT_EQ(*store.get(digest), "content of a kernel");
}

TEST_F(StoreTest, TheBudgetEvictsWhatWasUsedLongestAgo) {
  StoreOptions small = options();
  small.maxBytes = 1000;
  Store store(folder + "/s", small);
  std::vector<Digest> digests;
  for (char c = 'a'; c < 'a' + 9; ++c) {
    digests.push_back(*store.put(std::string(100, c)));
  }
  ASSERT_TRUE(store.get(digests[0]));
  Store::Pin pin(store, {digests[1]});
  for (char c = 'A'; c < 'A' + 3; ++c) {
    ASSERT_TRUE(store.put(std::string(100, c)));
  }
  EXPECT_LE(store.bytes(), 1000U);
  EXPECT_TRUE(store.has(digests[0])) << "used since";
  EXPECT_TRUE(store.has(digests[1])) << "pinned";
  EXPECT_FALSE(store.has(digests[2]));
  StoreResult<Digest> large = store.put(std::string(2000, 'x'));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, StoreFault::Kind::Full);
}

TEST_F(StoreTest, AUseIsToldOnceInAWhileAndAfterItWasGone) {
  StoreOptions coarse = options();
  coarse.maxBytes = 1000;
  coarse.useGrain = 1000000;
  Store store(folder + "/s", coarse);
  std::vector<Digest> digests{*store.put(std::string(100, 'a'))};
  ASSERT_TRUE(store.get(digests[0])); // within the grain: it stays the oldest
  for (char c = 'b'; c < 'b' + 10; ++c) {
    digests.push_back(*store.put(std::string(100, c)));
  }
  EXPECT_FALSE(store.has(digests[0]));
  ASSERT_TRUE(store.put(std::string(100, 'a')));
  uint64_t there = 0;
  for (const Digest &digest : digests) {
    there += store.has(digest) ? 100 : 0;
  }
  EXPECT_TRUE(store.has(digests[0]));
  EXPECT_EQ(store.bytes(), there) << "what was gone is in the index again";
}

TEST_F(StoreTest, WhatIsPinnedStaysYoungForOtherProcesses) {
  StoreOptions small = options();
  small.maxBytes = 1000;
  Store here(folder + "/s", small);
  Store elsewhere(folder + "/s", small); // as another process has it
  Digest pinned = *here.put(std::string(100, 'p'));
  Store::Pin pin(here, {pinned});
  for (char c = 'a'; c < 'a' + 30; ++c) {
    ASSERT_TRUE(elsewhere.put(std::string(100, c)));
    here.renewPins();
  }
  EXPECT_TRUE(here.has(pinned));
}

TEST_F(StoreTest, ManyPinsAreRenewed) {
  Store store(folder + "/s", options());
  std::vector<Digest> digests;
  for (int i = 0; i < 600; ++i) { // more than one batch
    digests.push_back(*store.put("blob " + std::to_string(i)));
  }
  Store::Pin pin(store, digests);
  int64_t since = clock;
  store.renewPins();
  sqlite3 *db = nullptr;
  ASSERT_EQ(sqlite3_open((folder + "/s/index.sqlite").c_str(), &db), SQLITE_OK);
  int old = -1;
  sqlite3_exec(
      db, ("SELECT COUNT(*) FROM blobs WHERE used<" + std::to_string(since)).c_str(),
      [](void *to, int, char **row, char **) {
        *static_cast<int *>(to) = std::stoi(row[0]);
        return 0;
      },
      &old, nullptr);
  sqlite3_close(db);
  EXPECT_EQ(old, 0);
}

TEST_F(StoreTest, LittleSpaceIsAFaultNotACrash) {
  StoreOptions full = options();
  full.freeFloor = uint64_t{1} << 60;
  Store store(folder + "/s", full);
  StoreResult<Digest> put = store.put("x");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().kind, StoreFault::Kind::Full);
}

TEST_F(StoreTest, LittleSpaceCostsNoMoreBlobsThanItHasTo) {
  StoreOptions some = options();
  some.freeFloor = 1000;
  uint64_t left = 5000;
  some.freeSpace = [&] { return left; };
  Store store(folder + "/s", some);
  std::vector<Digest> digests;
  for (char c = 'a'; c < 'a' + 10; ++c) {
    digests.push_back(*store.put(std::string(100, c)));
  }
  left = 0; // others have filled the disk: removing all of ours would not be enough
  EXPECT_EQ(store.put("more").error().kind, StoreFault::Kind::Full);
  for (const Digest &digest : digests) {
    EXPECT_TRUE(store.has(digest));
  }
  left = 900; // a little is lacking
  EXPECT_FALSE(store.put(std::string(50, 'x'))) << "here nothing becomes free";
  EXPECT_FALSE(store.has(digests[1]));
  EXPECT_TRUE(store.has(digests[2])) << "150 bytes were lacking";
}

TEST_F(StoreTest, AFileThatMayNotGrowIsAFault) {
  pid_t child = ::fork();
  if (child == 0) { // a limit of one process alone
    ::signal(SIGXFSZ, SIG_IGN);
    Store store(folder + "/s", options());
    rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    StoreResult<Digest> put = store.put(std::string(100000, 'x'));
    bool good = !put && put.error().kind == StoreFault::Kind::Full;
    size_t files = 0;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder + "/s/cas")) {
      files += entry.is_regular_file() ? 1 : 0;
    }
    ::_exit(good && files == 0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(StoreTest, NoFolderKeepsNothing) {
  Store store("");
  EXPECT_FALSE(store.put("x"));
  EXPECT_FALSE(store.get(digestOf("x")));
  EXPECT_FALSE(store.remember("k", "v"));
  EXPECT_EQ(store.recall("k"), std::nullopt);
  std::ofstream(folder + "/file") << "x";
  Store blocked(folder + "/file");
  EXPECT_FALSE(blocked.put("x"));
}

TEST_F(StoreTest, ResultsExpireAndCanBeForgotten) {
  Store store(folder + "/s", options());
  EXPECT_TRUE(store.remember("a", std::string("v\0w", 3)));
  EXPECT_EQ(store.recall("a"), std::string("v\0w", 3));
  EXPECT_TRUE(store.remember("b", "later", 10));
  EXPECT_EQ(store.recall("b"), "later");
  clock += int64_t{11} * 1000000000;
  EXPECT_EQ(store.recall("b"), std::nullopt);
  store.forget("a");
  EXPECT_EQ(store.recall("a"), std::nullopt);
}

TEST_F(StoreTest, ADamagedIndexIsBegunAnewAndBlobsStay) {
  Digest digest;
  {
    Store store(folder + "/s", options());
    digest = *store.put("stays");
    store.remember("k", "goes");
  }
  for (const char *suffix : {"", "-wal", "-shm"}) {
    fs::remove(folder + "/s/index.sqlite" + suffix);
  }
  std::ofstream(folder + "/s/index.sqlite")
      << "this is no database, and long enough to be looked at as one. " << std::string(4096, 'x');
  Store store(folder + "/s", options());
  EXPECT_EQ(*store.get(digest), "stays");
  EXPECT_EQ(store.bytes(), 5U) << "counted from the files";
  EXPECT_EQ(store.recall("k"), std::nullopt);
  EXPECT_TRUE(store.remember("k", "again"));
}

TEST_F(StoreTest, AnIndexThatIsBusyIsLeftAlone) {
  {
    Store store(folder + "/s", options());
    store.remember("k", "stays");
  }
  sqlite3 *other = nullptr;
  ASSERT_EQ(sqlite3_open((folder + "/s/index.sqlite").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE t(x);", nullptr, nullptr,
                         nullptr),
            SQLITE_OK);
  {
    Store blind(folder + "/s", options());
    EXPECT_EQ(blind.recall("k"), std::nullopt);
    EXPECT_TRUE(blind.put("x")) << "blobs need no index";
  }
  sqlite3_close(other);
  Store store(folder + "/s", options());
  EXPECT_EQ(store.recall("k"), "stays");
}

TEST_F(StoreTest, WhatAKilledWriterLeftIsSwept) {
  {
    Store store(folder + "/s", options());
  }
  for (const char *name : {"/s/cas/tmp.young", "/s/cas/tmp.oldone"}) {
    std::ofstream(folder + name) << "half";
  }
  fs::last_write_time(folder + "/s/cas/tmp.oldone", fs::file_time_type::clock::now() - std::chrono::hours(2));
  Store store(folder + "/s", options());
  EXPECT_FALSE(fs::exists(folder + "/s/cas/tmp.oldone"));
  EXPECT_TRUE(fs::exists(folder + "/s/cas/tmp.young")) << "somebody may be writing it";
}

TEST_F(StoreTest, ManyProcessesAndThreadsShareOneFolder) {
  constexpr int kProcesses = 3, kThreads = 2, kBlobs = 40;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    pid_t child = ::fork();
    if (child == 0) {
      Store store(folder + "/s");
      std::atomic<bool> good = true;
      std::vector<std::thread> threads;
      for (int thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&] {
          for (int i = 0; i < kBlobs; ++i) {
            std::string text = "blob " + std::to_string(i) + std::string(1000, 'y');
            StoreResult<Digest> put = store.put(text);
            good = good && put && *store.get(*put) == text;
          }
        });
      }
      for (std::thread &thread : threads) {
        thread.join();
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Store store(folder + "/s");
  for (int i = 0; i < kBlobs; ++i) {
    EXPECT_TRUE(store.get(digestOf("blob " + std::to_string(i) + std::string(1000, 'y'))));
  }
}

TEST_F(StoreTest, AKilledWriterLeavesNothingHalf) {
  for (int round = 0; round < 5; ++round) {
    pid_t child = ::fork();
    if (child == 0) {
      Store store(folder + "/s");
      for (int i = 0;; ++i) {
        (void)store.put("round " + std::to_string(i) + std::string(20000, 'z'));
      }
    }
    auto begun = [&] {
      std::error_code error;
      auto entries = fs::recursive_directory_iterator(folder + "/s/cas", error);
      return !error && std::any_of(begin(entries), end(entries), [](const fs::directory_entry &entry) {
        return parseDigest(entry.path().filename().string()).has_value();
      });
    };
    for (int i = 0; i < 1000 && !begun(); ++i) {
      ::usleep(1000);
    }
    ::usleep(static_cast<useconds_t>(2000 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  Store store(folder + "/s");
  size_t seen = 0;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder + "/s/cas")) {
    if (std::optional<Digest> digest = parseDigest(entry.path().filename().string())) {
      EXPECT_TRUE(store.get(*digest)) << entry.path();
      ++seen;
    }
  }
  EXPECT_GT(seen, 0U);
}

TEST_F(StoreTest, FileDigestsFollowTheFile) {
  Store store(folder + "/s");
  std::string path = folder + "/tool";
  std::ofstream(path) << "one";
  EXPECT_EQ(store.fileDigest(path), digestOf("one"));
  EXPECT_EQ(store.fileDigest(path), digestOf("one"));
  std::ofstream(path) << "two";
  EXPECT_EQ(store.fileDigest(path), digestOf("two"));
  EXPECT_EQ(store.fileDigest(folder), std::nullopt);
  EXPECT_EQ(store.fileDigest(folder + "/none"), std::nullopt);
}

TEST(Digests, Spelling) {
  EXPECT_TRUE(parseDigest(std::string(64, 'a')));
  for (const std::string &text : {std::string(64, 'A'), std::string(63, 'a'), std::string(64, '/'), std::string()}) {
    EXPECT_EQ(parseDigest(text), std::nullopt);
  }
  Hasher one;
  one.addField("ab");
  one.addField("c");
  Hasher other;
  other.addField("a");
  other.addField("bc");
  EXPECT_NE(one.finish(), other.finish());
}

TEST_F(StoreTest, InPiecesAsInOne) {
  Store store(folder + "/s", options());
  std::string whole;
  for (int i = 0; whole.size() < (size_t{3} << 20); ++i) {
    whole += std::to_string(i);
  }
  std::unique_ptr<Store::Writer> writer = *store.begin(whole.size());
  for (size_t at = 0; at < whole.size(); at += 100001) {
    ASSERT_TRUE(writer->add(std::string_view(whole).substr(at, 100001)));
  }
  EXPECT_EQ(writer->size(), whole.size());
  EXPECT_FALSE(store.has(digestOf(whole))) << "it has no name before it is whole";
  Digest digest = *writer->keep();
  writer.reset();
  EXPECT_EQ(digest, digestOf(whole));
  EXPECT_EQ(*store.get(digest), whole);
  EXPECT_EQ(*store.check(digest), whole.size());
  EXPECT_EQ(store.bytes(), whole.size());
  std::unique_ptr<Store::Reader> reader = *store.open(digest);
  std::string read;
  while (read.size() < whole.size()) {
    read += *reader->read(read.size(), 77777);
  }
  EXPECT_EQ(read, whole);
  EXPECT_EQ(*reader->read(whole.size(), 10), "");
  EXPECT_EQ(*reader->read(5, 3), whole.substr(5, 3)) << "and from the middle";
  int fd = ::open((folder + "/copy").c_str(), O_RDWR | O_CREAT, 0600);
  EXPECT_EQ(*store.copyTo(digest, fd), whole.size());
  ::lseek(fd, 0, SEEK_SET);
  uint64_t size = 0;
  EXPECT_EQ(*store.putFile(fd, whole.size(), &size), digest);
  EXPECT_EQ(size, whole.size());
  ::lseek(fd, 0, SEEK_SET);
  EXPECT_EQ(store.putFile(fd, whole.size() - 1).error().kind, StoreFault::Kind::Full);
  ::close(fd);
}

TEST_F(StoreTest, AFileThatIsTakenBecomesTheBlob) {
  Store store(folder + "/s", options());
  auto take = [&](const std::string &name, const std::string &bytes, uint64_t most = 1000) {
    std::string path = folder + "/" + name;
    if (!bytes.empty()) {
      std::ofstream(path, std::ios::binary) << bytes;
    }
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    StoreResult<Digest> out = store.takeFile(fd, most);
    ::close(fd);
    return out;
  };
  auto inodeOf = [&](const std::string &path) {
    struct stat info{};
    return ::stat(path.c_str(), &info) == 0 ? info.st_ino : 0;
  };
  StoreResult<Digest> taken = take("a", "bytes");
  ASSERT_TRUE(taken);
  EXPECT_EQ(*taken, digestOf("bytes"));
  EXPECT_EQ(*store.get(*taken), "bytes");
  EXPECT_EQ(inodeOf(blob(*taken)), inodeOf(folder + "/a")) << "no byte was copied";
  EXPECT_EQ(store.bytes(), 5U);
  // What is there already stays, and is healed when it is damaged.
  ASSERT_TRUE(take("b", "bytes"));
  EXPECT_NE(inodeOf(blob(*taken)), inodeOf(folder + "/b"));
  fs::permissions(blob(*taken), fs::perms::owner_all);
  std::ofstream(blob(*taken), std::ios::binary) << "BYTES";
  ASSERT_TRUE(take("c", "bytes"));
  EXPECT_EQ(*store.get(*taken), "bytes");
  // One that has another name could be written to under it.
  std::ofstream(folder + "/d", std::ios::binary) << "other";
  fs::create_hard_link(folder + "/d", folder + "/e");
  StoreResult<Digest> other = take("d", "");
  ASSERT_TRUE(other);
  EXPECT_NE(inodeOf(blob(*other)), inodeOf(folder + "/d"));
  StoreResult<Digest> large = take("f", "too large", 3);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, StoreFault::Kind::Full);
}

TEST_F(StoreTest, ThePieceThatWouldMakeAWrongWholeIsNotGiven) {
  Store store(folder + "/s", options());
  const std::string whole(1000, 'x');
  for (bool cut : {false, true}) {
    Digest digest = *store.put(whole);
    ::chmod(blob(digest).c_str(), 0600);
    std::unique_ptr<Store::Reader> reader = *store.open(digest);
    if (cut) {
      fs::resize_file(blob(digest), 700);
    } else {
      std::fstream(blob(digest), std::ios::in | std::ios::out) << 'X';
    }
    EXPECT_TRUE(reader->read(0, 500)) << "nobody knows yet";
    StoreResult<std::string> last = reader->read(500, 500);
    ASSERT_FALSE(last);
    EXPECT_EQ(last.error().kind, StoreFault::Kind::Missing);
    EXPECT_FALSE(reader->read(500, 500)) << "nor when it is asked for again";
    EXPECT_FALSE(store.has(digest));
    EXPECT_FALSE(store.check(digest));
  }
}

TEST_F(StoreTest, WhatIsNotKeptLeavesNothing) {
  StoreOptions small = options();
  small.maxBytes = 1000;
  Store store(folder + "/s", small);
  auto temporary = [&] {
    return std::count_if(fs::directory_iterator(folder + "/s/cas"), fs::directory_iterator(),
                         [](const fs::directory_entry &entry) { return entry.is_regular_file(); });
  };
  EXPECT_EQ(store.begin(1001).error().kind, StoreFault::Kind::Full);
  {
    std::unique_ptr<Store::Writer> one = *store.begin(600);
    EXPECT_TRUE(one->add("part"));
    EXPECT_EQ(temporary(), 1);
    EXPECT_EQ(store.begin(600).error().kind, StoreFault::Kind::Full) << "what is only announced has its bounds";
    EXPECT_FALSE(one->add(std::string(600, 'x'))) << "more than was announced";
    EXPECT_EQ(one->keep().error().kind, StoreFault::Kind::Full);
  }
  EXPECT_EQ(temporary(), 0);
  EXPECT_TRUE(store.begin(600)) << "its place is free again";
  EXPECT_EQ(temporary(), 0);
}

} // namespace
} // namespace placid::server
