// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/conformance.h"
#include "server/build/executor/reapi/reapi_executor.h"
#include "server/build/executor/reapi/store_blobs.h"
#include "server/build/executor/reapi/testing/cutting_proxy.h"
#include "server/build/executor/reapi/testing/farm.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace placid::server {
namespace {

/// An executor with its farm and its way to the store, all of one test.
class OnAFarm : public Executor {
public:
  OnAFarm(Store &store, const std::string &folder, size_t jobs) : blobs_(store), farm_("unix:" + folder + ".socket") {
    ReapiOptions options;
    options.address = "unix:" + folder + ".socket";
    options.jobs = jobs;
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
  Farm farm_;
  std::unique_ptr<ReapiExecutor> executor_;
};

std::unique_ptr<Executor> makeOnAFarm(const ExecutorGround &ground) {
  return std::make_unique<OnAFarm>(ground.store, ground.scratch, ground.budget.slots());
}
INSTANTIATE_TEST_SUITE_P(Farm, ExecutorConformance, ::testing::Values(&makeOnAFarm));

class Reapi : public ::testing::Test {
protected:
  Reapi() {
    std::string name = (std::filesystem::temp_directory_path() / "placid-reapi-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    store = std::make_unique<Store>(folder + "/store");
    blobs = std::make_unique<StoreBlobs>(*store);
    options.address = "unix:" + folder + "/socket";
    options.firstPause = std::chrono::milliseconds(2);
  }
  ~Reapi() override {
    executor.reset();
    farm.reset();
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }

  void start(FarmTraits traits = {}) {
    farm = std::make_unique<Farm>(options.address, std::move(traits));
    std::string wrong;
    executor = ReapiExecutor::make(options, *blobs, wrong);
    ASSERT_TRUE(executor) << wrong;
  }
  Action shell(const std::string &script) const {
    Action action;
    action.step = "test";
    action.argv = {"@sh@", "-c", script};
    action.env = {{"PATH", "/usr/bin:/bin"}};
    action.hostPaths = {{"sh", "/bin/sh"}};
    action.tools = {{"sh", digestOf("sh")}};
    return action;
  }
  /// in/a.txt to out/b.txt.
  Action copy(const std::string &text, const std::string &extra = {}) {
    Action action = shell("cat in/a.txt in/a.txt > out/b.txt; echo said; " + extra);
    action.inputs = {{"in/a.txt", *store->put(text)}};
    action.outputs = {"out/b.txt"};
    return action;
  }
  Outcome run(const Action &action, const ActionLimits &limits = {}, const ActionWatcher &watcher = {},
              const std::stop_token &stop = {}) {
    return executor->run(action, limits, watcher, stop);
  }
  static std::string said(const Outcome &outcome) {
    const auto *failure = std::get_if<InfraFailure>(&outcome);
    return failure ? failure->detail : "outcome " + std::to_string(outcome.index());
  }
  /// The tool ran and wrote `text` twice.
  void expectCopied(const Outcome &outcome, const std::string &text) {
    ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome)) << said(outcome);
    const ToolRun &result = std::get<ToolRun>(outcome);
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_EQ(result.out, "said\n");
    ASSERT_EQ(result.outputs.count("out/b.txt"), 1U);
    EXPECT_EQ(result.outputs.at("out/b.txt"), digestOf(text + text));
    EXPECT_EQ(*store->get(result.outputs.at("out/b.txt")), text + text);
  }
  static InfraFailure::Code codeOf(const Outcome &outcome) {
    const auto *failure = std::get_if<InfraFailure>(&outcome);
    return failure ? failure->code : InfraFailure::Code::Space;
  }
  template <class Condition> static bool soon(Condition condition) {
    for (int i = 0; i < 6000 && !condition(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return condition();
  }

  std::string folder;
  ReapiOptions options;
  std::unique_ptr<Store> store;
  std::unique_ptr<StoreBlobs> blobs;
  std::unique_ptr<Farm> farm;
  std::unique_ptr<ReapiExecutor> executor;
};

TEST_F(Reapi, EveryCallSaysWhoMakesIt) {
  start();
  expectCopied(run(copy("x")), "x");
  EXPECT_EQ(farm->counts().withoutMetadata, 0);
  EXPECT_GT(farm->counts().calls, 4);
}

TEST_F(Reapi, WhoRanItIsSaid) {
  start();
  Outcome outcome = run(copy("x"));
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome));
  EXPECT_EQ(std::get<ToolRun>(outcome).worker, "worker-1");
  FarmTraits bare;
  bare.times = bare.stages = bare.readsTogether = bare.resumes = false;
  executor.reset();
  farm.reset();
  start(bare);
  Outcome less = run(copy("y"));
  expectCopied(less, "y");
  EXPECT_EQ(std::get<ToolRun>(less).worker, "");
}

TEST_F(Reapi, WhatIsKnownIsNotRunAgain) {
  start();
  expectCopied(run(copy("x")), "x");
  expectCopied(run(copy("x")), "x");
  EXPECT_EQ(farm->counts().executions, 1);
  // What a tool refused is asked again: how long that counts is not for the server to say.
  EXPECT_TRUE(std::holds_alternative<ToolRun>(run(copy("x", "exit 3"))));
  EXPECT_TRUE(std::holds_alternative<ToolRun>(run(copy("x", "exit 3"))));
  EXPECT_EQ(farm->counts().executions, 3);
  Action patched = copy("x");
  patched.tools["sh"] = digestOf("another sh");
  expectCopied(run(patched), "x");
  EXPECT_EQ(farm->counts().executions, 4) << "another tool at the same place is another action";
}

TEST_F(Reapi, AKnownResultWithoutItsOutputIsNone) {
  start();
  std::string mark = folder + "/whole";
  Action action = copy("x", "[ -e " + mark + " ] || rm out/b.txt");
  Outcome first = run(action);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(first));
  EXPECT_TRUE(std::get<ToolRun>(first).outputs.empty());
  EXPECT_EQ(farm->results(), 1U);
  std::ofstream(mark) << "now";
  expectCopied(run(action), "x");
}

