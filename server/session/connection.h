// SPDX-License-Identifier: Apache-2.0
// A byte stream joined to a session: frames in, the session's message bodies out through its Outbox. The same for
// standard input and for sockets; knows neither. Io thread.
#pragma once

#include "protocol/framing/frame_reader.h"
#include "server/session/session.h"

namespace placid::server {

class Connection {
public:
  Connection(Scheduler &scheduler, Outbox &outbox, SessionConfig config, protocol::FrameLimits limits = {})
      : reader_(limits), session_(scheduler, outbox, std::move(config)) {}

  void onBytes(std::string_view bytes);
  /// End of the stream, orderly or not.
  void onEnd();
  /// Set once nothing more will be read: the exit code of a process that served this connection alone.
  std::optional<int> exitCode() const { return session_.exitCode(); }
  Session &session() { return session_; }

private:
  protocol::FrameReader reader_;
  Session session_;
};

} // namespace placid::server
