// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/daemon_client.h"

#include "protocol/daemon/endpoint.h"
#include "protocol/jsonrpc/message.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace placid::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kHelloPatience{10};
constexpr std::chrono::seconds kStartPatience{20};
constexpr std::chrono::milliseconds kRetry{10};

std::string variable(std::string_view name) {
  const char *value = std::getenv(std::string(name).c_str());
  return value ? value : "";
}

int left(Clock::time_point deadline) {
  auto wait = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(wait, 0, INT_MAX));
}

/// A folder of this user's with nobody else's rights, made when missing.
std::string folderFault(const std::string &folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return "cannot create " + folder + ": " + std::strerror(errno);
  }
  struct stat info{};
  bool fine = ::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
              (info.st_mode & 0077) == 0;
  return fine ? std::string() : folder + " must be a folder of yours with mode 0700";
}

} // namespace

DaemonClient::DaemonClient(DaemonClient &&from) noexcept
    : fd_(std::exchange(from.fd_, -1)), unread_(std::move(from.unread_)), reader_(std::move(from.reader_)),
      welcome_(std::move(from.welcome_)) {}

void DaemonClient::close() {
  if (fd_ >= 0) {
    ::close(fd_);
    fd_ = -1;
  }
}

bool DaemonClient::send(std::string_view body) {
  std::string bytes = protocol::frame(body);
  std::string_view rest = bytes;
  while (!rest.empty()) {
    ssize_t sent = ::send(fd_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    rest.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

bool DaemonClient::fill() {
  char chunk[65536];
  ssize_t got = 0;
  do {
    got = ::recv(fd_, chunk, sizeof chunk, 0);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) {
    return false;
  }
  unread_.append(chunk, static_cast<size_t>(got));
  return true;
}

std::optional<std::string> DaemonClient::next() {
  std::string_view rest = unread_;
  protocol::FrameReader::State state = reader_.feed(rest);
  unread_.erase(0, unread_.size() - rest.size());
  if (state == protocol::FrameReader::State::Frame) {
    return reader_.takeBody();
  }
  return std::nullopt;
}

std::optional<std::string> DaemonClient::receive(std::optional<Clock::time_point> deadline) {
  while (true) {
    if (std::optional<std::string> body = next()) {
      return body;
    }
    pollfd fd{fd_, POLLIN, 0};
    int ready = ::poll(&fd, 1, deadline ? left(*deadline) : -1);
    if (ready < 0 && errno == EINTR) {
      continue;
    }
    if (ready <= 0 || !fill()) {
      return std::nullopt;
    }
  }
}

DaemonFinder::DaemonFinder(std::string server) : server_(std::move(server)) {
  socket_ = variable("PLACID_SOCKET");
  fixedSocket_ = !socket_.empty();
  folder_ = protocol::socketFolder(variable("XDG_RUNTIME_DIR"), ::geteuid());
}

// Looked at for every attempt: the program may be replaced between two of them.
bool DaemonFinder::look(std::string &error) {
  struct stat info{};
  std::error_code failed;
  protocol::DaemonFacts facts;
  facts.program = std::filesystem::canonical(server_, failed).string();
  if (server_.empty() || failed || ::stat(facts.program.c_str(), &info) != 0) {
    error = "cannot find `placidd`: it belongs beside `placid` or on PATH";
    return false;
  }
  facts.uid = ::geteuid();
  facts.device = info.st_dev;
  facts.inode = info.st_ino;
  facts.size = static_cast<uint64_t>(info.st_size);
  facts.modifiedSeconds = info.st_mtim.tv_sec;
  facts.modifiedNanoseconds = info.st_mtim.tv_nsec;
  for (std::string_view name : protocol::kDaemonEnvironment) {
    facts.environment.push_back(variable(name));
  }
  key_ = protocol::daemonKey(facts);
  buildId_ = protocol::buildId(facts);
  if (!fixedSocket_) {
    socket_ = protocol::socketPath(folder_, key_);
  }
  return true;
}

int DaemonFinder::dial() const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  socket_.copy(address.sun_path, socket_.size());
  int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
    int kept = errno;
    ::close(fd);
    errno = kept;
    return -1;
  }
  ucred peer{};
  socklen_t size = sizeof peer;
  if (fd >= 0 && (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid())) {
    ::close(fd);
    errno = EPERM;
    return -1;
  }
  return fd;
}

DaemonFinder::Handshake DaemonFinder::shakeHands(DaemonClient &client, const protocol::Hello &hello,
                                                 std::string &error) {
  protocol::Hello full = hello;
  full.protocolMin = full.protocolMax = protocol::kDaemonProtocol;
  full.buildId = fixedSocket_ || hello.role == protocol::Role::Admin ? "" : buildId_;
  protocol::Json request = {{"jsonrpc", "2.0"}, {"id", 0}, {"method", protocol::kHelloMethod}};
  request["params"] = protocol::toJson(full);
  Clock::time_point deadline = Clock::now() + kHelloPatience;
  std::optional<std::string> body;
  if (client.send(protocol::encode(request))) {
    body = client.receive(deadline);
  }
  if (!body) {
    error = "the daemon at " + socket_ + " does not answer";
    return Clock::now() < deadline ? Handshake::Gone : Handshake::Refused;
  }
  protocol::Incoming incoming = protocol::decodeMessage(*body);
  const auto *response =
      incoming.messages.size() == 1 ? std::get_if<protocol::Response>(&incoming.messages[0]) : nullptr;
  if (response && response->error) {
    error = response->error->message;
    // Ending, or another build behind the name: both are over when one looks again.
    refusedArguments_ = response->error->code == protocol::ErrorCode::InvalidParams;
    return refusedArguments_ ? Handshake::Refused : Handshake::Gone;
  }
  protocol::Result<protocol::Welcome> welcome =
      protocol::welcomeFromJson(response ? response->result : protocol::Json(nullptr));
  if (welcome.has_error()) {
    error = welcome.error().message;
    return Handshake::Refused;
  }
  client.welcome_ = *welcome;
  return Handshake::Done;
}

bool DaemonFinder::launch(std::string &error) const {
  int ready[2] = {-1, -1};
  if (::pipe2(ready, O_CLOEXEC) != 0) {
    error = std::string("cannot make a pipe: ") + std::strerror(errno);
    return false;
  }
  std::string log = protocol::logPath(folder_, key_);
  std::string fd = std::to_string(ready[1]);
  const char *argv[] = {server_.c_str(), "daemon", "--key", key_.c_str(), "--ready-fd", fd.c_str(), nullptr};
  pid_t child = ::fork();
  if (child == 0) {
    // Twice, so that the daemon is nobody's child and no terminal's: only calls that are safe after fork.
    ::setsid();
    if (::fork() != 0) {
      ::_exit(0);
    }
    int null = ::open("/dev/null", O_RDONLY);
    int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, 0600);
    if (null < 0 || out < 0 || ::chdir("/") != 0) {
      ::_exit(1);
    }
    ::dup2(null, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::fcntl(ready[1], F_SETFD, 0);
    ::execv(argv[0], const_cast<char *const *>(argv)); // NOLINT(cppcoreguidelines-pro-type-const-cast): C interface
    ::_exit(1);
  }
  ::close(ready[1]);
  if (child > 0) {
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  // The other end closes when the daemon listens, or when it has ended.
  Clock::time_point deadline = Clock::now() + kStartPatience;
  pollfd end{ready[0], POLLIN, 0};
  int got = 0;
  do {
    got = ::poll(&end, 1, left(deadline));
  } while (got < 0 && errno == EINTR);
  ::close(ready[0]);
  if (child < 0 || got <= 0) {
    error = "the daemon does not start; its log: " + log;
    return false;
  }
  return true;
}

bool DaemonFinder::startOne(std::string &error) const {
  if (error = folderFault(folder_); !error.empty()) {
    return false;
  }
  // Of many clients that find nothing, one starts it; the others wait here and then find it.
  std::string path = protocol::startLockPath(folder_, key_);
  int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || ::flock(lock, LOCK_EX) != 0) {
    error = "cannot lock " + path + ": " + std::strerror(errno);
  } else if (int other = dial(); other >= 0) {
    ::close(other);
  } else {
    launch(error);
  }
  if (lock >= 0) {
    ::close(lock);
  }
  return error.empty();
}

DaemonClient DaemonFinder::connect(const protocol::Hello &hello, bool start, std::string &error) {
  Clock::time_point deadline = Clock::now() + kStartPatience;
  for (int round = 0;; ++round) {
    error.clear();
    DaemonClient client;
    if (!look(error)) {
      return client;
    }
    client.fd_ = dial();
    if (client.connected()) {
      switch (shakeHands(client, hello, error)) {
      case Handshake::Done:
        return client;
      case Handshake::Refused:
        client.close();
        return client;
      case Handshake::Gone:
        client.close();
        break;
      }
    }
    if (!start || fixedSocket_ || Clock::now() > deadline) {
      if (error.empty()) {
        error = start && !fixedSocket_ ? "the daemon does not start; its log: " + protocol::logPath(folder_, key_)
                                       : "no daemon runs at " + socket_;
      }
      return client;
    }
    if (round > 0) {
      ::usleep(static_cast<useconds_t>(std::chrono::microseconds(kRetry).count())); // one that ends holds its lock
    }
    if (!startOne(error)) {
      return client;
    }
  }
}

} // namespace placid::cli
