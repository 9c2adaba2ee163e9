// SPDX-License-Identifier: Apache-2.0
// What waits, by client: the client that was served longest ago is next, then its most urgent work, then its oldest.
// Each step takes the logarithm of what waits. Knows tickets alone, not what they stand for. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace placid::server {

class FairQueue {
public:
  /// `ticket` is another one each time; of two with one priority the smaller is older.
  void push(const std::string &client, int priority, uint64_t ticket);
  /// Takes out what is next; it is its client's turn then.
  std::optional<uint64_t> pop();
  /// It waits no more. Nothing happens when it does not wait.
  void remove(const std::string &client, int priority, uint64_t ticket);
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

private:
  struct Client {
    uint64_t served = 0;                        ///< When it was served last, counted in turns; 0: never.
    std::set<std::pair<int, uint64_t>> waiting; ///< By urgency (smaller first) and ticket.
  };
  using Clients = std::map<std::string, Client>;

  Clients clients_;                                 ///< Stay when nothing waits: their turn is remembered.
  std::set<std::pair<uint64_t, std::string>> next_; ///< Clients with something that waits, by turn.
  uint64_t turn_ = 0;
  size_t size_ = 0;
};

} // namespace placid::server
