// SPDX-License-Identifier: Apache-2.0
// The answer to one request as a move-only value: it answers exactly once, and if it is dropped unanswered it answers
// with an internal error. Answers of one batch collect in a shared array that leaves when the last of them is given.
// Knows nothing of methods or sessions. Io thread.
#pragma once

#include "protocol/json.h"
#include "protocol/jsonrpc/error.h"
#include "protocol/jsonrpc/message.h"

#include <functional>
#include <memory>
#include <vector>

namespace placid::server {

/// Takes one whole message.
using SendMessage = std::function<void(const protocol::Json &)>;

/// Sends its answers as one array when the last Reply lets go of it; nothing when there are none.
class Batch {
public:
  explicit Batch(SendMessage send) : send_(std::move(send)) {}
  ~Batch();
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;
  void add(protocol::Json answer) { answers_.push_back(std::move(answer)); }

private:
  SendMessage send_;
  std::vector<protocol::Json> answers_;
};

class [[nodiscard]] Reply {
public:
  Reply(protocol::Id id, SendMessage send, std::shared_ptr<Batch> batch = nullptr)
      : id_(std::move(id)), send_(std::move(send)), batch_(std::move(batch)) {}
  ~Reply();
  Reply(Reply &&from) noexcept;
  Reply &operator=(Reply &&) = delete;
  Reply(const Reply &) = delete;
  Reply &operator=(const Reply &) = delete;

  void ok(protocol::Json result) &&;
  void fail(const protocol::RpcError &error) &&;
  const protocol::Id &id() const { return id_; }

private:
  void answer(protocol::Json message);

  protocol::Id id_;
  SendMessage send_; ///< Empty once answered or moved from.
  std::shared_ptr<Batch> batch_;
};

} // namespace placid::server
