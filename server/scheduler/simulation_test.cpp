// SPDX-License-Identifier: Apache-2.0
// Random conversations with a session over a hand-driven loop and runner, against what must always hold: every request
// is answered once, published versions never go back, nothing is published for a closed document but its clearing, and
// at rest every open document shows the diagnostics of its newest text.
#include "server/session/session.h"
#include "tests/testing/fake_compiler.h"
#include "tests/testing/manual_loop.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace placid::server {
namespace {

using nlohmann::json;

struct Model {
  bool open = false;
  int64_t version = 0;
  std::string text;
  int64_t publishedVersion = -1;
  size_t publishedCount = 0;
};

class Simulation {
public:
  explicit Simulation(unsigned seed) : random_(seed) {
    call(json::parse(R"({"id":1,"method":"initialize","params":{"capabilities":{}}})"));
    outstanding_.erase(1);
    outbox_.take();
  }

  void run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) {
      step();
      check();
    }
    do {
      loop_.run();
    } while (runner_.runOne() || loop_.runOne());
    check();
    EXPECT_TRUE(outstanding_.empty());
    for (const auto &[uri, model] : models_) {
      if (model.open) {
        EXPECT_EQ(model.publishedVersion, model.version) << uri;
        EXPECT_EQ(model.publishedCount, errors(model.text)) << uri;
      }
    }
  }

private:
  static size_t errors(const std::string &text) {
    size_t count = 0;
    for (size_t at = 0; (at = text.find("ERR", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  }

  void call(json message) {
    message["jsonrpc"] = "2.0";
    if (message.contains("id")) {
      outstanding_.insert(message["id"].get<int>());
    }
    session_.receive(message.dump());
  }

  unsigned pick(unsigned below) { return random_() % below; }

  void step() {
    std::string uri = "file:///" + std::to_string(pick(3)) + ".py";
    Model &model = models_[uri];
    json document = {{"uri", uri}};
    switch (pick(9)) {
    case 0:
    case 1:
      if (!model.open) {
        model = {true, static_cast<int64_t>(pick(3)), "ERR pl.NZ", -1, 0};
        document.update({{"version", model.version}, {"languageId", ""}, {"text", model.text}});
        call({{"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}});
      } else if (pick(4) == 0) {
        model.open = false;
        call({{"method", "textDocument/didClose"}, {"params", {{"textDocument", document}}}});
      }
      break;
    case 2:
    case 3:
    case 4:
      if (model.open) {
        model.version += 1 + pick(2);
        std::string added = pick(2) ? "ERR " : "x";
        model.text = added + model.text;
        document["version"] = model.version;
        json zero = {{"line", 0}, {"character", 0}};
        json change = {{"range", {{"start", zero}, {"end", zero}}}, {"text", added}};
        call({{"method", "textDocument/didChange"},
              {"params", {{"textDocument", document}, {"contentChanges", json::array({change})}}}});
      }
      break;
    case 5:
      call({{"id", ++lastId_},
            {"method", "textDocument/hover"},
            {"params", {{"textDocument", document}, {"position", {{"line", 0}, {"character", pick(9)}}}}}});
      break;
    case 6:
      call({{"method", "$/cancelRequest"}, {"params", {{"id", lastId_ - static_cast<int>(pick(3))}}}});
      break;
    case 7:
      runner_.runOne();
      break;
    case 8:
      loop_.advance(std::chrono::milliseconds(pick(300)));
      loop_.runOne();
      break;
    }
  }

  void check() {
    for (const json &message : outbox_.take()) {
      if (message.contains("id")) {
        ASSERT_EQ(outstanding_.erase(message["id"].get<int>()), 1U) << "answered twice or unasked: " << message;
        continue;
      }
      ASSERT_EQ(message["method"], "textDocument/publishDiagnostics");
      const json &params = message["params"];
      Model &model = models_[params["uri"].get<std::string>()];
      if (!params.contains("version")) {
        ASSERT_TRUE(params["diagnostics"].empty());
        ASSERT_FALSE(model.open);
        continue;
      }
      ASSERT_TRUE(model.open) << "published after close";
      ASSERT_GT(params["version"].get<int64_t>(), model.publishedVersion);
      ASSERT_LE(params["version"].get<int64_t>(), model.version);
      model.publishedVersion = params["version"].get<int64_t>();
      model.publishedCount = params["diagnostics"].size();
    }
  }

  std::mt19937 random_;
  testing::FakeCompiler compiler_;
  testing::ManualLoop loop_;
  testing::ManualRunner runner_;
  testing::RecordingOutbox outbox_;
  Scheduler scheduler_{compiler_, runner_, loop_};
  Session session_{scheduler_, outbox_, {}};
  std::map<std::string, Model> models_;
  std::set<int> outstanding_;
  int lastId_ = 1;
};

TEST(Simulation, InvariantsHoldUnderRandomInterleavings) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Simulation(seed).run(150);
    if (::testing::Test::HasFailure()) {
      return;
    }
  }
}

} // namespace
} // namespace placid::server