TEST_F(Reapi, WhatAMakeRuleNamesOfTheWorkerIsLeftOut) {
  start();
  Action action = shell("printf 'k.o: k.cpp /usr/include/a.h \\\n /opt/a\\ b.h in/k.h\n' > k.d; echo > k.o");
  action.outputs = {"k.o"};
  action.depFile = "k.d";
  Outcome outcome = run(action);
  ASSERT_TRUE(std::holds_alternative<ToolRun>(outcome)) << said(outcome);
  EXPECT_EQ(*store->get(std::get<ToolRun>(outcome).outputs.at("k.d")), "k.o: k.cpp  \\\n  in/k.h\n");
}

TEST_F(Reapi, OnlyWhatIsMissingIsSent) {
  start();
  std::string large(300000, 'x');
  expectCopied(run(copy(large)), large);
  int before = farm->counts().uploads;
  EXPECT_GE(before, 5) << "input, two folders, command, action";
  Action other = copy(large);
  other.salt = "other";
  expectCopied(run(other), large);
  EXPECT_EQ(farm->counts().uploads, before + 1) << "the action alone is new";
}

TEST_F(Reapi, EachFaultOnItsOwnIsAbsorbed) {
  for (int i = 0; i < static_cast<int>(Fault::Count); ++i) {
    for (bool rich : {true, false}) {
      FarmTraits traits;
      traits.stages = traits.times = traits.inlineLogs = traits.readsTogether = traits.resumes = rich;
      traits.looksItself = rich;
      traits.maxBatch = 8192; // so that a few kilobytes go as streams
      start(traits);
      auto fault = static_cast<Fault>(i);
      // A way to wait that fails is of consequence only where somebody waits.
      if (fault == Fault::Forget || fault == Fault::ForgetInternal || fault == Fault::DropWait) {
        farm->plan(Fault::DropExecute, 1);
      }
      farm->plan(fault, 1);
      std::string text(20000, static_cast<char>('a' + i));
      expectCopied(run(copy(text)), text);
      EXPECT_EQ(farm->left(fault), 0) << "fault " << i << " did not happen";
      executor.reset();
      farm.reset();
    }
  }
}

