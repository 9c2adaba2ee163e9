// SPDX-License-Identifier: Apache-2.0
#include "server/session/connection.h"

#include "server/support/log.h"

#include <string>

namespace placid::server {

void Connection::onBytes(std::string_view bytes) {
  using State = protocol::FrameReader::State;
  while (!session_.exitCode()) {
    switch (reader_.feed(bytes)) {
    case State::NeedMore:
      return;
    case State::Frame:
      session_.receive(reader_.takeBody());
      break;
    case State::Oversize:
      session_.receiveOversize(reader_.announced());
      break;
    case State::Failed:
      // Without a length there is no next frame to find: the stream is given up, not searched for something plausible.
      log(LogLevel::Error, "session", std::string("stream closed: ") + std::string(describe(reader_.fault())));
      session_.disconnect();
      return;
    }
  }
}

void Connection::onEnd() {
  if (!session_.exitCode()) {
    if (!reader_.idle()) {
      log(LogLevel::Warning, "session", "the stream ended inside a message");
    }
    session_.disconnect();
  }
}

} // namespace placid::server
