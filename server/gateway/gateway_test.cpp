// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/credentials.h"
#include "server/gateway/http.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace placid::server {
namespace {

using State = HttpReader::State;

/// Everything at once, then byte by byte: the same.
State readAll(const std::string &text, HttpRequest &request, int &status) {
  State last = State::NeedMore;
  for (bool whole : {true, false}) {
    HttpReader reader;
    last = State::NeedMore;
    for (size_t at = 0; at < text.size() && last != State::Request && last != State::Failed;) {
      std::string_view part = std::string_view(text).substr(at, whole ? text.size() : 1);
      size_t before = part.size();
      last = reader.feed(part);
      at += before - part.size();
      if (last == State::Continue) {
        last = State::NeedMore;
      }
    }
    status = reader.status();
    if (last == State::Request) {
      request = reader.take();
    }
  }
  return last;
}

TEST(Http, Requests) {
  HttpRequest request;
  int status = 0;
  ASSERT_EQ(readAll("GET /cas/x HTTP/1.1\r\nHost: a\r\nX-Y:  z \r\n\r\n", request, status), State::Request);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/cas/x");
  EXPECT_EQ(request.header("x-y"), "z");
  EXPECT_TRUE(request.keepAlive);
  ASSERT_EQ(readAll("PUT /a HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabcGET", request, status),
            State::Request);
  EXPECT_EQ(request.body, "abc");
  EXPECT_FALSE(request.keepAlive);
}

TEST(Http, ALargeBodyIsNotHeld) {
  HttpLimits limits;
  limits.held = 4;
  const std::string text = "PUT /cas/x HTTP/1.1\r\nContent-Length: 10\r\n\r\n0123456789GET / HTTP/1.1\r\n\r\n";
  for (size_t step : {text.size(), size_t{1}}) {
    HttpReader reader(limits);
    std::string got;
    std::vector<State> states;
    for (size_t at = 0; at < text.size();) {
      std::string_view part = std::string_view(text).substr(at, step);
      while (!part.empty()) {
        size_t before = part.size();
        State state = reader.feed(part);
        at += before - part.size();
        if (state == State::Large) {
          EXPECT_EQ(reader.length(), 10U);
          EXPECT_FALSE(reader.waits());
          reader.divert([&](std::string_view bytes) {
            got += bytes;
            return got.size() < 7; // then it cannot be taken: the rest is dropped, not held
          });
        } else if (state == State::Request) {
          EXPECT_EQ(reader.take().body, "");
        }
        if (state != State::NeedMore) {
          states.push_back(state);
        }
      }
    }
    EXPECT_EQ(states, (std::vector<State>{State::Large, State::Request, State::Request}));
    EXPECT_EQ(got, step == 1 ? "0123456" : "0123456789");
  }
}

TEST(Http, WhatIsNoRequest) {
  HttpRequest request;
  for (const auto &[text, wanted] : std::initializer_list<std::pair<std::string, int>>{
           {"\r\n\r\n", 400},
           {"GET\r\n\r\n", 400},
           {"GET x HTTP/1.1\r\n\r\n", 400},
           {"GET / HTTP/2.0\r\n\r\n", 505},
           {"G{T / HTTP/1.1\r\n\r\n", 400},
           {"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400},
           {"GET / HTTP/1.1\r\n folded: x\r\n\r\n", 400},
           {"GET / HTTP/1.1\r\na b: x\r\n\r\n", 400},
           {"PUT / HTTP/1.1\r\n\r\n", 411},
           {"PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
           {"PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
           {"PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
           {"PUT / HTTP/1.1\r\nContent-Length: 0x10\r\n\r\n", 400},
           {"PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413},
           {"PUT / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", 413},
           {"GET / HTTP/1.1\r\nA: " + std::string(20000, 'x'), 431},
           {std::string(20000, 'x'), 431}}) {
    int status = 0;
    EXPECT_EQ(readAll(text, request, status), State::Failed) << text.substr(0, 60);
    EXPECT_EQ(status, wanted) << text.substr(0, 60);
  }
}

TEST(Http, Answers) {
  HttpResponse response{404, "text/plain", "gone\n", {{"X", "y"}}};
  EXPECT_EQ(httpText(response, true, false),
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nX-Content-Type-Options: "
            "nosniff\r\nX: y\r\n\r\ngone\n");
  EXPECT_TRUE(httpText(response, false, true).ends_with("Connection: close\r\n\r\n"));
}

TEST(Credentials, NamesByToken) {
  std::string path = (std::filesystem::temp_directory_path() / "placid-tokens-XXXXXX").string();
  int fd = ::mkstemp(path.data());
  ASSERT_GE(fd, 0);
  ::close(fd);
  auto write = [&](const std::string &text) { std::ofstream(path) << text; };
  write("# who\nci 0123456789abcdef\nteam/alice fedcba9876543210 # a person\n");
  Credentials credentials(path);
  EXPECT_EQ(credentials.load(), "");
  EXPECT_EQ(credentials.nameOf("0123456789abcdef"), "ci");
  EXPECT_EQ(credentials.nameOf("fedcba9876543210"), "team/alice");
  for (const char *token : {"", "0123456789abcde", "0123456789abcdeg", "ci"}) {
    EXPECT_EQ(credentials.nameOf(token), std::nullopt);
  }
  write("ci another-token-of-length\n");
  EXPECT_EQ(credentials.nameOf("0123456789abcdef"), std::nullopt) << "a token that was taken out of the file";
  EXPECT_EQ(credentials.nameOf("another-token-of-length"), "ci");
  for (const char *text : {"ci short\n", "ci\n", "c i 0123456789abcdef\n", "a:b 0123456789abcdef\n",
                           "local 0123456789abcdef\n", "ci 0123456789abcdef\nlocal/x fedcba9876543210\n"}) {
    write(text);
    EXPECT_NE(Credentials(path).load(), "") << text;
  }
  write("ci 0123456789abcdef\n");
  ::chmod(path.c_str(), 0644);
  EXPECT_NE(Credentials(path).load(), "") << "others may read it";
  std::filesystem::remove(path);
  EXPECT_EQ(credentials.nameOf("0123456789abcdef"), std::nullopt);
  EXPECT_EQ(tokenOf("Bearer abc"), "abc");
  EXPECT_EQ(tokenOf("basic dTpzZWNyZXQ="), "secret");
  EXPECT_EQ(tokenOf("Digest abc"), "");
  EXPECT_EQ(tokenOf(""), "");
  EXPECT_EQ(realmOf("team/alice"), "team");
}

} // namespace
} // namespace placid::server