TEST_F(Reapi, ADamagedResultIsMadeAgain) {
  start();
  expectCopied(run(copy("text")), "text");
  farm->damageResults();
  expectCopied(run(copy("text")), "text");
  EXPECT_EQ(farm->counts().executions, 2);
  expectCopied(run(copy("text")), "text");
  EXPECT_EQ(farm->counts().executions, 2) << "healed";
}

TEST_F(Reapi, AServerThatAlwaysGivesOtherBytesIsGivenUp) {
  start();
  farm->plan(Fault::CorruptRead, 1000);
  Outcome outcome = run(copy("text"));
  EXPECT_EQ(codeOf(outcome), InfraFailure::Code::Remote) << said(outcome);
  EXPECT_FALSE(store->has(digestOf("texttext")));
}

TEST_F(Reapi, AServerThatMissesNothingAndHasNothingGetsEverything) {
  FarmTraits traits;
  traits.findsAll = true;
  start(traits);
  expectCopied(run(copy("x")), "x");
}

TEST_F(Reapi, LargeBlobsGoOnWhereTheyBroke) {
  start();
  std::string large;
  for (uint32_t i = 0; large.size() < (size_t{12} << 20); ++i) {
    large += std::to_string(i * 7919) + "\n";
  }
  farm->plan(Fault::CutWrite, 2);
  farm->plan(Fault::CutRead, 2);
  expectCopied(run(copy(large)), large);
  EXPECT_GE(farm->counts().resumed, 1);
  EXPECT_EQ(farm->left(Fault::CutRead), 0);
}

// Connections break, not calls: the server may have kept less than was sent, or nothing.
TEST_F(Reapi, LargeBlobsOverConnectionsThatBreak) {
  std::string large;
  for (uint32_t i = 0; large.size() < (size_t{20} << 20); ++i) {
    large += std::to_string(i * 7919) + "\n";
  }
  farm = std::make_unique<Farm>("127.0.0.1:0", FarmTraits());
  ASSERT_NE(farm->port(), 0);
  CuttingProxy proxy(farm->port());
  options.address = proxy.address();
  std::string wrong;
  executor = ReapiExecutor::make(options, *blobs, wrong);
  ASSERT_TRUE(executor) << wrong;
  proxy.cut(uint64_t{6} << 20, uint64_t{9} << 20, 5);
  expectCopied(run(copy(large)), large);
  EXPECT_EQ(proxy.cuts(), 5);
  // What has come is not asked for again: of the way back five cuts would cost 45 MiB.
  EXPECT_LT(proxy.down(), 2 * large.size() + (size_t{8} << 20));
  executor.reset();
}

TEST_F(Reapi, ARestartInTheMiddleIsOneRunMore) {
  for (bool stages : {true, false}) {
    FarmTraits traits;
    traits.stages = stages;
    start(traits);
    std::string mark = folder + "/begun" + std::to_string(stages);
    Action slow = copy("x", "echo >> " + mark + "; [ $(wc -l < " + mark + ") = 1 ] && sleep 86396; true");
    Outcome outcome;
    std::thread thread([&] { outcome = run(slow); });
    EXPECT_TRUE(soon([&] { return std::filesystem::exists(mark); }));
    farm->restart();
    thread.join();
    expectCopied(outcome, "x");
    EXPECT_EQ(farm->counts().executions, 2);
    executor.reset();
    farm.reset();
  }
}

