// SPDX-License-Identifier: Apache-2.0
// What waits, by team and client: the team that was served longest ago is next, in it the client that was, with its
// oldest work; what is urgent counts as older than it is, by so much and no more, so that nothing waits for ever behind
// what keeps coming. However many clients a team has, it gets a team's share. Each step takes the logarithm of what is
// known. Knows tickets alone, not what they stand for. One thread.
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
  /// By how many tickets one step of priority makes older.
  static constexpr int64_t kHeadStart = 16;
  /// Clients of whom nothing waits are forgotten beyond this number, those first that were served longest ago.
  static constexpr size_t kRemembered = 4096;

  /// `client` "team/name" is of that team, another one is a team by itself. `ticket` is another one each time; the
  /// smaller is older.
  void push(const std::string &client, int priority, uint64_t ticket);
  /// Takes out what is next; it is its client's turn then.
  std::optional<uint64_t> pop();
  /// It waits no more. Nothing happens when it does not wait.
  void remove(const std::string &client, int priority, uint64_t ticket);
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

private:
  struct Client {
    uint64_t served = 0;                            ///< When it was served last, counted in turns; 0: never.
    std::set<std::pair<int64_t, uint64_t>> waiting; ///< By age() and ticket.
  };
  using ByTurn = std::set<std::pair<uint64_t, std::string>>;
  struct Team {
    uint64_t served = 0;
    std::map<std::string, Client> clients; ///< Stay when nothing waits: their turn is remembered.
    ByTurn next;                           ///< Those of whom something waits.
  };

  static int64_t age(int priority, uint64_t ticket) { return static_cast<int64_t>(ticket) - kHeadStart * priority; }
  static std::string teamOf(const std::string &client) { return client.substr(0, client.find('/')); }
  Client &clientOf(Team &team, const std::string &name);
  void forgetOne();

  std::map<std::string, Team> teams_;
  ByTurn next_; ///< Teams of which something waits.
  ByTurn idle_; ///< Clients of whom nothing waits.
  size_t known_ = 0;
  uint64_t turn_ = 0;
  uint64_t forgotten_ = 0; ///< The latest turn of a client that is not known any more: who is new may be that one.
  size_t size_ = 0;
};

} // namespace placid::server
