// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/fair_queue.h"

#include <algorithm>

namespace placid::server {

FairQueue::Client &FairQueue::clientOf(const std::string &name) {
  auto found = clients_.find(name);
  if (found != clients_.end()) {
    return found->second;
  }
  if (clients_.size() >= kRemembered && !idle_.empty()) {
    forgotten_ = std::max(forgotten_, idle_.begin()->first);
    clients_.erase(idle_.begin()->second);
    idle_.erase(idle_.begin());
  }
  Client &made = clients_[name];
  made.served = forgotten_;
  idle_.emplace(made.served, name);
  return made;
}

void FairQueue::push(const std::string &client, int priority, uint64_t ticket) {
  Client &its = clientOf(client);
  if (its.waiting.empty()) {
    next_.insert(idle_.extract({its.served, client}));
  }
  size_ += its.waiting.emplace(age(priority, ticket), ticket).second ? 1 : 0;
}

std::optional<uint64_t> FairQueue::pop() {
  if (next_.empty()) {
    return std::nullopt;
  }
  std::string name = next_.begin()->second;
  next_.erase(next_.begin());
  Client &client = clients_[name];
  uint64_t ticket = client.waiting.begin()->second;
  client.waiting.erase(client.waiting.begin());
  --size_;
  client.served = ++turn_;
  (client.waiting.empty() ? idle_ : next_).emplace(client.served, name);
  return ticket;
}

void FairQueue::remove(const std::string &client, int priority, uint64_t ticket) {
  auto found = clients_.find(client);
  if (found == clients_.end() || found->second.waiting.erase({age(priority, ticket), ticket}) == 0) {
    return;
  }
  --size_;
  if (found->second.waiting.empty()) {
    idle_.insert(next_.extract({found->second.served, client}));
  }
}

} // namespace placid::server