TEST_F(Reapi, CancellingEndsItOnTheServerToo) {
  start();
  std::stop_source stop;
  std::atomic<bool> started = false;
  ActionWatcher watcher;
  watcher.started = [&] { started = true; };
  Outcome outcome;
  std::thread thread([&] { outcome = run(shell("exec sleep 86395"), {}, watcher, stop.get_token()); });
  EXPECT_TRUE(soon([&] { return started.load(); }));
  stop.request_stop();
  thread.join();
  EXPECT_TRUE(std::holds_alternative<Cancelled>(outcome));
  EXPECT_TRUE(soon([&] { return farm->counts().cancelled == 1; }));
}

TEST_F(Reapi, TimeIsKeptWhoeverKeepsIt) {
  for (bool server : {true, false}) {
    FarmTraits traits;
    traits.keepsTime = server;
    options.slack = std::chrono::milliseconds(server ? 60000 : 100);
    start(traits);
    ActionLimits limits;
    limits.run = std::chrono::milliseconds(server ? 5000 : 300); // enough for a shell to begin, on any machine
    Outcome outcome = run(shell("echo begun; exec sleep 86394"), limits);
    ASSERT_TRUE(std::holds_alternative<ToolStopped>(outcome)) << said(outcome);
    EXPECT_EQ(std::get<ToolStopped>(outcome).clock, ToolStopped::Clock::Run);
    EXPECT_EQ(std::get<ToolStopped>(outcome).out, server ? "begun\n" : "");
    EXPECT_TRUE(soon([&] { return farm->counts().cancelled == (server ? 0 : 1); }));
    executor.reset();
    farm.reset();
  }
}

TEST_F(Reapi, AQueueThatNeverMovesIsLeft) {
  FarmTraits traits;
  traits.queuesForEver = true;
  start(traits);
  ActionLimits limits;
  limits.queue = std::chrono::milliseconds(5000); // enough for the server to say that it waits
  EXPECT_EQ(codeOf(run(shell("true"), limits)), InfraFailure::Code::QueueTimeout);
  EXPECT_TRUE(soon([&] { return farm->counts().cancelled == 1; }));
}

TEST_F(Reapi, AFloodIsBounded) {
  start();
  ActionLimits limits;
  limits.logBytes = 10000;
  Outcome outcome = run(shell("head -c 50000 /dev/zero"), limits);
  ASSERT_TRUE(std::holds_alternative<ToolStopped>(outcome)) << said(outcome);
  EXPECT_EQ(std::get<ToolStopped>(outcome).clock, ToolStopped::Clock::Log);
}

TEST_F(Reapi, WhatAServerCannotDoIsSaidAtOnce) {
  auto detail = [&](FarmTraits traits) {
    start(std::move(traits));
    Outcome outcome = run(copy("x"));
    EXPECT_EQ(codeOf(outcome), InfraFailure::Code::Remote);
    std::string text = said(outcome);
    const auto *failure = std::get_if<InfraFailure>(&outcome);
    EXPECT_TRUE(failure && !failure->retryable);
    executor.reset();
    farm.reset();
    return text;
  };
  FarmTraits cacheOnly, old, otherDigests, noWorker;
  cacheOnly.executes = false;
  old.version = 1;
  otherDigests.sha256 = false;
  noWorker.refusesPlatform = true;
  EXPECT_NE(detail(cacheOnly).find("carries nothing out"), std::string::npos);
  EXPECT_NE(detail(old).find("version 1"), std::string::npos);
  EXPECT_NE(detail(otherDigests).find("SHA-256"), std::string::npos);
  EXPECT_NE(detail(noWorker).find("FAILED_PRECONDITION"), std::string::npos);
}

TEST_F(Reapi, AServerThatIsNotThereIsAFailureOfItsOwn) {
  options.firstPatience = std::chrono::milliseconds(200);
  std::string wrong;
  executor = ReapiExecutor::make(options, *blobs, wrong);
  ASSERT_TRUE(executor);
  Outcome outcome = run(copy("x"));
  EXPECT_EQ(codeOf(outcome), InfraFailure::Code::Remote);
  EXPECT_NE(said(outcome).find("does not answer"), std::string::npos);
}

