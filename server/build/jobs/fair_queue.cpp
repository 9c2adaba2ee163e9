// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/fair_queue.h"

namespace placid::server {

namespace {

constexpr size_t kRemembered = 4096; ///< Clients; beyond it those of whom nothing waits are forgotten.

} // namespace

void FairQueue::push(const std::string &client, int priority, uint64_t ticket) {
  if (clients_.size() >= kRemembered && clients_.find(client) == clients_.end()) {
    std::erase_if(clients_, [](const auto &entry) { return entry.second.waiting.empty(); });
  }
  Client &its = clients_[client];
  if (its.waiting.empty()) {
    next_.emplace(its.served, client);
  }
  size_ += its.waiting.emplace(-priority, ticket).second ? 1 : 0;
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
  if (!client.waiting.empty()) {
    next_.emplace(client.served, name);
  }
  return ticket;
}

void FairQueue::remove(const std::string &client, int priority, uint64_t ticket) {
  auto found = clients_.find(client);
  if (found == clients_.end() || found->second.waiting.erase({-priority, ticket}) == 0) {
    return;
  }
  --size_;
  if (found->second.waiting.empty()) {
    next_.erase({found->second.served, client});
  }
}

} // namespace placid::server
