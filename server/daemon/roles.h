// SPDX-License-Identifier: Apache-2.0
// The three roles of a connection after its hello: an editor's session, a command line, administration. Each turns
// bytes into calls of what it was given; none knows the socket. Io thread.
#pragma once

#include "server/daemon/build_front.h"
#include "server/daemon/command_runner.h"
#include "server/daemon/peer.h"
#include "server/session/connection.h"
#include "server/transport/asio_loop.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>

namespace placid::server {

/// An editor.
class LspRole final : public PeerRole {
public:
  LspRole(Scheduler &scheduler, Peer &peer, SessionConfig config);
  void onBytes(std::string_view bytes) override;
  void onEnd() override { connection_.onEnd(); }
  bool finished() const override { return connection_.exitCode().has_value(); }
  size_t pending() const override { return const_cast<Connection &>(connection_).session().pending(); }
  bool pausesForPending() const override { return false; }
  std::string_view name() const override { return "lsp"; }

private:
  Scheduler &scheduler_;
  ProcessWatch watch_;
  Connection connection_;
};

/// Requests one by one: `command/run`, and the administration's.
class RequestRole : public PeerRole {
public:
  explicit RequestRole(Peer &peer) : peer_(peer) {}
  void onBytes(std::string_view bytes) override;
  bool finished() const override { return finished_; }

protected:
  virtual void onCall(const protocol::Call &call, Reply reply) = 0;
  Peer &peer() { return peer_; }

private:
  Peer &peer_;
  protocol::FrameReader reader_;
  bool finished_ = false;
};

/// A command line of `placid`, or a client of the build service.
class CommandRole final : public RequestRole {
public:
  /// `builds` null: there is no build service.
  CommandRole(Peer &peer, CommandRunner &runner, BuildFront *builds)
      : RequestRole(peer), runner_(runner), builds_(builds) {}
  ~CommandRole() override;
  void onEnd() override { stop_.request_stop(); }
  size_t pending() const override { return *running_; }
  std::string_view name() const override { return "build"; }

private:
  void onCall(const protocol::Call &call, Reply reply) override;

  CommandRunner &runner_;
  BuildFront *builds_;
  std::shared_ptr<BuildSession> session_; ///< From the first build message on.
  std::stop_source stop_;
  std::shared_ptr<size_t> running_ = std::make_shared<size_t>(0);
};

/// What administration can ask for.
struct AdminActions {
  std::function<protocol::Json()> status;
  std::function<void()> drain;
  std::function<void()> stop;
};

class AdminRole final : public RequestRole {
public:
  AdminRole(Peer &peer, AdminActions actions) : RequestRole(peer), actions_(std::move(actions)) {}
  void onEnd() override {}
  size_t pending() const override { return 0; }
  std::string_view name() const override { return "admin"; }

private:
  void onCall(const protocol::Call &call, Reply reply) override;

  AdminActions actions_;
};

} // namespace placid::server