TEST_F(Reapi, AddressesAndTokens) {
  auto wrongOf = [&](const std::string &address, bool token) {
    ReapiOptions other;
    other.address = address;
    other.tokenFile = token ? folder + "/token" : "";
    std::string wrong;
    bool made = ReapiExecutor::make(other, *blobs, wrong) != nullptr;
    EXPECT_EQ(made, wrong.empty());
    return wrong;
  };
  std::ofstream(folder + "/token") << "secret\n";
  EXPECT_EQ(wrongOf("grpcs://farm:443", true), "");
  EXPECT_EQ(wrongOf("grpc://127.0.0.1:443", true), "");
  EXPECT_EQ(wrongOf("grpc://farm:443", false), "");
  EXPECT_NE(wrongOf("grpc://farm:443", true), "") << "a token in the clear";
  EXPECT_NE(wrongOf("grpc://127.0.0.1.example.org:443", true), "") << "a token in the clear";
  EXPECT_NE(wrongOf("farm:443", false), "");
  EXPECT_NE(wrongOf("", false), "");
  std::filesystem::remove(folder + "/token");
  EXPECT_NE(wrongOf("grpcs://farm:443", true), "");
}

TEST_F(Reapi, TlsAndATokenThatIsRenewed) {
  std::string key = folder + "/key.pem", certificate = folder + "/cert.pem";
  std::string make =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
      " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout " +
      key + " -out " + certificate + " 2>/dev/null";
  if (std::system(make.c_str()) != 0) {
    GTEST_SKIP() << "no openssl program";
  }
  auto text = [](const std::string &path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  FarmTraits traits;
  traits.certificate = text(certificate);
  traits.key = text(key);
  traits.token = "second";
  farm = std::make_unique<Farm>("127.0.0.1:0", traits);
  ASSERT_NE(farm->port(), 0);
  options.address = "grpcs://127.0.0.1:" + std::to_string(farm->port());
  options.firstPatience = std::chrono::milliseconds(200);
  std::string wrong;
  executor = ReapiExecutor::make(options, *blobs, wrong);
  Outcome stranger = run(copy("x"));
  EXPECT_EQ(codeOf(stranger), InfraFailure::Code::Remote) << "nobody that we know has signed its certificate";
  options.caFile = certificate;
  options.tokenFile = folder + "/token";
  options.firstPatience = std::chrono::milliseconds(20000);
  std::ofstream(folder + "/token") << "first\n";
  executor = ReapiExecutor::make(options, *blobs, wrong);
  ASSERT_TRUE(executor) << wrong;
  EXPECT_NE(said(run(copy("x"))).find("UNAUTHENTICATED"), std::string::npos);
  std::ofstream(folder + "/token") << "second\n";
  expectCopied(run(copy("x")), "x");
}

TEST_F(Reapi, UnderLoadWithEveryFaultTheDigestsAreThose) {
  constexpr int kActions = 48;
  auto all = [&] {
    std::map<int, std::string> digests;
    std::mutex mutex;
    std::atomic<int> next = 0;
    std::vector<std::thread> threads;
    threads.reserve(6);
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&] {
        for (int at = next++; at < kActions; at = next++) {
          Action action = copy(std::string(static_cast<size_t>(at) * 300 + 1, 'x'));
          Outcome outcome = run(action);
          for (int more = 0; more < 3 && codeOf(outcome) == InfraFailure::Code::Remote; ++more) {
            outcome = run(action); // as the broker does
          }
          const auto *result = std::get_if<ToolRun>(&outcome);
          std::lock_guard lock(mutex);
          digests[at] =
              result && result->outputs.count("out/b.txt") ? result->outputs.at("out/b.txt").hex : said(outcome);
        }
      });
    }
    for (std::thread &thread : threads) {
      thread.join();
    }
    return digests;
  };
  start();
  std::map<int, std::string> good = all();
  executor.reset();
  farm.reset();
  FarmTraits traits;
  traits.faultSeed = 20;
  traits.faultPercent = 12;
  traits.maxBatch = 8192;
  start(traits);
  for (int i = 0; i < static_cast<int>(Fault::Count); ++i) {
    farm->plan(static_cast<Fault>(i), 15);
  }
  std::atomic<bool> over = false;
  std::thread restarts([&] {
    for (int seen = 0; !over; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
      if (farm->counts().executions >= seen + 20) {
        farm->restart();
        seen = farm->counts().executions;
      }
    }
  });
  EXPECT_EQ(all(), good);
  over = true;
  restarts.join();
}

