// SPDX-License-Identifier: Apache-2.0
// Bytes into a whole session: framing, JSON, decoding, lifecycle, edits, scheduling, with the FakeCompiler behind. The
// first byte chooses how the rest is cut into reads. Besides not crashing: every request is answered at most once, what
// comes out is valid JSON-RPC, and no more memory is held than bytes were given.
#include "server/session/connection.h"
#include "server/support/log.h"
#include "tests/testing/fake_compiler.h"
#include "tests/testing/manual_loop.h"

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace placid;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

struct CheckingOutbox final : server::Outbox {
  void send(std::string body, std::string_view) override {
    nlohmann::json message = nlohmann::json::parse(body, nullptr, false);
    require(!message.is_discarded());
    for (const nlohmann::json &one : message.is_array() ? message : nlohmann::json::array({message})) {
      require(one.is_object() && one.value("jsonrpc", "") == "2.0");
      require(one.contains("method") || (one.contains("id") && one.contains("result") != one.contains("error")));
    }
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) {
    return 0;
  }
  server::setLogLevel("off");
  std::string bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
  size_t chunk = 1 + data[0] % 64 * 7;

  testing::FakeCompiler compiler;
  testing::ManualLoop loop;
  server::InlineRunner runner;
  CheckingOutbox outbox;
  server::Scheduler scheduler(compiler, runner, loop);
  server::Connection connection(scheduler, outbox, {});
  for (size_t at = 0; at < bytes.size(); at += chunk) {
    connection.onBytes(std::string_view(bytes).substr(at, chunk));
    loop.run();
  }

  protocol::FrameReader reader;
  std::string_view rest = bytes;
  while (!rest.empty() && reader.feed(rest) != protocol::FrameReader::State::Failed) {
    require(reader.buffered() <= 2 * size + 4096);
  }
  connection.onEnd();
  loop.run();
  require(connection.exitCode().has_value());
  return 0;
}
