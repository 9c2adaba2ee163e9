// SPDX-License-Identifier: Apache-2.0
#include "server/transport/outbox_queue.h"

#include <utility>

namespace placid::server {

void OutboxQueue::send(std::string body, std::string_view key) {
  {
    MutexLock lock(mutex_);
    bytes_ += body.size();
    auto waiting = key.empty() ? byKey_.end() : byKey_.find(std::string(key));
    if (waiting != byKey_.end()) {
      bytes_ -= waiting->second->body.size();
      waiting->second->body = std::move(body);
    } else {
      entries_.push_back({std::move(body), std::string(key)});
      if (!key.empty()) {
        byKey_.emplace(key, std::prev(entries_.end()));
      }
    }
  }
  if (wake_) {
    wake_();
  }
}

std::optional<std::string> OutboxQueue::pop() {
  MutexLock lock(mutex_);
  if (entries_.empty()) {
    return std::nullopt;
  }
  Entry entry = std::move(entries_.front());
  entries_.pop_front();
  byKey_.erase(entry.key);
  bytes_ -= entry.body.size();
  return std::move(entry.body);
}

size_t OutboxQueue::bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

} // namespace placid::server
