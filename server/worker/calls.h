// SPDX-License-Identifier: Apache-2.0
// What travels between the daemon and a worker inside frames: one struct for a call, one for its answer, and the texts
// as differences to what the other end holds. Plain data; wire.h turns it into bytes.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <list>
#include <string>

namespace placid::server {

enum class WorkerMethod : uint8_t { Check, Inspect, Ir, Lower, Index, Ops, PassNames };

/// A text, against the one of the same path that the receiver saw last: its first and last bytes stay.
struct TextDelta {
  std::string path;
  uint64_t prefix = 0;
  uint64_t suffix = 0;
  std::string middle;
};

/// What the compiler asks of source::SourceProvider, across processes.
struct SourceQuestion {
  std::string path;
  bool load = false; ///< Else only whether it exists.
  auto operator<=>(const SourceQuestion &) const = default;
};

struct SourceAnswer {
  SourceQuestion question;
  bool found = false;
  TextDelta text; ///< Of a load that found something.
};

struct WorkerCall {
  WorkerMethod method{};
  compiler::Options options;
  bool hasSources = false;
  compiler::IrRequest request; ///< For Ir.
  TextDelta text;
  /// Answers to what the last call for this text asked: most calls then need not ask.
  std::vector<SourceAnswer> foreseen;
};

/// Before the result's own bytes in a Result frame.
struct WorkerState {
  compiler::Counters counters; ///< Since the worker began.
  uint64_t rssBytes = 0;
  std::vector<SourceQuestion> asked; ///< By this call; sorted.
};

/// The texts that one end has sent or received, newest first. Both ends make the same calls in the same order, so what
/// one drops the other drops. One thread.
class TextShelf {
public:
  static constexpr size_t kMaxTexts = 64;
  static constexpr size_t kMaxBytes = size_t{8}
                                      << 20; ///< Besides the last text: closed ones are not to be kept for ever.

  TextDelta encode(const source::SourcePtr &text);
  /// Null when the delta does not fit what is held.
  source::SourcePtr decode(const TextDelta &delta);
  void clear() { texts_.clear(); }
  size_t bytes() const;

private:
  source::SourcePtr find(const std::string &path) const;
  void put(const source::SourcePtr &text);

  std::list<source::SourcePtr> texts_;
};

} // namespace placid::server
