// SPDX-License-Identifier: Apache-2.0
#include "server/daemon/roles.h"

#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace placid::server {

using protocol::ErrorCode;
using protocol::Json;

namespace {

SessionConfig watched(SessionConfig config, ProcessWatch &watch, Peer &peer) {
  config.watchProcess = [&watch, weak = peer.weak_from_this()](int64_t pid) {
    watch.start(pid, [weak] {
      if (std::shared_ptr<Peer> self = weak.lock()) {
        log(LogLevel::Info, "daemon", "the client process ended");
        self->close();
      }
    });
  };
  return config;
}

} // namespace

LspRole::LspRole(Scheduler &scheduler, Peer &peer, SessionConfig config)
    : scheduler_(scheduler), watch_(static_cast<boost::asio::io_context &>(peer.executor().context())),
      connection_(scheduler, peer.outbox(), watched(std::move(config), watch_, peer)) {}

void LspRole::onBytes(std::string_view bytes) {
  Scheduler::Gather gather(scheduler_); // of edits that came together, the last one is checked
  connection_.onBytes(bytes);
}

void RequestRole::onBytes(std::string_view bytes) {
  std::weak_ptr<Peer> weak = peer_.weak_from_this();
  SendMessage send = [weak](const Json &message) {
    if (std::shared_ptr<Peer> self = weak.lock()) {
      self->outbox().send(protocol::encode(message), {});
    }
  };
  while (!finished_) {
    switch (reader_.feed(bytes)) {
    case protocol::FrameReader::State::NeedMore:
      return;
    case protocol::FrameReader::State::Oversize:
    case protocol::FrameReader::State::Failed:
      finished_ = true;
      return;
    case protocol::FrameReader::State::Frame:
      break;
    }
    for (const protocol::Message &message : protocol::decodeMessage(reader_.takeBody()).messages) {
      if (const auto *invalid = std::get_if<protocol::Invalid>(&message)) {
        Reply(invalid->id, send).fail(invalid->error);
      } else if (const auto *call = std::get_if<protocol::Call>(&message)) {
        if (call->id) {
          onCall(*call, Reply(*call->id, send));
        }
      }
    }
  }
}

CommandRole::~CommandRole() {
  if (session_) {
    builds_->close(std::move(session_));
  }
}

void CommandRole::onCall(const protocol::Call &call, Reply reply) {
  if (builds_ && (call.method.starts_with("build/") || call.method.starts_with("blob/"))) {
    if (!session_) {
      session_ = builds_->open(JobTable::kLocal, [weak = peer().weak_from_this()](const Json &message) {
        if (std::shared_ptr<Peer> self = weak.lock()) {
          self->outbox().send(protocol::encode(message), {});
        }
      });
    }
    ++*running_;
    builds_->call(session_, call.method, call.params,
                  [answer = std::make_shared<Reply>(std::move(reply)), running = running_](ApiAnswer got) {
                    --*running;
                    if (got) {
                      std::move(*answer).ok(std::move(got.result));
                    } else {
                      std::move(*answer).fail(*got.error);
                    }
                  });
    return;
  }
  if (call.method != protocol::kCommandMethod) {
    std::move(reply).fail({ErrorCode::MethodNotFound, "`" + call.method + "` is not a request of this role"});
    return;
  }
  protocol::Result<protocol::CommandRun> run = protocol::commandRunFromJson(call.params);
  if (run.has_error()) {
    std::move(reply).fail(run.error());
    return;
  }
  std::weak_ptr<Peer> weak = peer().weak_from_this();
  CommandRunner::Sink sink;
  sink.output = [weak](const protocol::CommandOutput &output) {
    if (std::shared_ptr<Peer> self = weak.lock()) {
      self->outbox().send(
          protocol::encode(protocol::notificationMessage(protocol::kOutputMethod, protocol::toJson(output))), {});
    }
  };
  ++*running_;
  sink.done = [answer = std::make_shared<Reply>(std::move(reply)), running = running_](std::optional<int> exitCode) {
    --*running;
    if (exitCode) {
      std::move(*answer).ok({{"exitCode", *exitCode}});
    } else {
      std::move(*answer).fail({ErrorCode::RequestFailed, "the daemon has too much to do: try again later"});
    }
  };
  runner_.run(std::move(*run), stop_.get_token(), std::move(sink));
}

void AdminRole::onCall(const protocol::Call &call, Reply reply) {
  if (call.method == "admin/status") {
    std::move(reply).ok(actions_.status());
  } else if (call.method == "admin/drain") {
    std::move(reply).ok(nullptr);
    actions_.drain();
  } else if (call.method == "admin/stop") {
    std::move(reply).ok(nullptr);
    actions_.stop();
  } else {
    std::move(reply).fail({ErrorCode::MethodNotFound, "`" + call.method + "` is not a request of this role"});
  }
}

} // namespace placid::server
