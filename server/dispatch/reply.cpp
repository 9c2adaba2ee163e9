// SPDX-License-Identifier: Apache-2.0
#include "server/dispatch/reply.h"

#include "server/support/log.h"

#include <utility>

namespace placid::server {

Batch::~Batch() {
  if (!answers_.empty()) {
    send_(protocol::Json(std::move(answers_)));
  }
}

Reply::Reply(Reply &&from) noexcept
    : id_(std::move(from.id_)), send_(std::exchange(from.send_, nullptr)), batch_(std::move(from.batch_)) {}

Reply::~Reply() {
  if (send_) {
    log(LogLevel::Error, "dispatch", "a request was dropped without an answer");
    std::move(*this).fail({protocol::ErrorCode::InternalError, "the request was dropped"});
  }
}

void Reply::ok(protocol::Json result) && { answer(protocol::resultMessage(id_, std::move(result))); }

void Reply::fail(const protocol::RpcError &error) && { answer(protocol::errorMessage(id_, error)); }

void Reply::answer(protocol::Json message) {
  SendMessage send = std::exchange(send_, nullptr);
  if (!send) {
    log(LogLevel::Error, "dispatch", "a request was answered twice");
    return;
  }
  if (batch_) {
    batch_->add(std::move(message));
    batch_.reset();
  } else {
    send(message);
  }
}

} // namespace placid::server
