// SPDX-License-Identifier: Apache-2.0
// The names of a function while its body is built. Loops, branches and scopes copy them all and change few: copies
// share the variables until one is written. Apart from the builder, which only binds and looks up; knows no statement.
// One thread.
#pragma once

#include "compiler/source/text.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace placid::frontend {

/// A map from names to `Variable`s, copied in the time that counting its entries takes.
template <class Variable> class SharedNames {
public:
  bool contains(std::string_view name) const { return find(name) != nullptr; }

  /// Null when there is none. Valid until the name is written.
  const Variable *find(std::string_view name) const {
    auto at = place(hashOf(name), name);
    return at.second ? &at.first->node->variable : nullptr;
  }

  /// The variable, to be written; a new one where there was none. Valid until the next copy of the whole.
  Variable &operator[](std::string_view name) {
    uint64_t hash = hashOf(name);
    auto [at, known] = place(hash, name);
    if (!known) {
      at = slots_.insert(at, {hash, llvm::makeIntrusiveRefCnt<Node>(name, Variable())});
    } else if (at->node->UseCount() > 1) {
      slots_[at - slots_.begin()].node = llvm::makeIntrusiveRefCnt<Node>(name, at->node->variable);
    }
    return slots_[at - slots_.begin()].node->variable;
  }

  void set(std::string_view name, Variable variable) {
    uint64_t hash = hashOf(name);
    auto [at, known] = place(hash, name);
    if (!known) {
      slots_.insert(at, {hash, llvm::makeIntrusiveRefCnt<Node>(name, std::move(variable))});
    } else if (at->node->UseCount() > 1) {
      slots_[at - slots_.begin()].node = llvm::makeIntrusiveRefCnt<Node>(name, std::move(variable));
    } else {
      slots_[at - slots_.begin()].node->variable = std::move(variable);
    }
  }

  /// All names, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const Slot &slot : slots_) {
      out.push_back(slot.node->name);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

private:
  struct Node : llvm::RefCountedBase<Node> {
    Node(std::string_view nameIn, Variable variableIn) : name(nameIn), variable(std::move(variableIn)) {}
    std::string name;
    Variable variable;
  };
  struct Slot {
    uint64_t hash = 0;
    llvm::IntrusiveRefCntPtr<Node> node;
  };
  using Slots = std::vector<Slot>;

  static uint64_t hashOf(std::string_view name) {
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (char c : name) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return hash;
  }

  /// Where the name is, or where it belongs.
  std::pair<typename Slots::const_iterator, bool> place(uint64_t hash, std::string_view name) const {
    auto at = std::lower_bound(slots_.begin(), slots_.end(), hash,
                               [](const Slot &slot, uint64_t wanted) { return slot.hash < wanted; });
    for (; at != slots_.end() && at->hash == hash; ++at) {
      if (at->node->name == name) {
        return {at, true};
      }
    }
    return {at, false};
  }

  Slots slots_; ///< By hash; looked up, never listed in this order.
};

} // namespace placid::frontend
