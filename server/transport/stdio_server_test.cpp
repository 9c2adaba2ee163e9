// SPDX-License-Identifier: Apache-2.0
// The whole server on real descriptors and threads, driven through pipes; and with regular files, which epoll refuses.
#include "protocol/framing/frame_reader.h"
#include "server/transport/stdio_server.h"
#include "tests/testing/fake_compiler.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace placid::server {
namespace {

using nlohmann::json;

std::string call(const std::string &rest) { return protocol::frame("{\"jsonrpc\":\"2.0\"," + rest + "}"); }
const std::string kInitialize = call(R"("id":1,"method":"initialize","params":{})");
const std::string kShutdown = call(R"("id":2,"method":"shutdown")");
const std::string kExit = call(R"("method":"exit")");

std::string didOpen(const std::string &text) {
  return call(R"("method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.py","version":1,"text":)" +
              json(text).dump() + "}}");
}

std::string readAll(int fd) {
  std::string out;
  char chunk[4096];
  ssize_t got = 0;
  while ((got = ::read(fd, chunk, sizeof chunk)) > 0) {
    out.append(chunk, static_cast<size_t>(got));
  }
  return out;
}

std::vector<json> messages(std::string_view bytes) {
  std::vector<json> out;
  protocol::FrameReader reader;
  while (reader.feed(bytes) == protocol::FrameReader::State::Frame) {
    out.push_back(json::parse(reader.takeBody()));
  }
  return out;
}

/// A server in a thread of its own between two pipes.
struct Piped {
  Piped(bool sync = false) {
    std::signal(SIGPIPE, SIG_IGN); // as the program does
    EXPECT_EQ(::pipe(toServer), 0);
    EXPECT_EQ(::pipe(fromServer), 0);
    thread = std::thread([this, sync] {
      exitCode = serveStdio(compiler, {.in = toServer[0], .out = fromServer[1], .sync = sync});
      ::close(fromServer[1]);
    });
  }
  ~Piped() {
    end();
    join();
    ::close(toServer[0]);
    ::close(fromServer[0]);
  }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t wrote = ::write(toServer[1], bytes.data(), bytes.size());
      if (wrote <= 0) {
        return;
      }
      bytes.remove_prefix(static_cast<size_t>(wrote));
    }
  }
  void end() {
    if (toServer[1] >= 0) {
      ::close(std::exchange(toServer[1], -1));
    }
  }
  json next() {
    while (true) {
      std::string_view bytes = std::string_view(buffer).substr(used);
      protocol::FrameReader::State state = reader.feed(bytes);
      used = buffer.size() - bytes.size();
      if (state == protocol::FrameReader::State::Frame) {
        return json::parse(reader.takeBody());
      }
      char chunk[4096];
      ssize_t got = ::read(fromServer[0], chunk, sizeof chunk);
      if (got <= 0) {
        return {};
      }
      buffer.append(chunk, static_cast<size_t>(got));
    }
  }
  int join() {
    if (thread.joinable()) {
      thread.join();
    }
    return exitCode;
  }

  testing::FakeCompiler compiler;
  int toServer[2];
  int fromServer[2];
  int exitCode = -1;
  std::string buffer;
  size_t used = 0;
  protocol::FrameReader reader;
  std::thread thread;
};

TEST(StdioServer, FullConversationOverThreads) {
  Piped server;
  server.send(kInitialize);
  EXPECT_EQ(server.next()["id"], 1);
  server.send(didOpen("ERR"));
  EXPECT_EQ(server.next()["params"]["diagnostics"].size(), 1U);
  server.send(kShutdown + kExit);
  EXPECT_EQ(server.next()["id"], 2);
  EXPECT_EQ(server.join(), 0);
}

TEST(StdioServer, EndOfInputWithoutShutdown) {
  Piped server;
  server.send(kInitialize);
  server.next();
  server.end();
  EXPECT_EQ(server.join(), 1);
}

TEST(StdioServer, AReaderThatLeftEndsTheServer) {
  Piped server;
  ::close(std::exchange(server.fromServer[0], ::open("/dev/null", O_RDONLY)));
  server.send(kInitialize);
  EXPECT_EQ(server.join(), 1); // though the input stays open
}

TEST(StdioServer, AReaderThatDoesNotReadDoesNotBlockTheServer) {
  Piped server;
  server.send(kInitialize);
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += "ERR\n"; // a publish of several hundred kilobytes, more than a pipe holds
  }
  for (int i = 0; i < 20; ++i) {
    server.send(didOpen(text));
  }
  server.send(kShutdown);
  server.send(kExit);
  bool answered = false;
  for (json message = server.next(); !message.is_null(); message = server.next()) {
    answered |= message.value("id", json()) == 2;
  }
  EXPECT_TRUE(answered);
  EXPECT_EQ(server.join(), 0);
}

