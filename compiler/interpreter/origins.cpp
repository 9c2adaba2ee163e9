// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/origins.h"

#include "compiler/interpreter/memory.h"

#include <algorithm>
#include <span>
#include <utility>

namespace placid::interp {

namespace {

uint64_t mixed(uint64_t hash, uint64_t value) {
  constexpr uint64_t kPrime = 0x9E3779B97F4A7C15;
  hash = (hash ^ value) * kPrime;
  return hash ^ (hash >> 29);
}

uint64_t mixed(uint64_t hash, const std::vector<uint64_t> &values) {
  for (uint64_t value : values) {
    hash = mixed(hash, value);
  }
  return hash;
}

uint64_t mixed(uint64_t hash, std::string_view text) {
  for (char c : text) {
    hash = mixed(hash, static_cast<uint8_t>(c));
  }
  return hash;
}

constexpr std::string_view kMoves[] = {"pto.tload", "pto.tstore", "pto.tmov", "pto.textract", "pto.tinsert"};

/// What these write at a place follows from what they read of the same place, wherever in a tile it is.
constexpr std::string_view kElementwise[] = {
    "pto.tabs",     "pto.tadd",     "pto.tadds", "pto.tand",   "pto.tcvt",  "pto.tdiv",   "pto.tdivs", "pto.texp",
    "pto.texpands", "pto.tfillpad", "pto.tlog",  "pto.tlrelu", "pto.tmax",  "pto.tmaxs",  "pto.tmin",  "pto.tmins",
    "pto.tmul",     "pto.tmuls",    "pto.tneg",  "pto.tnot",   "pto.tor",   "pto.trecip", "pto.trelu", "pto.trsqrt",
    "pto.tshl",     "pto.tshls",    "pto.tshr",  "pto.tshrs",  "pto.tsqrt", "pto.tsub",   "pto.tsubs"};

bool isOneOf(std::string_view operation, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), operation) != names.end();
}

} // namespace

uint64_t mixedOrigin(uint64_t hash, uint64_t value) { return mixed(hash, value); }

uint64_t Origins::looked() const { return writes_ == 0 && !group_.empty() ? mixed(called_, group_) : 0; }

uint32_t Origins::addCore() {
  decided_.emplace_back();
  return static_cast<uint32_t>(decided_.size() - 1);
}

Origins::Bytes &Origins::bytesOf(const Memory *memory) {
  auto [known, isNew] = memories_.try_emplace(memory);
  Bytes &bytes = known->second;
  if (isNew) {
    bytes.number = static_cast<uint32_t>(memories_.size());
  }
  for (auto next = static_cast<int64_t>(bytes.origins.size()); next < memory->size(); ++next) {
    bytes.origins.push_back(mixed(bytes.number, static_cast<uint64_t>(next)));
  }
  return bytes;
}

void Origins::same(const Memory *memory, int64_t from, int64_t to, int64_t count) {
  const auto origins = bytesOf(memory).origins.begin();
  std::copy_n(origins + from, count, origins + to);
}

void Origins::end() {
  if (writes_ == 0 && !group_.empty()) {
    decided_[core_].insert(mixed(called_, group_));
  }
  group_.clear();
  moved_ = 0;
  unit_ = 0;
}

void Origins::begin(uint32_t core, std::string_view operation, std::string_view result, uint64_t numbers,
                    uint64_t where, bool plain) {
  end();
  core_ = core;
  moves_ = plain && isOneOf(operation, kMoves);
  elementwise_ = isOneOf(operation, kElementwise);
  what_ = mixed(numbers, operation);
  called_ = mixed(mixed(mixed(0, operation), result), where);
  hasAccessed_ = false;
  derives_ = false;
  prelude_ = 0;
  writes_ = 0;
}

void Origins::read(const Memory *memory, int64_t offset, int64_t count) {
  const auto from = bytesOf(memory).origins.begin() + offset;
  moves_ = moves_ && (unit_ == 0 || unit_ == count);
  unit_ = count;
  hasAccessed_ = true;
  group_.insert(group_.end(), from, from + count);
}

std::vector<uint64_t> Origins::handOver() {
  unit_ = 0;
  moved_ = 0;
  return std::exchange(group_, {});
}

void Origins::receive(const std::vector<uint64_t> &origins) {
  moves_ = true;
  unit_ = static_cast<int64_t>(origins.size());
  moved_ = 0;
  group_ = origins;
}

void Origins::derive(const std::vector<uint64_t> &ofAll, const std::vector<uint64_t> &own) {
  derives_ = true;
  moves_ = moves_ && ofAll.empty();
  unit_ = static_cast<int64_t>(own.size());
  moved_ = 0;
  group_ = ofAll;
  group_.insert(group_.end(), own.begin(), own.end());
}

void Origins::write(const Memory *memory, int64_t offset, int64_t count) {
  const auto to = bytesOf(memory).origins.begin() + offset;
  hasAccessed_ = true;
  if (moves_ && unit_ == count && moved_ + static_cast<size_t>(count) <= group_.size()) {
    std::copy_n(group_.begin() + static_cast<std::ptrdiff_t>(moved_), count, to);
    moved_ += static_cast<size_t>(count);
    ++writes_;
    return;
  }
  prelude_ = writes_ == 0 && !derives_ ? mixed(0, group_) : prelude_;
  const uint64_t origin = elementwise_ ? mixed(what_, group_) : mixed(mixed(mixed(what_, prelude_), group_), writes_);
  for (int64_t i = 0; i < count; ++i) {
    to[i] = mixed(origin, static_cast<uint64_t>(i));
  }
  ++writes_;
  group_.clear();
}

uint64_t Origins::digest(const std::vector<const Memory *> &results) {
  end();
  std::vector<uint64_t> cores; // lanes are alike: which of them did what is no matter
  for (const std::set<uint64_t> &decided : decided_) {
    uint64_t own = 0;
    for (uint64_t one : decided) {
      own = mixed(own, one);
    }
    cores.push_back(mixed(own, decided.size()));
  }
  std::sort(cores.begin(), cores.end());
  uint64_t all = mixed(0, cores);
  for (const Memory *memory : results) {
    all = mixed(all, bytesOf(memory).origins);
  }
  return all;
}

} // namespace placid::interp
