// SPDX-License-Identifier: Apache-2.0
// Where every byte of a run comes from: from which bytes of the arguments, by which operations. Two texts whose results
// have one origin compute the same from any data, so a test of texts need not guess which changed numbers matter. Of
// operations it knows which only move elements and which go element by element, and no meaning. Offsets and sizes
// are bytes. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace placid::interp {

class Memory;

/// One more value in a hash.
uint64_t mixedOrigin(uint64_t hash, uint64_t value);

class Origins {
public:
  /// A buffer that is given to the run; its bytes come from nowhere else. In the order of the arguments.
  void give(const Memory *memory) { (void)numberOf(memory); }
  /// `count` bytes at `to` are those at `from`: two names of one thing.
  void same(const Memory *memory, int64_t from, int64_t to, int64_t count);
  /// A number for one more core.
  uint32_t addCore();

  /// The accesses that follow are those of one statement of a core, which also depends on `numbers`, a hash of its
  /// scalars and of how it is written. What is read without a write may decide what runs next: it is remembered, under
  /// the name of the result and `where`, a hash of the rounds of the loops around. A move that is not `plain` changes
  /// what it moves.
  void begin(uint32_t core, std::string_view operation, std::string_view result, uint64_t numbers, uint64_t where = 0,
             bool plain = true);
  /// What the statement at hand has read, if it has written nothing: 0 when it has not.
  uint64_t looked() const;
  bool hasAccessed() const { return hasAccessed_; }
  /// `what`, which came from data, has decided what a core runs, or where an access goes.
  void decide(uint32_t core, uint64_t what) { decided_[core].insert(what); }
  void read(const Memory *memory, int64_t offset, int64_t count);
  /// What was read since the last write goes to where no memory is; it does not decide what runs.
  std::vector<uint64_t> handOver();
  /// What comes from there, and is written next.
  void receive(const std::vector<uint64_t> &origins);
  /// What is written next follows from these alone, which were read before.
  void derive(const std::vector<uint64_t> &ofAll, const std::vector<uint64_t> &own);
  void write(const Memory *memory, int64_t offset, int64_t count);

  /// Of all bytes of `results`, and of what decided in each core what runs. How cores take turns, and
  /// which of them did what, is no matter.
  uint64_t digest(const std::vector<const Memory *> &results);

private:
  struct Bytes {
    uint32_t number = 0;
    std::vector<uint64_t> origins;
  };
  uint32_t numberOf(const Memory *memory) { return bytesOf(memory).number; }
  Bytes &bytesOf(const Memory *memory);
  void end();

  std::map<const Memory *, Bytes> memories_; ///< Numbered in the order of their first use.
  std::vector<std::set<uint64_t>> decided_;  ///< Of each core; once more the same changes nothing.

  // Of the statement at hand.
  uint32_t core_ = 0;
  bool moves_ = false; ///< Its elements, in the order in which it reads them.
  bool elementwise_ = false;
  bool hasAccessed_ = false;
  bool derives_ = false;
  uint64_t what_ = 0;
  uint64_t called_ = 0;         ///< Operation, name of the result and where.
  uint64_t prelude_ = 0;        ///< What was read before anything was written.
  std::vector<uint64_t> group_; ///< What was read since the last write; in a move, and not written yet.
  size_t moved_ = 0;            ///< Of the group, in a move.
  int64_t unit_ = 0;            ///< Bytes of an access; 0 when they differ.
  uint64_t writes_ = 0;
};

} // namespace placid::interp
