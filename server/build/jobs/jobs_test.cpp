// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/base64.h"
#include "server/build/jobs/build_api.h"
#include "tests/testing/manual_loop.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>

namespace placid::server {
namespace {

namespace fs = std::filesystem;
using protocol::ErrorCode;
using protocol::Json;
using ::testing::HasSubstr;

/// A build service whose builds are carried out by the test.
class Jobs : public ::testing::Test {
protected:
  struct Begun {
    JobCommand command;
    std::stop_token stop;
    JobSink sink;
  };

  Jobs() {
    std::string name = (fs::temp_directory_path() / "placid-jobs-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    open();
  }
  ~Jobs() override {
    close();
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  void open() {
    service = std::make_shared<BuildService>(folder + "/store", 1);
    JobLimits limits;
    limits.running = 2;
    limits.queuedPerClient = 5;
    jobs = std::make_unique<JobTable>(
        service, service->store().folder(), loop,
        [this](JobCommand command, std::stop_token stop, JobSink sink) {
          begun.push_back({std::move(command), std::move(stop), std::move(sink)});
        },
        limits);
    api = std::make_unique<BuildApi>(*jobs, loop, "1", [this] { return offer; });
    jobs->start();
    session = std::make_shared<BuildSession>("local", [this](const Json &message) {
      told.push_back(message);
      return true;
    });
  }
  void close() {
    session.reset();
    api.reset();
    jobs.reset();
    service.reset();
  }

  Json ask(const std::string &method, const Json &params) {
    ApiAnswer got = api->call(session, method, params);
    error = got.error.value_or(protocol::RpcError{});
    return got.result;
  }
  void wait(std::chrono::milliseconds time) {
    loop.advance(time);
    loop.run();
  }
  std::string put(const std::string &text) {
    std::string digest = digestOf(text).hex;
    ask("blob/put", {{"digest", digest}, {"size", text.size()}, {"base64", toBase64(text)}});
    return digest;
  }
  Json request(const std::string &key, const Json &more = Json::object()) {
    Json out = {{"idempotencyKey", key}, {"sources", {{{"path", "k.py"}, {"digest", put("kernel")}}}}};
    out.update(more);
    return out;
  }
  std::string submit(const std::string &key, const Json &more = Json::object()) {
    Json got = ask("build/submit", request(key, more));
    loop.run();
    return got.is_object() ? got["id"].get<std::string>() : std::string();
  }
  /// Ends build number `at` well, with one file.
  void succeed(size_t at) {
    fs::create_directories(begun[at].command.folder + "/placid-out");
    std::ofstream(begun[at].command.folder + "/placid-out/k.pto") << "pto";
    begun[at].sink.output(false, "{\"v\":1,\"seq\":0,\"id\":\"x\",\"type\":\"buildStarted\"}\n{\"type\":\"buildFin");
    begun[at].sink.output(false, "ished\",\"status\":\"succeeded\",\"kernels\":1}\n");
    begun[at].sink.output(true, "a note\n");
    begun[at].sink.done(0);
    loop.run();
  }
  std::vector<std::string> eventTypes(const std::string &id) {
    std::vector<std::string> out;
    uint64_t number = 0;
    for (const std::string &line : jobs->journal().events(id, 0, 1000)) {
      Json event = Json::parse(line);
      EXPECT_EQ(event["seq"], number++);
      EXPECT_EQ(event["id"], id);
      out.push_back(event["type"]);
    }
    return out;
  }

  std::string folder;
  LabelOffer offer{{"cpu-sim"}, "x86_64"};
  testing::ManualLoop loop;
  std::vector<Begun> begun;
  std::vector<Json> told;
  std::shared_ptr<BuildService> service;
  std::unique_ptr<JobTable> jobs;
  std::unique_ptr<BuildApi> api;
  std::shared_ptr<BuildSession> session;
  protocol::RpcError error;
};

TEST_F(Jobs, ABuildFromRequestToResult) {
  std::string id = submit("one", {{"until", "cpp"}, {"defines", {{"N", "3"}}}});
  ASSERT_EQ(begun.size(), 1U);
  EXPECT_EQ(begun[0].command.words,
            (std::vector<std::string>{"build", "--quiet", "--events", "-", "--out", "placid-out", "--until=cpp",
                                      "--define=N=3", "--", "k.py"}));
  EXPECT_TRUE(fs::exists(begun[0].command.folder + "/k.py"));
  EXPECT_TRUE(fs::exists(begun[0].command.folder + "/placid.toml")) << "no settings from a folder around it";
  EXPECT_EQ(ask("build/status", {{"id", id}})["state"], "running");
  ask("build/result", {{"id", id}});
  EXPECT_EQ(error.code, ErrorCode::RequestFailed);
  succeed(0);
  EXPECT_FALSE(fs::exists(begun[0].command.folder));
  Json result = ask("build/result", {{"id", id}});
  EXPECT_EQ(result["status"], "succeeded");
  EXPECT_EQ(result["err"], "a note\n");
  ASSERT_EQ(result["artifacts"].size(), 1U);
  EXPECT_EQ(result["artifacts"][0]["name"], "k.pto");
  Json blob = ask("blob/get", {{"digest", result["artifacts"][0]["digest"]}});
  EXPECT_EQ(fromBase64(blob["base64"].get<std::string>()), "pto");
  EXPECT_EQ(eventTypes(id), (std::vector<std::string>{"buildAccepted", "buildStarted", "buildFinished"}));
  EXPECT_EQ(jobs->open(), 0U);
}

TEST_F(Jobs, TheSameRequestIsTheSameBuild) {
  std::string id = submit("one");
  Json again = ask("build/submit", request("one"));
  EXPECT_EQ(again["id"], id);
  EXPECT_EQ(again["new"], false);
  ask("build/submit", request("one", {{"until", "pto"}}));
  EXPECT_EQ(error.code, ErrorCode::Conflict);
  succeed(0);
  EXPECT_EQ(ask("build/submit", request("one"))["id"], id) << "also when it has ended";
  EXPECT_EQ(begun.size(), 1U);
}

TEST_F(Jobs, EventsFromAnyNumberOn) {
  std::string id = submit("one");
  ask("build/events", {{"id", id}, {"from", 0}});
  loop.run();
  EXPECT_EQ(told.size(), 1U);
  succeed(0);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[2]["params"]["type"], "buildFinished");
  told.clear();
  ask("build/events", {{"id", id}, {"from", 2}});
  loop.run();
  ASSERT_EQ(told.size(), 1U) << "whoever comes back gets what they have not seen";
  EXPECT_EQ(told[0]["params"]["seq"], 2);
}

TEST_F(Jobs, CancelledQueuedAndRunning) {
  std::vector<std::string> ids;
  for (const char *key : {"a", "b", "c"}) {
    ids.push_back(submit(key));
  }
  EXPECT_EQ(begun.size(), 2U);
  ask("build/cancel", {{"id", ids[2]}});
  loop.run();
  EXPECT_EQ(ask("build/result", {{"id", ids[2]}})["status"], "cancelled");
  ask("build/cancel", {{"id", ids[0]}});
  EXPECT_TRUE(begun[0].stop.stop_requested());
  EXPECT_EQ(ask("build/status", {{"id", ids[0]}})["state"], "running") << "until its tools have ended";
  begun[0].sink.done(3);
  loop.run();
  ask("build/cancel", {{"id", ids[0]}});
  EXPECT_EQ(ask("build/result", {{"id", ids[0]}})["status"], "cancelled");
  for (const std::string &id : {ids[0], ids[2]}) {
    std::vector<std::string> types = eventTypes(id);
    EXPECT_EQ(std::count(types.begin(), types.end(), "buildFinished"), 1);
    EXPECT_EQ(types.back(), "buildFinished");
  }
  ask("build/cancel", {{"id", "none"}});
  EXPECT_EQ(error.code, ErrorCode::NotFound);
}

TEST_F(Jobs, ALeaseThatIsNotRenewedEndsTheBuild) {
  std::string kept = submit("kept", {{"leaseMs", 10000}});
  std::string left = submit("left", {{"leaseMs", 10000}});
  std::string late = submit("late", {{"leaseMs", 0}, {"deadlineMs", 12000}});
  wait(std::chrono::seconds(8));
  EXPECT_EQ(ask("build/renew", {{"id", kept}})["ended"], false);
  wait(std::chrono::seconds(3));
  EXPECT_FALSE(begun[0].stop.stop_requested());
  EXPECT_TRUE(begun[1].stop.stop_requested());
  begun[1].sink.done(3);
  loop.run();
  EXPECT_THAT(ask("build/result", {{"id", left}})["reason"].get<std::string>(), HasSubstr("lease"));
  wait(std::chrono::seconds(3));
  EXPECT_TRUE(begun.at(2).stop.stop_requested()) << "a deadline is of the whole request";
  EXPECT_EQ(ask("build/status", {{"id", late}})["state"], "running");
  begun[2].sink.done(3);
  loop.run();
  EXPECT_EQ(ask("build/result", {{"id", late}})["exitCode"], 124);
}

TEST_F(Jobs, LabelsAreAClosedVocabulary) {
  for (const auto &[labels, code, words] : std::vector<std::tuple<Json, ErrorCode, const char *>>{
           {{{"tc", "cpu-sin"}}, ErrorCode::InvalidParams, "cpu-sim"},
           {{{"color", "red"}}, ErrorCode::InvalidParams, "there is no label `color`"},
           {{{"cards", "two"}}, ErrorCode::InvalidParams, "a number"},
           {{{"tc", "cann-a3"}}, ErrorCode::Unsatisfiable, "(here: cpu-sim)"},
           {{{"arch", "aarch64"}}, ErrorCode::Unsatisfiable, "this machine is x86_64"},
           {{{"class", "device"}}, ErrorCode::Unsatisfiable, "builds run on no device"},
           {{{"cards", "2"}}, ErrorCode::Unsatisfiable, "builds run on no device"}}) {
    EXPECT_EQ(submit("x", {{"labels", labels}}), "");
    EXPECT_EQ(error.code, code) << labels;
    EXPECT_THAT(error.message, HasSubstr(words));
  }
  EXPECT_NE(submit("x", {{"labels", {{"tc", "cpu-sim"}, {"arch", "x86_64"}, {"class", "compile"}}}}), "");
}

TEST_F(Jobs, PathsStayBelow) {
  std::string digest = put("kernel");
  for (const char *path :
       {"../k.py", "/etc/passwd", "a/../../k.py", "", "a//b.py", "./k.py", "k.py/", "a\nb.py", "..", "a/./b.py"}) {
    submit("x", {{"sources", {{{"path", path}, {"digest", digest}}}}});
    EXPECT_EQ(error.code, ErrorCode::InvalidParams) << path;
    submit("x", {{"out", path}});
    EXPECT_EQ(error.code, ErrorCode::InvalidParams) << path;
    submit("x", {{"paths", {path}}});
    EXPECT_EQ(error.code, ErrorCode::InvalidParams) << path;
  }
  submit("x", {{"sources", {{{"path", "a"}, {"digest", digest}}, {{"path", "a/b.py"}, {"digest", digest}}}}});
  EXPECT_EQ(error.code, ErrorCode::InvalidParams);
  submit("x", {{"sources", {{{"path", "a"}, {"digest", digest}}, {{"path", "a"}, {"digest", digest}}}}});
  EXPECT_EQ(error.code, ErrorCode::InvalidParams);
  EXPECT_TRUE(begun.empty());
}

TEST_F(Jobs, RequestsOfAnyShapeAreRefused) {
  for (const char *text : {"null", "[]", "{}", R"({"sources":3})", R"({"sources":[]})", R"({"sources":[3]})",
                           R"({"sources":[{"path":"k.py","digest":"short"}]})"}) {
    ask("build/submit", Json::parse(text));
    EXPECT_EQ(error.code, ErrorCode::InvalidParams) << text;
  }
  for (const Json &more : std::vector<Json>{{{"priority", 1000}},
                                            {{"priority", "high"}},
                                            {{"leaseMs", -1}},
                                            {{"leaseMs", UINT64_MAX}},
                                            {{"deadlineMs", 1.5}},
                                            {{"entries", {1}}},
                                            {{"entries", std::vector<std::string>(2000, "x")}},
                                            {{"defines", {{"a", 1}}}},
                                            {{"until", "moon"}},
                                            {{"arch", "a9"}},
                                            {{"planner", "mine"}},
                                            {{"idempotencyKey", ""}},
                                            {{"toolchian", "cpu-sim"}},
                                            {{"entries", std::vector<std::string>(300, std::string(4000, 'x'))}},
                                            {{"out", std::string("a\0b", 3)}}}) {
    submit("x", more);
    EXPECT_EQ(error.code, ErrorCode::InvalidParams) << more;
  }
  for (const char *method : {"build/renew", "build/cancel", "build/status", "build/result", "build/events"}) {
    ask(method, nullptr);
    EXPECT_TRUE(error.code == ErrorCode::NotFound || error.code == ErrorCode::InvalidParams) << method;
  }
  ask("build/none", nullptr);
  EXPECT_EQ(error.code, ErrorCode::MethodNotFound);
}

TEST_F(Jobs, OptionsAreThoseOutside) {
  std::string id = submit("one", {{"until", "pl"}, {"options", {{"defines", {{"N", "4"}}}, {"toolchain", "cpu-sim"}}}});
  ASSERT_FALSE(id.empty()) << error.message;
  EXPECT_THAT(begun[0].command.words, ::testing::IsSupersetOf({"--until=pl", "--toolchain=cpu-sim", "--define=N=4"}));
  EXPECT_EQ(submit("one", {{"until", "pl"}, {"toolchain", "cpu-sim"}, {"defines", {{"N", "4"}}}}), id);
  EXPECT_EQ(submit("two", {{"toolchain", "cpu-sim"}, {"options", {{"toolchain", "cann-a3"}}}}), "");
  EXPECT_THAT(error.message, HasSubstr("that of `options` is another"));
  EXPECT_EQ(submit("two", {{"options", {{"toolchian", "cpu-sim"}}}}), "");
  EXPECT_THAT(error.message, HasSubstr("toolchian"));
  EXPECT_EQ(submit("two", {{"options", "fast"}}), "");
}

TEST_F(Jobs, ClientsSeeTheirOwn) {
  auto remote = [&](const char *name) {
    return std::make_shared<BuildSession>(name, [](const Json &) { return true; });
  };
  std::string digest = put("kernel");
  session = remote("token:ci");
  EXPECT_EQ(ask("blob/missing", {{"digests", {digest}}})["missing"].size(), 1U) << "somebody else's";
  ask("blob/get", {{"digest", digest}});
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  ask("build/submit", {{"idempotencyKey", "x"}, {"sources", {{{"path", "k.py"}, {"digest", digest}}}}});
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  std::string id = submit("x");
  ASSERT_NE(id, "");
  EXPECT_EQ(ask("blob/missing", {{"digests", {digest}}})["missing"].size(), 0U);
  submit("y", {{"leaseMs", 0}});
  EXPECT_EQ(error.code, ErrorCode::InvalidParams) << "only the machine itself needs no lease";
  ask("build/drain", {});
  EXPECT_EQ(error.code, ErrorCode::Unauthorized);
  session = remote("token:other");
  for (const char *method : {"build/renew", "build/cancel", "build/status", "build/result", "build/events"}) {
    ask(method, {{"id", id}});
    EXPECT_EQ(error.code, ErrorCode::NotFound) << method;
  }
  EXPECT_EQ(ask("build/list", {})["builds"].size(), 0U);
  EXPECT_NE(submit("x"), id) << "keys are each client's own";
  session = remote("local");
  EXPECT_EQ(ask("build/list", {})["builds"].size(), 2U);
}

TEST_F(Jobs, OneClientDoesNotStarveTheOthers) {
  auto remote = [&](const char *name) {
    return std::make_shared<BuildSession>(name, [](const Json &) { return true; });
  };
  session = remote("many");
  std::vector<std::string> many;
  for (const char *key : {"a", "b", "c", "d"}) {
    many.push_back(submit(key));
  }
  std::string urgent = submit("e", {{"priority", 10}});
  submit("f");
  EXPECT_EQ(error.code, ErrorCode::Quota);
  session = remote("few");
  std::string few = submit("a");
  succeed(0);
  EXPECT_THAT(begun.at(2).command.folder, HasSubstr(few));
  succeed(1);
  EXPECT_THAT(begun.at(3).command.folder, HasSubstr(urgent));
  succeed(2);
  EXPECT_THAT(begun.at(4).command.folder, HasSubstr(many[2]));
}

TEST_F(Jobs, BlobsComeInPartsAndAreChecked) {
  std::string text(1000, 'x');
  std::string digest = digestOf(text).hex;
  auto part = [&](size_t offset, size_t length) {
    return ask("blob/put", {{"digest", digest},
                            {"size", text.size()},
                            {"offset", offset},
                            {"base64", toBase64(text.substr(offset, length))}});
  };
  EXPECT_EQ(part(0, 400)["complete"], false);
  EXPECT_EQ(part(600, 400), Json());
  EXPECT_THAT(error.message, HasSubstr("number 400"));
  EXPECT_EQ(part(400, 600)["complete"], true);
  EXPECT_EQ(ask("blob/get", {{"digest", digest}, {"offset", 990}, {"length", 5}})["base64"], toBase64("xxxxx"));
  ask("blob/put", {{"digest", digest}, {"size", 3}, {"base64", toBase64("abc")}});
  EXPECT_THAT(error.message, HasSubstr("is not"));
  ask("blob/put", {{"digest", "../../etc"}, {"size", 3}, {"base64", toBase64("abc")}});
  EXPECT_EQ(error.code, ErrorCode::InvalidParams);
  ask("blob/put", {{"digest", digest}, {"size", uint64_t{1} << 40}, {"base64", ""}});
  EXPECT_EQ(error.code, ErrorCode::InvalidParams);
  ask("blob/put", {{"digest", digest}, {"size", 3}, {"base64", "@@@@"}});
  EXPECT_EQ(error.code, ErrorCode::InvalidParams);
  ask("blob/missing", {{"digests", {"../x"}}});
  EXPECT_EQ(error.code, ErrorCode::InvalidParams);
}

TEST_F(Jobs, WhatADeadDaemonLeftIsTakenUp) {
  std::string ended = submit("ended");
  succeed(0);
  begun.clear();
  // A process that accepts three builds, runs two of them and is killed.
  close();
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    open();
    std::string ids;
    for (const char *key : {"a", "b", "c"}) {
      ids += submit(key) + "\n";
    }
    begun[0].sink.output(false, "{\"type\":\"kernelQueued\"}\n");
    (void)!::write(pipe[1], ids.data(), ids.size());
    ::kill(::getpid(), SIGKILL);
  }
  ::close(pipe[1]);
  std::string ids;
  std::array<char, 256> chunk{};
  for (ssize_t got = 0; (got = ::read(pipe[0], chunk.data(), chunk.size())) > 0;) {
    ids.append(chunk.data(), static_cast<size_t>(got));
  }
  ::waitpid(child, nullptr, 0);
  ::close(pipe[0]);
  ASSERT_EQ(ids.size(), size_t{3} * 25);
  open();
  loop.run();
  EXPECT_EQ(jobs->open(), 3U);
  ASSERT_EQ(begun.size(), 2U);
  succeed(0);
  succeed(1);
  succeed(2);
  EXPECT_EQ(jobs->open(), 0U);
  EXPECT_EQ(eventTypes(ids.substr(0, 24)), (std::vector<std::string>{"buildAccepted", "kernelQueued", "buildResumed",
                                                                     "buildStarted", "buildFinished"}));
  EXPECT_EQ(ask("build/result", {{"id", ended}})["status"], "succeeded") << "what had ended stays as it was";
  EXPECT_EQ(ask("build/submit", request("b"))["new"], false);
}

/// Ticks of the table.
constexpr int kSomeTicks = 25;
constexpr const char *kElsewhere = "boot.space.1-1";

TEST_F(Jobs, ADaemonThatCannotBeSeenIsAliveAsLongAsItSaysSo) {
  std::string mine = submit("mine");
  Journal other(folder + "/store/builds.sqlite");
  auto now = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  JournalBuild theirs = *other.find(mine);
  theirs.id = std::string(24, 'a');
  theirs.key = "theirs";
  succeed(0);
  ASSERT_TRUE(other.accept(theirs, kElsewhere));
  ASSERT_TRUE(other.append(theirs.id, kElsewhere, 0, "{}"));
  other.beat(kElsewhere, now());
  auto ticks = [&] {
    for (int i = 0; i < kSomeTicks; ++i) {
      wait(std::chrono::milliseconds(500));
    }
  };
  ticks();
  EXPECT_EQ(jobs->open(), 0U);
  EXPECT_EQ(ask("build/renew", {{"id", theirs.id}, {"leaseMs", 7000}})["ended"], false) << "it runs, over there";
  std::vector<JournalWish> wishes = other.takeWishes(kElsewhere);
  ASSERT_EQ(wishes.size(), 1U);
  EXPECT_EQ(wishes[0].leaseMs, 7000);
  EXPECT_FALSE(wishes[0].cancel);
  EXPECT_EQ(ask("build/cancel", {{"id", theirs.id}}), Json::object());
  wishes = other.takeWishes(kElsewhere);
  ASSERT_EQ(wishes.size(), 1U);
  EXPECT_TRUE(wishes[0].cancel);
  EXPECT_TRUE(other.takeWishes(kElsewhere).empty());
  EXPECT_EQ(ask("build/renew", {{"id", mine}})["ended"], true);

  other.beat(kElsewhere, now() - int64_t{1000} * 1000000000);
  ticks();
  EXPECT_EQ(jobs->open(), 1U) << "silent for long: taken over";
  EXPECT_FALSE(other.append(theirs.id, kElsewhere, 2, "{}")) << "and no longer theirs";
  EXPECT_FALSE(other.finish(theirs.id, kElsewhere, "failed", "{}", 2, "{}"));
  EXPECT_TRUE(other.isOthers(theirs.id, kElsewhere));
  succeed(1);
  EXPECT_EQ(ask("build/result", {{"id", theirs.id}})["status"], "succeeded");
}

TEST_F(Jobs, ABuildThatWasTakenAwayIsEndedByWhoHasIt) {
  std::string id = submit("x");
  ask("build/events", {{"id", id}, {"from", 0}});
  loop.run();
  Journal other(folder + "/store/builds.sqlite");
  other.beat(kElsewhere, INT64_MAX / 2);
  std::vector<JournalBuild> taken = other.adopt(kElsewhere, [](const std::string &) { return false; });
  ASSERT_EQ(taken.size(), 1U);
  succeed(0);
  EXPECT_EQ(jobs->open(), 0U) << "nothing is left to be written";
  EXPECT_EQ(eventTypes(id), std::vector<std::string>{"buildAccepted"});
  EXPECT_EQ(ask("build/renew", {{"id", id}})["ended"], false);
  Json last = {{"seq", 1}, {"id", id}, {"type", "buildFinished"}};
  ASSERT_TRUE(other.finish(id, kElsewhere, "failed", "{}", 1, last.dump()));
  wait(std::chrono::milliseconds(500));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back()["params"]["type"], "buildFinished") << "who listened here hears of it";
  EXPECT_EQ(ask("build/renew", {{"id", id}})["ended"], true);
}

TEST_F(Jobs, CancelledThroughTheJournal) {
  std::string id = submit("x", {{"leaseMs", 10000}});
  Journal other(folder + "/store/builds.sqlite");
  ASSERT_TRUE(other.wish(id, 60000, false));
  wait(std::chrono::milliseconds(500));
  wait(std::chrono::seconds(20));
  EXPECT_FALSE(begun[0].stop.stop_requested()) << "it was renewed";
  ASSERT_TRUE(other.wish(id, 0, true));
  wait(std::chrono::milliseconds(500));
  EXPECT_TRUE(begun[0].stop.stop_requested());
}

TEST_F(Jobs, AKnownRequestIsKnownWithoutItsTools) {
  Json labels = {{"labels", {{"tc", "cpu-sim"}}}};
  std::string id = submit("x", labels);
  ASSERT_NE(id, "");
  offer.toolchains.clear();
  EXPECT_EQ(submit("x", labels), id);
  EXPECT_EQ(submit("y", labels), "");
  EXPECT_EQ(error.code, ErrorCode::Unsatisfiable);
}

TEST_F(Jobs, SourcesAreNoArtifacts) {
  std::string digest = put("kernel");
  std::string id =
      submit("x", {{"out", "placid-out"}, {"sources", {{{"path", "placid-out/k.py"}, {"digest", digest}}}}});
  succeed(0);
  Json artifacts = ask("build/result", {{"id", id}})["artifacts"];
  ASSERT_EQ(artifacts.size(), 1U);
  EXPECT_EQ(artifacts[0]["name"], "k.pto");
}

TEST_F(Jobs, ABlobThatWasBegunMayGoOn) {
  auto part = [&](const std::string &text, size_t offset) {
    return ask("blob/put", {{"digest", digestOf(text).hex},
                            {"size", text.size()},
                            {"offset", offset},
                            {"base64", toBase64(text.substr(offset, 1))}});
  };
  auto name = [](size_t i) { return std::string(1, 'a' + static_cast<char>(i % 26)) + std::to_string(i); };
  EXPECT_EQ(part("zz", 1), Json()) << "nothing has come yet, and nothing is kept of it";
  for (size_t i = 0; i < BlobLimits::kUploads; ++i) {
    ASSERT_EQ(part(name(i), 0)["complete"], false) << i;
  }
  part("one more", 0);
  EXPECT_EQ(error.code, ErrorCode::Quota);
  EXPECT_EQ(part(name(5), 1)["complete"], true);
}

TEST_F(Jobs, ASourceThatIsGoneIsNoAnswerOfTheBuild) {
  std::string gone = put("gone");
  Json wanted = request("x", {{"sources", {{{"path", "k.py"}, {"digest", gone}}}}});
  Json got = ask("build/submit", wanted);
  fs::remove(folder + "/store/cas/" + gone.substr(0, 2) + "/" + gone);
  loop.run();
  EXPECT_TRUE(begun.empty());
  EXPECT_EQ(ask("build/result", {{"id", got["id"]}})["status"], "internal");
}

TEST_F(Jobs, ADrainedServiceTakesNoMore) {
  std::string id = submit("x");
  ask("build/drain", {});
  EXPECT_EQ(submit("y"), "");
  EXPECT_EQ(error.code, ErrorCode::RequestFailed);
  EXPECT_EQ(submit("x"), id);
  succeed(0);
  EXPECT_EQ(ask("build/result", {{"id", id}})["status"], "succeeded");
}

TEST(Base64, BothWays) {
  for (const char *text : {"", "f", "fo", "foo", "foob", "fooba", "foobar"}) {
    EXPECT_EQ(fromBase64(toBase64(text)), text);
  }
  EXPECT_EQ(toBase64("foob"), "Zm9vYg==");
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
  }
  EXPECT_EQ(fromBase64(toBase64(all)), all);
  for (const char *text : {"Zg", "Zg=", "Zh==", "Z===", "====", "Zg==Zg==", "Z g=", "Zm9=Zg=="}) {
    EXPECT_EQ(fromBase64(text), std::nullopt) << text;
  }
}

TEST(ProcessNames, TellProcessesApart) {
  std::string name = processName();
  EXPECT_TRUE(processAlive(name));
  EXPECT_FALSE(isElsewhere(name));
  EXPECT_TRUE(isElsewhere("x" + name));
  EXPECT_FALSE(processAlive("x" + name));
  EXPECT_FALSE(isElsewhere("17-4")) << "as they once were";
  EXPECT_FALSE(processAlive(name + "1"));
  for (const char *text : {"", "-", "1", "0-0", "x-1", "../x-1"}) {
    EXPECT_FALSE(processAlive(text)) << text;
  }
}

} // namespace
} // namespace placid::server
