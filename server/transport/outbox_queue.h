// SPDX-License-Identifier: Apache-2.0
// The queue between a session and the thread that writes to its client. Replaceable messages (diagnostics of one
// document) replace each other while they wait, so a slow client costs memory for its newest state only. send() on the
// io thread, pop() on the writer's; neither blocks.
#pragma once

#include "server/session/outbox.h"
#include "server/support/sync.h"

#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <unordered_map>

namespace placid::server {

class OutboxQueue final : public Outbox {
public:
  /// `wake` is called after a message was queued, on the sender's thread.
  explicit OutboxQueue(std::function<void()> wake = nullptr) : wake_(std::move(wake)) {}

  void send(std::string body, std::string_view key) override;
  std::optional<std::string> pop();
  /// Bytes that wait.
  size_t bytes() const;

private:
  struct Entry {
    std::string body;
    std::string key;
  };

  std::function<void()> wake_;
  mutable Mutex mutex_;
  std::list<Entry> entries_ PLACID_GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::list<Entry>::iterator> byKey_ PLACID_GUARDED_BY(mutex_);
  size_t bytes_ PLACID_GUARDED_BY(mutex_) = 0;
};

} // namespace placid::server
