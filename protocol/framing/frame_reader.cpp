// SPDX-License-Identifier: Apache-2.0
#include "protocol/framing/frame_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace placid::protocol {

namespace {

constexpr std::string_view kContentLength = "content-length";

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// RFC 9110 token characters: what a header name is made of. A space is not among them, so no request line passes.
bool isTokenChar(char c) {
  bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alnum || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

} // namespace

std::string_view describe(FrameFault fault) {
  switch (fault) {
  case FrameFault::None:
    return "no fault";
  case FrameFault::NotAHeader:
    return "not a Content-Length stream";
  case FrameFault::LineTooLong:
    return "header line too long";
  case FrameFault::BlockTooLong:
    return "header block too long";
  case FrameFault::BadLength:
    return "Content-Length is not a usable number";
  case FrameFault::TwoLengths:
    return "two Content-Length headers";
  case FrameFault::NoLength:
    return "no Content-Length header";
  }
  return "";
}

FrameReader::State FrameReader::fail(FrameFault fault) {
  phase_ = Phase::Failed;
  fault_ = fault;
  line_ = {};
  body_ = {};
  return State::Failed;
}

void FrameReader::parseHeader(std::string_view line) {
  size_t colon = line.find(':');
  std::string_view name = line.substr(0, colon);
  if (colon == std::string_view::npos || name.empty() || !std::all_of(name.begin(), name.end(), isTokenChar)) {
    fail(FrameFault::NotAHeader);
    return;
  }
  sawHeader_ = true;
  bool isLength = name.size() == kContentLength.size() && std::equal(name.begin(), name.end(), kContentLength.begin(),
                                                                     [](char a, char b) { return lowered(a) == b; });
  if (!isLength) {
    return;
  }
  if (sawLength_) {
    fail(FrameFault::TwoLengths);
    return;
  }
  std::string_view value = trimmed(line.substr(colon + 1));
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), remaining_);
  bool digits = !value.empty() && value.front() >= '0' && value.front() <= '9';
  if (!digits || error != std::errc() || end != value.data() + value.size() || remaining_ > limits_.skippable) {
    fail(FrameFault::BadLength);
    return;
  }
  sawLength_ = true;
}

bool FrameReader::endLine() {
  if (!line_.empty() && line_.back() == '\r') {
    line_.pop_back();
  }
  if (!line_.empty()) {
    parseHeader(line_);
    if (phase_ != Phase::Failed) {
      line_.clear();
    }
    return false;
  }
  if (!sawHeader_) {
    return false; // a blank line between frames
  }
  if (!sawLength_) {
    fail(FrameFault::NoLength);
    return false;
  }
  return true;
}

FrameReader::State FrameReader::feed(std::string_view &bytes) {
  while (true) {
    switch (phase_) {
    case Phase::Failed:
      bytes = {};
      return State::Failed;
    case Phase::Skip: {
      auto step = static_cast<size_t>(std::min<uint64_t>(remaining_, bytes.size()));
      bytes.remove_prefix(step);
      remaining_ -= step;
      if (remaining_ > 0) {
        return State::NeedMore;
      }
      phase_ = Phase::Header;
      break;
    }
    case Phase::Body: {
      auto step = static_cast<size_t>(std::min<uint64_t>(remaining_, bytes.size()));
      body_.append(bytes.substr(0, step));
      bytes.remove_prefix(step);
      remaining_ -= step;
      if (remaining_ > 0) {
        return State::NeedMore;
      }
      phase_ = Phase::Header;
      return State::Frame;
    }
    case Phase::Header: {
      if (bytes.empty()) {
        return State::NeedMore;
      }
      size_t newline = bytes.find('\n');
      size_t step = newline == std::string_view::npos ? bytes.size() : newline + 1;
      if (line_.size() + step > limits_.headerLine) {
        return fail(FrameFault::LineTooLong);
      }
      if (blockBytes_ + step > limits_.headerBlock) {
        return fail(FrameFault::BlockTooLong);
      }
      blockBytes_ += step;
      line_.append(bytes.substr(0, newline == std::string_view::npos ? step : newline));
      bytes.remove_prefix(step);
      if (newline == std::string_view::npos) {
        return State::NeedMore;
      }
      if (!endLine()) {
        break;
      }
      blockBytes_ = 0;
      sawHeader_ = sawLength_ = false;
      body_.clear();
      if (remaining_ > limits_.body) {
        announced_ = remaining_;
        phase_ = Phase::Skip;
        return State::Oversize;
      }
      phase_ = Phase::Body;
      break;
    }
    }
  }
}

std::string FrameReader::takeBody() { return std::exchange(body_, {}); }

std::string frame(std::string_view body) {
  std::string out = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  out += body;
  return out;
}

} // namespace placid::protocol
