// SPDX-License-Identifier: Apache-2.0
#include "protocol/framing/frame_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace placid::protocol {
namespace {

struct Outcome {
  std::vector<std::string> bodies;
  int oversize = 0;
  FrameFault fault = FrameFault::None;
  bool idle = true;
};

Outcome read(std::string_view stream, size_t chunk = SIZE_MAX, FrameLimits limits = {}) {
  FrameReader reader(limits);
  Outcome out;
  for (size_t at = 0; at < stream.size(); at += std::min(chunk, stream.size() - at)) {
    std::string_view part = stream.substr(at, chunk);
    FrameReader::State state;
    while ((state = reader.feed(part)) != FrameReader::State::NeedMore && state != FrameReader::State::Failed) {
      if (state == FrameReader::State::Frame) {
        out.bodies.push_back(reader.takeBody());
      } else {
        ++out.oversize;
      }
    }
  }
  out.fault = reader.fault();
  out.idle = reader.idle();
  return out;
}

TEST(FrameReader, SplitsAtEveryChunkSize) {
  std::string stream = frame("{}") + frame("") + frame("{\"a\":1}\r\n\r\n");
  for (size_t chunk = 1; chunk <= stream.size(); ++chunk) {
    Outcome out = read(stream, chunk);
    EXPECT_EQ(out.bodies, (std::vector<std::string>{"{}", "", "{\"a\":1}\r\n\r\n"})) << chunk;
    EXPECT_TRUE(out.idle);
  }
}

TEST(FrameReader, HeaderNamesInAnyCaseAndOtherHeadersSkipped) {
  Outcome out = read("content-LENGTH:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\nX-Y: z\r\n\r\n{}");
  EXPECT_EQ(out.bodies, std::vector<std::string>{"{}"});
}

TEST(FrameReader, LoneLineFeedsAndBlankLinesBetweenFrames) {
  Outcome out = read("\r\n\nContent-Length: 2\n\n{}\r\n" + frame("[]"));
  EXPECT_EQ(out.bodies, (std::vector<std::string>{"{}", "[]"}));
}

TEST(FrameReader, HttpRequestFails) {
  for (std::string_view line :
       {"POST / HTTP/1.1\r\n", "GET http://localhost:1/ HTTP/1.1\r\n", "CONNECT h:1 HTTP/1.1\r\n"}) {
    std::string stream = std::string(line) + "Content-Length: 2\r\n\r\n{}";
    Outcome out = read(stream);
    EXPECT_EQ(out.fault, FrameFault::NotAHeader) << line;
    EXPECT_TRUE(out.bodies.empty());
  }
}

TEST(FrameReader, BadLengths) {
  auto fault = [](const std::string &value) { return read("Content-Length: " + value + "\r\n\r\n").fault; };
  for (const char *value :
       {"-1", "+1", "", "abc", "1x", "99999999999999999999999", "9999999999999999", "0x10", "1 2"}) {
    EXPECT_EQ(fault(value), FrameFault::BadLength) << value;
  }
  EXPECT_EQ(read("Content-Length: 2\r\nContent-length: 2\r\n\r\n{}").fault, FrameFault::TwoLengths);
  EXPECT_EQ(read("Content-Type: x\r\n\r\n{}").fault, FrameFault::NoLength);
}

TEST(FrameReader, AnnouncedLengthIsNotAllocated) {
  FrameReader reader;
  std::string_view bytes = "Content-Length: 1073741824\r\n\r\n";
  EXPECT_EQ(reader.feed(bytes), FrameReader::State::Oversize);
  EXPECT_EQ(reader.announced(), 1073741824U);
  bytes = "Content-Length: 67108864\r\n\r\n";
  FrameReader allowed;
  EXPECT_EQ(allowed.feed(bytes), FrameReader::State::NeedMore);
  EXPECT_LT(reader.buffered() + allowed.buffered(), 4096U);
}

TEST(FrameReader, OversizeBodyIsSkippedAndTheStreamStaysInStep) {
  FrameLimits limits;
  limits.body = 4;
  std::string stream = frame("12345") + frame("1234");
  for (size_t chunk = 1; chunk <= stream.size(); ++chunk) {
    Outcome out = read(stream, chunk, limits);
    EXPECT_EQ(out.oversize, 1);
    EXPECT_EQ(out.bodies, std::vector<std::string>{"1234"});
  }
}

TEST(FrameReader, EndlessHeaderLineAndBlockAreBounded) {
  FrameReader reader;
  std::string megabyte(size_t{1} << 20, 'a');
  for (int i = 0; i < 50; ++i) {
    std::string_view bytes = megabyte;
    reader.feed(bytes);
  }
  EXPECT_EQ(reader.fault(), FrameFault::LineTooLong);
  EXPECT_LT(reader.buffered(), 4096U);

  std::string block;
  for (int i = 0; i < 20; ++i) {
    block += "X: " + std::string(900, 'b') + "\r\n";
  }
  EXPECT_EQ(read(block).fault, FrameFault::BlockTooLong);
  EXPECT_EQ(read(std::string(10000, '\n')).fault, FrameFault::BlockTooLong);
}

TEST(FrameReader, TruncatedStreamIsNotIdle) {
  std::string stream = frame("{}");
  for (size_t cut = 1; cut < stream.size(); ++cut) {
    EXPECT_FALSE(read(stream.substr(0, cut)).idle) << cut;
  }
}

TEST(FrameReader, RandomBytesNeverHang) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = round % 2 ? "Content-Length: " : "";
    for (int i = 0; i < 64; ++i) {
      bytes += static_cast<char>(random() & 0xFF);
    }
    Outcome out = read(bytes, 1 + random() % 8);
    EXPECT_LE(out.bodies.size(), 64U);
  }
}

} // namespace
} // namespace placid::protocol
