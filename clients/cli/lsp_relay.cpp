// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/lsp_relay.h"

#include "clients/cli/daemon_client.h"
#include "clients/cli/editor_mirror.h"
#include "clients/cli/remote_command.h"
#include "protocol/framing/frame_reader.h"
#include "protocol/jsonrpc/message.h"

#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <deque>

namespace placid::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kReadBytes = size_t{64} << 10;
/// What waits for one side before the other side is not read any more.
constexpr size_t kMaxWaiting = size_t{4} << 20;
constexpr size_t kMaxRestarts = 5;
constexpr std::chrono::seconds kRestartWindow{60};
constexpr std::chrono::seconds kFlushTime{2};

void endBySignal(int number) { ::_exit(128 + number); }

void say(const std::string &text) { writeAll(STDERR_FILENO, "placid: " + text + "\n"); }

/// Bytes that wait for somebody who takes them piece by piece.
class Waiting {
public:
  void operator+=(const std::string &more) { bytes_ += more; }
  const char *front() const { return bytes_.data() + taken_; }
  size_t size() const { return bytes_.size() - taken_; }
  bool empty() const { return size() == 0; }
  void take(size_t count) {
    taken_ += count;
    if (taken_ > bytes_.size() / 2) { // what is moved is less than what went
      bytes_.erase(0, taken_);
      taken_ = 0;
    }
  }
  void clear() {
    bytes_.clear();
    taken_ = 0;
  }

private:
  std::string bytes_;
  size_t taken_ = 0;
};

class Relay {
public:
  Relay(const std::string &server, protocol::Hello hello) : finder_(server), hello_(std::move(hello)) {}

