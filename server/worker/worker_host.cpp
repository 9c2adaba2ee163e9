// SPDX-License-Identifier: Apache-2.0
#include "server/worker/worker_host.h"

#include "server/support/crash.h"
#include "server/support/log.h"
#include "server/support/process.h"
#include "server/worker/worker_main.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace placid::server {

namespace {

constexpr int kAnswerMilliseconds = 5000;
constexpr int kControlFd = 3;
constexpr timeval kSendPatience{10, 0};

/// One datagram of a number (a niceness to the host, a pid from it) with at most one descriptor. Nothing blocks for
/// long: the other end always reads.
bool sendWithFd(int socket, pid_t pid, int fd) {
  iovec data{&pid, sizeof pid};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (fd >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(sizeof pid);
}

/// False at the end of the socket.
bool receiveWithFd(int socket, pid_t &pid, int &fd) {
  iovec data{&pid, sizeof pid};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  fd = -1;
  cmsghdr *header = got > 0 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int))) {
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  }
  return got == static_cast<ssize_t>(sizeof pid);
}

} // namespace

WorkerProcess::WorkerProcess(pid_t pid, int pidFd, int socket) : pid_(pid), pidFd_(pidFd), channel_(socket) {
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &kSendPatience, sizeof kSendPatience);
}

WorkerProcess::~WorkerProcess() {
  kill();
  if (pidFd_ >= 0) {
    ::close(pidFd_);
  }
}

void WorkerProcess::kill() {
  if (pidFd_ >= 0) {
    killPidFd(pidFd_, SIGKILL);
  }
}

void runWorkerHost(int control, compiler::CompilerService &compiler) {
  // Nothing of the daemon's is held on to: its lock, its clients' sockets.
  if (control != kControlFd) {
    ::dup2(control, kControlFd);
    control = kControlFd;
  }
  ::syscall(SYS_close_range, kControlFd + 1, ~0U, 0U);
  ::fcntl(control, F_SETFD, FD_CLOEXEC);
  ::setpgid(0, 0); // a terminal's interrupt is the daemon's to handle
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  pid_t self = ::getpid();
  while (true) {
    pid_t niceness = 0;
    int socket = -1;
    if (!receiveWithFd(control, niceness, socket)) {
      ::_exit(0);
    }
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    pid_t child = socket >= 0 ? ::fork() : -1;
    if (child == 0) {
      dieWithParent(self);
      ::close(control);
      if (niceness > 0) {
        giveWay(niceness);
      }
      installCrashHandler("placidd worker");
      runWorker(socket, compiler);
    }
    // Not reaped before the descriptor is open: the number cannot be another process's.
    int pidFd = child > 0 ? openPidFd(child) : -1;
    if (socket >= 0) {
      ::close(socket);
    }
    bool told = sendWithFd(control, child, pidFd);
    if (pidFd >= 0) {
      ::close(pidFd);
    }
    if (!told) {
      ::_exit(0);
    }
  }
}

WorkerHost::~WorkerHost() {
  MutexLock lock(mutex_);
  drop();
}

void WorkerHost::drop() {
  if (control_ >= 0) {
    ::close(control_);
    control_ = -1;
  }
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL); // a child of ours that nobody has waited for: the number is still its own
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
}

void WorkerHost::fork(compiler::CompilerService &compiler) {
  MutexLock lock(mutex_);
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return;
  }
  pid_t self = ::getpid();
  pid_t child = ::fork();
  if (child == 0) {
    dieWithParent(self);
    ::close(ends[0]);
    runWorkerHost(ends[1], compiler);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return;
  }
  control_ = ends[0];
  pid_ = child;
}

bool WorkerHost::startAnew() {
  drop();
  int ends[2] = {-1, -1};
  if (command_.empty() || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return false;
  }
  std::vector<char *> argv;
  for (std::string &word : command_) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], kControlFd);
  int failed = ::posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    pid_ = -1;
    ::close(ends[0]);
    log(LogLevel::Error, "worker", std::string("cannot start a worker host: ") + std::strerror(failed));
    return false;
  }
  control_ = ends[0];
  return true;
}

std::unique_ptr<WorkerProcess> WorkerHost::ask(int niceness) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return nullptr;
  }
  bool asked = sendWithFd(control_, niceness, ends[1]);
  ::close(ends[1]);
  pid_t pid = -1;
  int pidFd = -1;
  pollfd fd{control_, POLLIN, 0};
  bool answered = asked && ::poll(&fd, 1, kAnswerMilliseconds) > 0 && receiveWithFd(control_, pid, pidFd);
  if (!answered || pid <= 0) {
    ::close(ends[0]);
    return nullptr;
  }
  return std::make_unique<WorkerProcess>(pid, pidFd, ends[0]);
}

std::unique_ptr<WorkerProcess> WorkerHost::spawn(int niceness) {
  MutexLock lock(mutex_);
  std::unique_ptr<WorkerProcess> made = control_ >= 0 ? ask(niceness) : nullptr;
  if (!made && startAnew()) {
    made = ask(niceness);
  }
  return made;
}

} // namespace placid::server
