// SPDX-License-Identifier: Apache-2.0
// Splits a byte stream into the bodies of `Content-Length` frames, incrementally and within fixed bounds. Separate from
// JSON so that a hostile stream is stopped before anything is parsed; knows nothing of what a body means.
// Memory grows with the bytes that arrive, never with the length that a header announces.
// Thread: any, one at a time. Nothing blocks or throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace placid::protocol {

/// All in bytes.
struct FrameLimits {
  size_t headerLine = size_t{1} << 10;
  size_t headerBlock = size_t{8} << 10;
  /// A longer body is skipped (the stream stays in step) and reported as `Oversize`.
  uint64_t body = uint64_t{64} << 20;
  /// A longer announcement than this is taken for nonsense and fails the stream.
  uint64_t skippable = uint64_t{4} << 30;
};

/// Why a stream cannot be read on. All of these are final: without a trustworthy length there is no next frame.
enum class FrameFault : uint8_t {
  None,
  NotAHeader, ///< A line without `Name:`; an HTTP request line is one.
  LineTooLong,
  BlockTooLong,
  BadLength, ///< Not a decimal number, or beyond `skippable`.
  TwoLengths,
  NoLength,
};
/// A short text for logs, such as "header line too long".
std::string_view describe(FrameFault fault);

/// Rules: header names in any case; only `Content-Length` has a meaning, other headers are skipped; lines end in CRLF
/// or LF; blank lines before the first header are skipped.
class FrameReader {
public:
  enum class State : uint8_t {
    NeedMore, ///< All given bytes are consumed; no frame is complete.
    Frame,    ///< One body is complete: takeBody().
    Oversize, ///< One body beyond the limit was announced; it is being skipped. Reported once per frame.
    Failed,   ///< fault() says why; further bytes are ignored.
  };

  explicit FrameReader(FrameLimits limits = {}) : limits_(limits) {}

  /// Consumes from the front of `bytes` until a frame is complete or nothing is left.
  State feed(std::string_view &bytes);
  /// The body of the frame just completed. Valid once per `State::Frame`.
  std::string takeBody();

  FrameFault fault() const { return fault_; }
  /// True between frames: an end of stream here is orderly.
  bool idle() const { return phase_ == Phase::Header && line_.empty() && blockBytes_ == 0; }
  /// Length of the last frame announced as oversize.
  uint64_t announced() const { return announced_; }
  /// Bytes held right now; what a test checks against an announced length.
  size_t buffered() const { return line_.capacity() + body_.capacity(); }

private:
  enum class Phase : uint8_t { Header, Body, Skip, Failed };

  State fail(FrameFault fault);
  /// Handles one complete header line; true when the header block has ended.
  bool endLine();
  void parseHeader(std::string_view line);

  FrameLimits limits_;
  Phase phase_ = Phase::Header;
  FrameFault fault_ = FrameFault::None;
  std::string line_;
  size_t blockBytes_ = 0;
  bool sawHeader_ = false;
  bool sawLength_ = false;
  uint64_t remaining_ = 0;
  uint64_t announced_ = 0;
  std::string body_;
};

/// `body` with its header, ready to be written.
std::string frame(std::string_view body);

} // namespace placid::protocol
