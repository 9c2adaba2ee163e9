// SPDX-License-Identifier: Apache-2.0
// The executor against a server that others wrote: Bazel's reference worker, which the build makes of Debian's sources.
// PLACID_REMOTE_WORKER is the command that starts it; without it the tests are skipped.
#include "server/build/executor/conformance.h"
#include "server/build/executor/reapi/reapi_executor.h"
#include "server/build/executor/reapi/store_blobs.h"
#include "server/build/executor/reapi/testing/cutting_proxy.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sstream>

namespace placid::server {
namespace {

/// One for all tests of the process: it takes a second or two to start.
class Worker {
public:
  Worker() {
    const char *command = std::getenv("PLACID_REMOTE_WORKER");
    if (!command) {
      return;
    }
    std::istringstream words(command);
    for (std::string word; words >> word;) {
      words_.push_back(word);
    }
    std::string name = (std::filesystem::temp_directory_path() / "placid-worker-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::filesystem::create_directories(folder_ + "/work");
    std::filesystem::create_directories(folder_ + "/cas");
    port_ = freePort();
    words_.push_back("--work_path=" + folder_ + "/work");
    words_.push_back("--cas_path=" + folder_ + "/cas");
    words_.push_back("--listen_port=" + std::to_string(port_));
    words_.push_back("--jobs=8");
    begin();
  }
  ~Worker() {
    end();
    endTools();
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  bool exists() const { return pid_ > 0; }
  std::string address() const { return "grpc://127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  const std::string &folder() const { return folder_; }
  void restart() {
    end();
    begin();
  }

private:
  static int freePort() {
    int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(fd, reinterpret_cast<sockaddr *>(&address), size);
    ::getsockname(fd, reinterpret_cast<sockaddr *>(&address), &size);
    ::close(fd);
    return ntohs(address.sin_port);
  }
  void begin() {
    std::vector<char *> argv;
    for (std::string &word : words_) {
      argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    int log = ::open((folder_ + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    pid_ = ::fork();
    if (pid_ == 0) { // other threads may hold any lock: system calls alone
      ::dup2(log, STDOUT_FILENO);
      ::dup2(log, STDERR_FILENO);
      ::execvp(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(log);
  }
  void end() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  /// It leaves its tools running when it goes; they are known by the folder in which they run.
  void endTools() const {
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator("/proc", error)) {
      std::error_code none;
      std::string name = entry.path().filename();
      std::string cwd = std::filesystem::read_symlink(entry.path() / "cwd", none).string();
      if (!folder_.empty() && cwd.starts_with(folder_ + "/work") && name.find_first_not_of("0123456789") == name.npos) {
        ::kill(std::atoi(name.c_str()), SIGKILL);
      }
    }
  }

  std::vector<std::string> words_;
  std::string folder_;
  int port_ = 0;
  pid_t pid_ = -1;
};

Worker &worker() {
  static Worker instance;
  return instance;
}

class OnTheWorker : public Executor {
public:
  OnTheWorker(Store &store, size_t jobs, const std::string &address = worker().address()) : blobs_(store) {
    ReapiOptions options;
    options.address = address;
    options.jobs = jobs;
    options.firstPatience = std::chrono::minutes(2); // until it listens
    options.patience = std::chrono::minutes(2);
    static std::atomic<int> made = 0;
    options.salt = std::to_string(++made); // nothing that another test has asked for is known
    std::string wrong;
    executor_ = ReapiExecutor::make(options, blobs_, wrong);
  }
  ExecutorCaps caps() const override { return executor_->caps(); }
  Outcome run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
              std::stop_token stop) override {
    return executor_->run(action, limits, watcher, stop);
  }

private:
  StoreBlobs blobs_;
  std::unique_ptr<ReapiExecutor> executor_;
};

std::unique_ptr<Executor> makeOnTheWorker(const ExecutorGround &ground) {
  return worker().exists() ? std::make_unique<OnTheWorker>(ground.store, ground.budget.slots()) : nullptr;
}
INSTANTIATE_TEST_SUITE_P(RemoteWorker, ExecutorConformance, ::testing::Values(&makeOnTheWorker));

/// What is particular to this server.
class RemoteWorkerFaults : public ::testing::Test {
protected:
  RemoteWorkerFaults() {
    std::string name = (std::filesystem::temp_directory_path() / "placid-remote-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    store = std::make_unique<Store>(folder + "/store");
  }
  ~RemoteWorkerFaults() override {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }
  void SetUp() override {
    if (!worker().exists()) {
      GTEST_SKIP() << "PLACID_REMOTE_WORKER is not set: bazel-bootstrap, bazel-bootstrap-source and a JDK are needed";
    }
    executor = std::make_unique<OnTheWorker>(*store, 4);
  }
  Action write(const std::string &script) {
    Action action;
    action.step = "test";
    action.argv = {"/bin/sh", "-c", script};
    action.env = {{"PATH", "/usr/bin:/bin"}};
    action.inputs = {{"in", *store->put(script)}};
    action.outputs = {"out"};
    return action;
  }
  /// The digest of what was written, or what went wrong.
  std::string digestAfter(const Action &action) {
    Outcome outcome = executor->run(action, {}, {}, {});
    const auto *result = std::get_if<ToolRun>(&outcome);
    if (!result) {
      const auto *failure = std::get_if<InfraFailure>(&outcome);
      return failure ? failure->detail : "outcome " + std::to_string(outcome.index());
    }
    return result->outputs.count("out") != 0 ? result->outputs.at("out").hex : "no output";
  }
  static size_t lines(const std::string &path) {
    std::ifstream file(path);
    return static_cast<size_t>(std::count(std::istreambuf_iterator<char>(file), {}, '\n'));
  }
  /// Where the worker keeps a blob.
  static std::filesystem::path kept(const std::string &hash) {
    std::error_code error;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(worker().folder() + "/cas", error)) {
      if (entry.path().filename() == hash && entry.is_regular_file(error) &&
          entry.path().string().find("/ac/") == std::string::npos) {
        return entry.path();
      }
    }
    return {};
  }

  std::string folder;
  std::unique_ptr<Store> store;
  std::unique_ptr<Executor> executor;
};

TEST_F(RemoteWorkerFaults, ABlobThatIsGoneIsMadeAgain) {
  Action action = write("echo >> " + folder + "/runs; echo text > out");
  EXPECT_EQ(digestAfter(action), digestOf("text\n").hex);
  EXPECT_EQ(digestAfter(action), digestOf("text\n").hex);
  EXPECT_EQ(lines(folder + "/runs"), 1U);
  ASSERT_TRUE(std::filesystem::remove(kept(digestOf("text\n").hex)));
  EXPECT_EQ(digestAfter(action), digestOf("text\n").hex);
  EXPECT_EQ(lines(folder + "/runs"), 2U);
}

// This server never writes over a blob that it has, so that running the tool again does not heal it.
TEST_F(RemoteWorkerFaults, ADamagedBlobIsNeverTaken) {
  Action action = write("echo >> " + folder + "/runs; echo other text > out");
  EXPECT_EQ(digestAfter(action), digestOf("other text\n").hex);
  std::filesystem::path path = kept(digestOf("other text\n").hex);
  ASSERT_FALSE(path.empty());
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  std::ofstream(path, std::ios::binary) << "other bytes";
  EXPECT_NE(digestAfter(action).find(digestOf("other text\n").hex + " is damaged there"), std::string::npos);
  std::filesystem::remove(path);
  EXPECT_EQ(digestAfter(action), digestOf("other text\n").hex);
}

TEST_F(RemoteWorkerFaults, KilledInTheMiddleAndStartedAgain) {
  std::string runs = folder + "/runs";
  Action action = write("echo >> " + runs + "; [ $(wc -l < " + runs + ") = 1 ] && sleep 86391; echo text > out");
  std::string digest;
  std::thread thread([&] { digest = digestAfter(action); });
  for (int i = 0; i < 6000 && lines(runs) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  worker().restart();
  thread.join();
  EXPECT_EQ(digest, digestOf("text\n").hex);
  EXPECT_EQ(lines(runs), 2U);
}

TEST_F(RemoteWorkerFaults, ManyAtOnceAndEachOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> digests(40);
  std::atomic<size_t> next = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (size_t at = next++; at < digests.size(); at = next++) {
        std::string word = std::to_string(at);
        digests[at] = digestAfter(write("echo >> " + folder + "/runs" + word + "; echo " + word + " > out"));
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (size_t at = 0; at < digests.size(); ++at) {
    EXPECT_EQ(digests[at], digestOf(std::to_string(at) + "\n").hex);
    EXPECT_EQ(lines(folder + "/runs" + std::to_string(at)), 1U);
  }
}

/// Another one for each seed.
std::string largeText(size_t size, uint32_t seed) {
  std::string out;
  for (uint32_t i = seed; out.size() < size; ++i) {
    out += std::to_string(i * 7919) + "\n";
  }
  return out;
}

TEST_F(RemoteWorkerFaults, LargeBlobsThereAndBack) {
  std::string large = largeText(size_t{24} << 20, 1);
  Action action = write("cat large large > out");
  action.inputs.push_back({"large", *store->put(large)});
  EXPECT_EQ(digestAfter(action), digestOf(large + large).hex);
}

TEST_F(RemoteWorkerFaults, LargeBlobsOverConnectionsThatBreak) {
  CuttingProxy proxy(worker().port());
  executor = std::make_unique<OnTheWorker>(*store, 4, proxy.address());
  std::string large = largeText(size_t{24} << 20, 1000000);
  Action action = write("cat large large > out");
  action.inputs.push_back({"large", *store->put(large)});
  proxy.cut(uint64_t{7} << 20, uint64_t{9} << 20, 5);
  EXPECT_EQ(digestAfter(action), digestOf(large + large).hex);
  EXPECT_EQ(proxy.cuts(), 5);
  EXPECT_LT(proxy.down(), 2 * large.size() + (size_t{8} << 20)) << "what has come is not asked for again";
  executor.reset();
}

} // namespace
} // namespace placid::server
