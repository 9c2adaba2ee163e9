// SPDX-License-Identifier: Apache-2.0
// The build service of a daemon on a thread of its own: hashing, the journal and remote peers never delay an editor.
// Owns the job table and what talks to it; builds themselves run as commands on the daemon's io thread's say. Calls
// come from the io thread, answers go back to it.
#pragma once

#include "protocol/json.h"
#include "server/build/jobs/build_api.h"
#include "server/daemon/command_runner.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace placid::server {

class BuildFront {
public:
  struct Setup {
    std::string version;
    ToolEnvironment environment;                         ///< Where builds that are sent here find their tools.
    bool listen = false;                                 ///< To other machines too, as the user's settings say.
    std::function<void(const std::string &why)> onFault; ///< On the io thread: it cannot listen.
  };
  /// Starts the thread. `io` and `commands` outlive it.
  BuildFront(EventLoop &io, CommandRunner &commands, Setup setup);
  /// The thread is not ended: a daemon ends as a process.
  ~BuildFront() = default;
  BuildFront(const BuildFront &) = delete;
  BuildFront &operator=(const BuildFront &) = delete;

  /// A client that was admitted. `notify` on the io thread.
  std::shared_ptr<BuildSession> open(std::string client, std::function<void(const protocol::Json &)> notify);
  void close(std::shared_ptr<BuildSession> session);
  /// `answer` on the io thread, once.
  void call(const std::shared_ptr<BuildSession> &session, std::string method, protocol::Json params,
            std::function<void(ApiAnswer)> answer);
  void drain();
  /// Builds that have not ended.
  size_t pending() const;
  bool busy() const { return pending() > 0; }
  /// Where it listens: "tls" and "http", of those that do.
  std::map<std::string, std::string> addresses() const;

private:
  struct State;
  std::shared_ptr<State> state_;
};

} // namespace placid::server
