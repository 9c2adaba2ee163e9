// SPDX-License-Identifier: Apache-2.0
#include "compiler/evaluator/value.h"

#include <algorithm>

namespace placid::py {

namespace {

constexpr size_t kIndexFrom = 12; ///< Smaller namespaces are searched linearly.
constexpr size_t kMaxReason = 240;

} // namespace

uint64_t RangeObject::size() const {
  if (step > 0 && start < stop) {
    return (static_cast<uint64_t>(stop) - static_cast<uint64_t>(start) - 1) / static_cast<uint64_t>(step) + 1;
  }
  if (step < 0 && start > stop) {
    uint64_t stride = 0 - static_cast<uint64_t>(step);
    return (static_cast<uint64_t>(start) - static_cast<uint64_t>(stop) - 1) / stride + 1;
  }
  return 0;
}

const Slot *Namespace::find(std::string_view name) const {
  if (entries_.size() < kIndexFrom) {
    for (const Entry &entry : entries_) {
      if (entry.name == name) {
        return entry.slot.present ? &entry.slot : nullptr;
      }
    }
    return nullptr;
  }
  auto found = index_.find(name);
  return found != index_.end() && entries_[found->second].slot.present ? &entries_[found->second].slot : nullptr;
}

void Namespace::set(std::string_view name, Slot slot) {
  if (entries_.size() < kIndexFrom) {
    for (Entry &entry : entries_) {
      if (entry.name == name) {
        entry.slot = slot;
        return;
      }
    }
    entries_.push_back({name, slot});
    if (entries_.size() == kIndexFrom) {
      for (uint32_t i = 0; i < entries_.size(); ++i) {
        index_.emplace(entries_[i].name, i);
      }
    }
    return;
  }
  auto [found, added] = index_.try_emplace(name, static_cast<uint32_t>(entries_.size()));
  if (added) {
    entries_.push_back({name, slot});
  } else {
    entries_[found->second].slot = slot;
  }
}

void DictObject::add(uint64_t code, Value key, Value value) {
  index.emplace(code, static_cast<uint32_t>(entries.size()));
  entries.push_back({key, value, code, true});
  ++live;
  ++changes;
}

void DictObject::erase(Entry &entry) {
  const auto position = static_cast<uint32_t>(&entry - entries.data());
  auto [first, last] = index.equal_range(entry.code);
  index.erase(std::find_if(first, last, [&](const auto &known) { return known.second == position; }));
  entry.live = false;
  --live;
  ++changes;
  while (!entries.empty() && !entries.back().live) {
    entries.pop_back();
  }
  // Gaps are closed when they are the larger half, so that walks and memory follow what is there.
  constexpr size_t kFewest = 16;
  if (entries.size() >= kFewest && live < entries.size() / 2) {
    std::erase_if(entries, [](const Entry &one) { return !one.live; });
    index.clear();
    for (uint32_t i = 0; i < entries.size(); ++i) {
      index.emplace(entries[i].code, i);
    }
  }
}

void DictObject::clear() {
  entries.clear();
  index.clear();
  live = 0;
  ++changes;
}

void DictObject::assign(const DictObject &from) {
  entries = from.entries;
  index = from.index;
  live = from.live;
  ++changes;
}

bool ClassObject::derives(const ClassObject *base) const {
  return std::find(order.begin(), order.end(), base) != order.end();
}

Value Heap::text(std::string value, Kind kind) {
  charge(value.size());
  auto *made = make<TextObject>();
  made->text = std::move(value);
  return Value::make(kind, made);
}

Value Heap::sequence(std::vector<Value> items, Kind kind) {
  charge(items.size() * sizeof(Value));
  auto *made = make<SequenceObject>();
  made->items = std::move(items);
  return Value::make(kind, made);
}

Value Heap::integer(const BigInt &value) {
  if (value.fits64()) {
    return Value::ofInt(value.to64());
  }
  charge(value.bits() / 8);
  auto *made = make<BigObject>();
  made->value = value;
  return Value::make(Kind::Big, made);
}

Value Heap::unknown(std::string why, Place at) {
  if (why.size() > kMaxReason) {
    size_t end = kMaxReason;
    while (end > 0 && (static_cast<unsigned char>(why[end]) & 0xC0) == 0x80) {
      --end; // not inside a UTF-8 sequence
    }
    why.resize(end);
    why += "…";
  }
  charge(why.size());
  auto *made = make<Reason>();
  made->text = std::move(why);
  made->at = at;
  return Value::make(Kind::Unknown, made);
}

std::string_view Heap::intern(std::string_view text) {
  auto found = interned_.find(text);
  if (found == interned_.end()) {
    auto kept = std::make_unique<std::string>(text);
    charge(text.size() + 64);
    std::string_view key = *kept;
    found = interned_.emplace(key, std::move(kept)).first;
  }
  return found->first;
}

const std::string &textOf(Value value) { return value.as<TextObject>().text; }

std::string_view reasonOf(Value value) {
  return value.isUnknown() && value.object ? std::string_view(value.as<Reason>().text) : std::string_view();
}

Place placeOf(Value value) { return value.isUnknown() && value.object ? value.as<Reason>().at : Place(); }

BigInt bigOf(Value value) { return value.is(Kind::Big) ? value.as<BigObject>().value : BigInt(value.integer); }

} // namespace placid::py