TEST(RemoteActions, EqualOnesAreEqualBytes) {
  std::string name = (std::filesystem::temp_directory_path() / "placid-merkle-XXXXXX").string();
  std::string folder = ::mkdtemp(name.data());
  Store store(folder);
  StoreBlobs blobs(store);
  Action action;
  action.argv = {"@cc@", "-I@isa@/include", "k.cpp"};
  action.env = {{"B", "@isa@"}, {"A", "1"}};
  action.inputs = {{"k.cpp", *store.put("k")}, {"in/b", *store.put("b")}, {"in/a", *store.put("a")}};
  action.outputs = {"k.o", "a.o"};
  action.depFile = "k.d";
  action.tools = {{"cc", digestOf("cc")}, {"isa", digestOf("isa")}};
  action.hostPaths = {{"cc", "/usr/bin/cc"}, {"isa", "/opt/isa"}};
  ReapiOptions options;
  options.paths = {{"isa", "/worker/isa"}};
  options.properties = {{"OSFamily", "linux"}, {"ISA", "x86-64"}};
  options.toolProperties = true;
  auto plan = [&](const Action &one) { return std::get<RemoteAction>(remoteAction(one, {}, options, blobs)); };
  RemoteAction first = plan(action);
  Action same = action;
  std::reverse(same.inputs.begin(), same.inputs.end());
  std::reverse(same.outputs.begin(), same.outputs.end());
  EXPECT_EQ(plan(same).action.hash(), first.action.hash());
  for (const auto &[hash, blob] : first.blobs) {
    EXPECT_EQ(digestOf(blob.bytes).hex, hash);
    EXPECT_EQ(static_cast<size_t>(blob.digest.size_bytes()), blob.bytes.size());
  }
  rx::Action said;
  ASSERT_TRUE(said.ParseFromString(first.blobs.at(first.action.hash()).bytes));
  rx::Command command;
  ASSERT_TRUE(command.ParseFromString(first.blobs.at(said.command_digest().hash()).bytes));
  EXPECT_EQ(command.arguments(0), "/usr/bin/cc");
  EXPECT_EQ(command.arguments(1), "-I/worker/isa/include");
  EXPECT_EQ(command.environment_variables(0).name(), "A");
  EXPECT_EQ(command.environment_variables(1).value(), "/worker/isa");
  EXPECT_EQ(command.output_files_size(), 3);
  EXPECT_EQ(command.output_paths(0), "a.o");
  ASSERT_EQ(said.platform().properties_size(), 4);
  EXPECT_EQ(said.platform().properties(0).name(), "ISA");
  EXPECT_EQ(said.platform().properties(2).value(), digestOf("cc").hex);
  rx::Directory root;
  ASSERT_TRUE(root.ParseFromString(first.blobs.at(said.input_root_digest().hash()).bytes));
  ASSERT_EQ(root.directories_size(), 1);
  EXPECT_EQ(root.files(0).name(), "k.cpp");
  // Bytes that another implementation of the protocol writes: no folder at all has the digest of nothing.
  EXPECT_EQ(remoteDigest("").hash(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  rx::Digest known = remoteDigest("b");
  EXPECT_EQ(known.SerializeAsString(), "\x0a\x40"
                                       "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"
                                       "\x10\x01");
  Action clash = action;
  clash.inputs.push_back({"in", *store.put("x")});
  EXPECT_TRUE(std::holds_alternative<InfraFailure>(remoteAction(clash, {}, options, blobs)));
  std::error_code error;
  std::filesystem::remove_all(folder, error);
}

} // namespace
} // namespace placid::server