  int run() {
    std::string error;
    daemon_.emplace(finder_.connect(hello_, true, error));
    if (!daemon_->connected()) {
      if (finder_.refusedArguments()) {
        writeAll(STDERR_FILENO, "placid lsp: " + error + "\nsee: placid lsp --help\n");
        return 2;
      }
      say(error);
      return kNoDaemon;
    }
    while (true) {
      if (!step()) {
        return code_;
      }
    }
  }

private:
  /// One round of poll(). False at the end; the code is set.
  bool step() {
    bool readEditor = !editorEnded_ && toDaemon_.size() < kMaxWaiting;
    bool readDaemon = toEditor_.size() < kMaxWaiting;
    pollfd fds[] = {
        {readEditor ? STDIN_FILENO : -1, POLLIN, 0},
        {daemon_->fd(), static_cast<short>((readDaemon ? POLLIN : 0) | (toDaemon_.empty() ? 0 : POLLOUT)), 0},
        {toEditor_.empty() ? -1 : STDOUT_FILENO, POLLOUT, 0},
        {editorWatch_, POLLIN, 0}};
    if (::poll(fds, 4, -1) < 0) {
      return errno == EINTR || end(1);
    }
    if (fds[3].revents != 0) {
      return end(1); // the editor's process is gone, whoever still holds its pipes
    }
    if (fds[2].revents != 0 && !writeEditor()) {
      return end(1);
    }
    if ((fds[1].revents & POLLOUT) != 0 && !writeDaemon()) {
      return daemonGone();
    }
    if ((fds[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && readDaemon) {
      if (!daemon_->fill()) {
        return daemonGone();
      }
      while (std::optional<std::string> body = daemon_->next()) {
        if (mirror_.fromDaemon(*body)) {
          toEditor_ += protocol::frame(*body);
        }
      }
    }
    return fds[0].revents == 0 || readEditorOnce();
  }

  bool readEditorOnce() {
    char chunk[kReadBytes];
    ssize_t got = ::read(STDIN_FILENO, chunk, sizeof chunk);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
      return true;
    }
    if (got <= 0) {
      editorEnded_ = true;
      if (!reader_.idle()) {
        say("the stream ended inside a message");
      }
      tellEnd(); // after what was sent: that still gets through
      return true;
    }
    std::string_view bytes(chunk, static_cast<size_t>(got));
    while (!mirror_.exiting()) {
      switch (reader_.feed(bytes)) {
      case protocol::FrameReader::State::NeedMore:
        return true;
      case protocol::FrameReader::State::Frame:
        fromEditor(reader_.takeBody());
        break;
      case protocol::FrameReader::State::Oversize:
        toEditor_ += protocol::frame(protocol::encode(protocol::errorMessage(
            {}, {protocol::ErrorCode::InvalidRequest,
                 "a message of " + std::to_string(reader_.announced()) + " bytes is beyond what this server takes"})));
        // Only texts are so long. Of which document it was nobody knows: an edit that says nothing concerns them all.
        fromEditor(R"({"jsonrpc":"2.0","method":"textDocument/didChange","params":{}})");
        break;
      case protocol::FrameReader::State::Failed:
        say(std::string("stream closed: ") + std::string(protocol::describe(reader_.fault())));
        return end(1);
      }
    }
    return true;
  }

  void fromEditor(const std::string &body) {
    mirror_.fromEditor(body);
    toDaemon_ += protocol::frame(body);
    for (const std::string &opening : mirror_.openings()) {
      toDaemon_ += protocol::frame(opening);
    }
    if (mirror_.editorPid() && editorWatch_ < 0 && *mirror_.editorPid() > 0 && *mirror_.editorPid() <= INT_MAX) {
      editorWatch_ = static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(*mirror_.editorPid()), 0U));
    }
  }

  bool writeDaemon() {
    ssize_t sent = ::send(daemon_->fd(), toDaemon_.front(), toDaemon_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      return errno == EINTR || errno == EAGAIN;
    }
    toDaemon_.take(static_cast<size_t>(sent));
    tellEnd();
    return true;
  }

  void tellEnd() {
    if (editorEnded_ && toDaemon_.empty()) {
      ::shutdown(daemon_->fd(), SHUT_WR);
    }
  }

  /// A ready pipe takes PIPE_BUF bytes without blocking.
  bool writeEditor() {
    ssize_t wrote = ::write(STDOUT_FILENO, toEditor_.front(), std::min<size_t>(PIPE_BUF, toEditor_.size()));
    if (wrote < 0) {
      return errno == EINTR || errno == EAGAIN;
    }
    toEditor_.take(static_cast<size_t>(wrote));
    return true;
  }

  bool end(int code) {
    code_ = code;
    Clock::time_point deadline = Clock::now() + kFlushTime;
    while (!toEditor_.empty() && Clock::now() < deadline) {
      pollfd fd{STDOUT_FILENO, POLLOUT, 0};
      if (::poll(&fd, 1, 100) < 0 || (fd.revents & (POLLERR | POLLHUP)) != 0) {
        break;
      }
      if ((fd.revents & POLLOUT) != 0 && !writeEditor()) {
        break;
      }
    }
    return false;
  }

  bool daemonGone() {
    if (mirror_.exiting() || editorEnded_) {
      return end(mirror_.exitCode());
    }
    for (const std::string &body : mirror_.endings()) {
      toEditor_ += protocol::frame(body);
    }
    Clock::time_point now = Clock::now();
    while (!restarts_.empty() && now - restarts_.front() > kRestartWindow) {
      restarts_.pop_front();
    }
    if (restarts_.size() >= kMaxRestarts) {
      say("the daemon keeps ending: giving up");
      return end(kNoDaemon);
    }
    restarts_.push_back(now);
    std::string error;
    daemon_.emplace(finder_.connect(hello_, true, error));
    if (!daemon_->connected()) {
      say("the daemon ended and cannot be replaced: " + error);
      return end(kNoDaemon);
    }
    say("the daemon ended; another one took over");
    toDaemon_.clear();
    for (const std::string &body : mirror_.replay()) {
      toDaemon_ += protocol::frame(body);
    }
    return true;
  }

  DaemonFinder finder_;
  protocol::Hello hello_;
  std::optional<DaemonClient> daemon_;
  EditorMirror mirror_;
  protocol::FrameReader reader_;
  Waiting toDaemon_;
  Waiting toEditor_;
  std::deque<Clock::time_point> restarts_;
  int editorWatch_ = -1;
  bool editorEnded_ = false;
  int code_ = 1;
};

} // namespace

int relayLsp(const std::string &server, const std::vector<std::string> &arguments) {
  for (int number : {SIGINT, SIGTERM}) {
    std::signal(number, endBySignal);
  }
  protocol::Hello hello;
  hello.role = protocol::Role::Lsp;
  hello.arguments = arguments;
  hello.place = ownSurroundings();
  char path[PATH_MAX];
  hello.cwd = ::getcwd(path, sizeof path) ? path : "/";
  return Relay(server, std::move(hello)).run();
}

} // namespace placid::cli
