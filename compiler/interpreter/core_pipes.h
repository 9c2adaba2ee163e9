// SPDX-License-Identifier: Apache-2.0
// The pipes between the cube core and the vector lanes of one group while a kernel runs: tiles in flight, who has taken
// and given back what. It moves elements and knows no instruction; ops_pipe.cpp reads the text. A full or empty pipe is
// no fault: the core waits. Row and column count elements. One thread.
#pragma once

#include "compiler/interpreter/dtype.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace placid::interp {

class Core;

inline constexpr int kMaxLanes = 2;

/// A tile on its way: all of its elements, row after row. Elements that nobody wrote are kept apart.
struct Transfer {
  DType dtype = DType::F32;
  int64_t rows = 0;
  int64_t cols = 0;
  std::array<int64_t, 2> live{}; ///< Rows and columns; of the lane that gave most.
  std::vector<Number> elements;
  std::vector<uint8_t> written;
  std::vector<std::vector<uint64_t>> origins; ///< Of the bytes of each element, in a run that somebody follows.
  int arrived = 0;                            ///< Vector lanes that have given their part.
};

/// One direction of one pipe.
class Ring {
public:
  int64_t slots = 0;
  int64_t slotBytes = 0;
  std::array<int64_t, kMaxLanes> pushed{}, popped{}, freed{}; ///< By lane; the cube core counts as lane 0.
  std::deque<Transfer> flight;                                ///< From the oldest that somebody still holds.
  int64_t first = 0;                                          ///< The number of that one since the kernel began.

  Transfer &at(int64_t number) { return flight[static_cast<size_t>(number - first)]; }
  bool has(int64_t number) const { return number >= first && number - first < static_cast<int64_t>(flight.size()); }
  /// Drops what all of `consumers` lanes have freed.
  void drop(int consumers);
};

class CorePipes {
public:
  explicit CorePipes(int lanes) : lanes_(lanes) {}

  int lanes() const { return lanes_; }
  Ring &ring(int64_t id, bool toVector) { return rings_[{id, toVector}]; }
  /// Of both directions of a pipe: tiles go to the lanes in halves, or whole. False when they did it the other way.
  bool agreeOnHalves(int64_t id, bool halves) { return halves_.try_emplace(id, halves).first->second == halves; }
  /// Where popped tiles of a pipe begin in the memory of a core; cores are the cube core and the lanes behind it.
  int64_t &base(int64_t id, int core) { return bases_[{id, core}]; }
  /// Grows with everything that happens: when it stands still and all cores wait, they wait for ever.
  int64_t events() const { return events_; }
  /// How often a flag is raised that nobody has waited for yet; those of the second lane come behind those of the
  /// first.
  int64_t &flag(int64_t number, bool byCube) { return flags_[{number, byCube}]; }
  /// By number: 0 is the cube core, then the lanes. Null where the group has none.
  Core *core(int number) const {
    auto found = cores_.find(number);
    return found != cores_.end() ? found->second : nullptr;
  }
  void add(int number, Core *core) { cores_[number] = core; }
  void happened() { ++events_; }
  /// What another core may wait for: a flag, a tile, a slot that is free again.
  void gave() {
    ++given_;
    ++events_;
  }
  int64_t given() const { return given_; }
  /// Whether a pushed tile was never taken, or a taken one never freed.
  std::string leftOver() const;

private:
  int lanes_;
  int64_t events_ = 0;
  int64_t given_ = 0;
  std::map<std::pair<int64_t, bool>, Ring> rings_;
  std::map<std::pair<int64_t, int>, int64_t> bases_;
  std::map<int64_t, bool> halves_;
  std::map<std::pair<int64_t, bool>, int64_t> flags_;
  std::map<int, Core *> cores_;
};

} // namespace placid::interp
