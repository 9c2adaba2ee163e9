// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/fair_queue.h"

#include <algorithm>

namespace placid::server {

void FairQueue::forgetOne() {
  auto [served, name] = *idle_.begin();
  idle_.erase(idle_.begin());
  auto team = teams_.find(teamOf(name));
  team->second.clients.erase(name);
  if (team->second.clients.empty()) {
    teams_.erase(team); // served when its last client was
  }
  forgotten_ = std::max(forgotten_, served);
  --known_;
}

FairQueue::Client &FairQueue::clientOf(Team &team, const std::string &name) {
  auto found = team.clients.find(name);
  if (found != team.clients.end()) {
    return found->second;
  }
  Client &made = team.clients[name];
  made.served = forgotten_;
  idle_.emplace(made.served, name);
  ++known_;
  return made;
}

void FairQueue::push(const std::string &client, int priority, uint64_t ticket) {
  const std::string name = teamOf(client);
  auto known = teams_.find(name);
  bool isNew = known == teams_.end() || known->second.clients.count(client) == 0;
  if (isNew && known_ >= kRemembered && !idle_.empty()) {
    forgetOne(); // perhaps the team's last
  }
  Team &team = teams_.try_emplace(name, Team{forgotten_, {}, {}}).first->second;
  Client &its = clientOf(team, client);
  if (its.waiting.empty()) {
    if (team.next.empty()) {
      next_.emplace(team.served, name);
    }
    team.next.insert(idle_.extract({its.served, client}));
  }
  size_ += its.waiting.emplace(age(priority, ticket), ticket).second ? 1 : 0;
}

std::optional<uint64_t> FairQueue::pop() {
  if (next_.empty()) {
    return std::nullopt;
  }
  const std::string name = next_.begin()->second;
  next_.erase(next_.begin());
  Team &team = teams_[name];
  const std::string whose = team.next.begin()->second;
  team.next.erase(team.next.begin());
  Client &client = team.clients[whose];
  uint64_t ticket = client.waiting.begin()->second;
  client.waiting.erase(client.waiting.begin());
  --size_;
  client.served = team.served = ++turn_;
  (client.waiting.empty() ? idle_ : team.next).emplace(client.served, whose);
  if (!team.next.empty()) {
    next_.emplace(team.served, name);
  }
  return ticket;
}

void FairQueue::remove(const std::string &client, int priority, uint64_t ticket) {
  auto team = teams_.find(teamOf(client));
  if (team == teams_.end()) {
    return;
  }
  auto found = team->second.clients.find(client);
  if (found == team->second.clients.end() || found->second.waiting.erase({age(priority, ticket), ticket}) == 0) {
    return;
  }
  --size_;
  if (found->second.waiting.empty()) {
    idle_.insert(team->second.next.extract({found->second.served, client}));
    if (team->second.next.empty()) {
      next_.erase({team->second.served, team->first});
    }
  }
}

} // namespace placid::server