TEST(StdioServer, GarbageEndsItOrderly) {
  Piped server;
  server.send(std::string(100'000, 'x'));
  server.end();
  EXPECT_EQ(server.join(), 1);
}

TEST(StdioServer, TheClientsProcessIsWatched) {
  pid_t client = ::fork();
  ASSERT_GE(client, 0);
  if (client == 0) {
    ::pause();
    ::_exit(0);
  }
  Piped server;
  server.send(call("\"id\":1,\"method\":\"initialize\",\"params\":{\"processId\":" + std::to_string(client) + "}"));
  EXPECT_EQ(server.next()["id"], 1);
  ::kill(client, SIGKILL);
  ::waitpid(client, nullptr, 0);
  EXPECT_EQ(server.join(), 1); // though the input stays open
}

/// The exit status of a server process that was sent `script` while its compiler hangs, then left to `stop`.
int endWhileHanging(const std::string &script, void (*stop)(pid_t, int &input)) {
  std::signal(SIGPIPE, SIG_IGN);
  int toServer[2];
  int fromServer[2];
  int hanging[2];
  EXPECT_EQ(::pipe(toServer), 0);
  EXPECT_EQ(::pipe(fromServer), 0);
  EXPECT_EQ(::pipe(hanging), 0);
  pid_t server = ::fork();
  EXPECT_GE(server, 0);
  if (server == 0) {
    ::alarm(60); // a wrong server does not outlive the test
    ::close(toServer[1]);
    testing::FakeCompiler compiler;
    compiler.onWork = [&](const source::SourceText &, const std::stop_token &) {
      char one = 1;
      EXPECT_EQ(::write(hanging[1], &one, 1), 1);
    };
    StdioOptions options{.in = toServer[0], .out = fromServer[1], .patience = std::chrono::milliseconds(50)};
    ::_exit(serveStdio(compiler, std::move(options)));
  }
  ::close(toServer[0]);
  ::close(fromServer[1]);
  ::close(hanging[1]);
  std::string first = kInitialize + didOpen("HANG");
  EXPECT_EQ(::write(toServer[1], first.data(), first.size()), static_cast<ssize_t>(first.size()));
  char one = 0;
  EXPECT_EQ(::read(hanging[0], &one, 1), 1); // the check has begun
  EXPECT_EQ(::write(toServer[1], script.data(), script.size()), static_cast<ssize_t>(script.size()));
  stop(server, toServer[1]);
  int status = 0;
  EXPECT_EQ(::waitpid(server, &status, 0), server);
  std::vector<json> got = messages(readAll(fromServer[0]));
  EXPECT_EQ(got.size(), script.empty() ? 1U : 2U) << "what was answered has been written";
  for (int fd : {toServer[1], fromServer[0], hanging[0]}) {
    if (fd >= 0) {
      ::close(fd);
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(StdioServer, ACheckThatHangsDoesNotKeepTheProcess) {
  auto nothing = [](pid_t, int &) {};
  EXPECT_EQ(endWhileHanging(kShutdown + kExit, nothing), 0);
  EXPECT_EQ(endWhileHanging("", [](pid_t, int &input) { ::close(std::exchange(input, -1)); }), 1);
  EXPECT_EQ(endWhileHanging("", [](pid_t server, int &) { ::kill(server, SIGTERM); }), 143);
  EXPECT_EQ(endWhileHanging("", [](pid_t server, int &) { ::kill(server, SIGINT); }), 130);
}

TEST(StdioServer, RegularFilesAndSyncOrder) {
  std::FILE *in = std::tmpfile();
  std::FILE *out = std::tmpfile();
  std::string script =
      kInitialize + didOpen("ERR") +
      call(
          R"("id":5,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a.py"},"position":{"line":0,"character":0}})") +
      kShutdown + kExit;
  std::fwrite(script.data(), 1, script.size(), in);
  std::fflush(in);
  ::lseek(::fileno(in), 0, SEEK_SET);
  testing::FakeCompiler compiler;
  EXPECT_EQ(serveStdio(compiler, {.in = ::fileno(in), .out = ::fileno(out), .sync = true}), 0);
  ::lseek(::fileno(out), 0, SEEK_SET);
  std::vector<json> got = messages(readAll(::fileno(out)));
  ASSERT_EQ(got.size(), 4U);
  EXPECT_EQ(got[0]["id"], 1);
  EXPECT_EQ(got[1]["method"], "textDocument/publishDiagnostics");
  EXPECT_EQ(got[2]["id"], 5);
  EXPECT_EQ(got[3]["id"], 2);
  std::fclose(in);
  std::fclose(out);
}

} // namespace
} // namespace placid::server
