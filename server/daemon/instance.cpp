// SPDX-License-Identifier: Apache-2.0
#include "server/daemon/instance.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace placid::server {

namespace {

constexpr int kBacklog = 256;
constexpr int kFirstHandedFd = 3; // by the convention of LISTEN_FDS

std::string why(const std::string &what, const std::string &path) {
  return "cannot " + what + " " + path + ": " + std::strerror(errno);
}

bool handedSocket() {
  const char *pid = std::getenv("LISTEN_PID");
  const char *count = std::getenv("LISTEN_FDS");
  return pid && count && std::atol(pid) == ::getpid() && std::atoi(count) >= 1;
}

} // namespace

protocol::DaemonFacts ownFacts() {
  protocol::DaemonFacts facts;
  facts.uid = ::geteuid();
  std::error_code error;
  facts.program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  struct stat info{};
  if (::stat("/proc/self/exe", &info) == 0) {
    facts.device = info.st_dev;
    facts.inode = info.st_ino;
    facts.size = static_cast<uint64_t>(info.st_size);
    facts.modifiedSeconds = info.st_mtim.tv_sec;
    facts.modifiedNanoseconds = info.st_mtim.tv_nsec;
  }
  for (std::string_view name : protocol::kDaemonEnvironment) {
    const char *value = std::getenv(std::string(name).c_str());
    facts.environment.emplace_back(value ? value : "");
  }
  return facts;
}

std::string prepareFolder(const std::string &folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return why("create", folder);
  }
  struct stat info{};
  if (::lstat(folder.c_str(), &info) != 0) {
    return why("look at", folder);
  }
  if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid() || (info.st_mode & 0077) != 0) {
    return folder + " must be a folder of yours with mode 0700: somebody else could listen there";
  }
  return {};
}

Instance::~Instance() {
  unlinkSocket();
  if (listener_ >= 0) {
    ::close(listener_);
  }
  if (lock_ >= 0) {
    ::close(lock_);
  }
}

void Instance::unlinkSocket() {
  if (linked_) {
    ::unlink(path_.c_str());
    linked_ = false;
  }
}

Instance::Start Instance::start(const std::string &folder, const std::string &key, std::string &error) {
  error = prepareFolder(folder);
  if (!error.empty()) {
    return Start::Failed;
  }
  return startAt(protocol::socketPath(folder, key), protocol::lockPath(folder, key), error);
}

Instance::Start Instance::startAt(const std::string &path, const std::string &lockFile, std::string &error) {
  path_ = path;
  if (handedSocket()) {
    listener_ = kFirstHandedFd;
    ::fcntl(listener_, F_SETFD, FD_CLOEXEC);
    handedOver_ = true;
    return Start::Listening;
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    error = "the socket path is too long for the system: " + path;
    return Start::Failed;
  }
  path.copy(address.sun_path, path.size());
  lock_ = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) {
    error = why("open", lockFile);
    return Start::Failed;
  }
  // The lock goes with the process, however it ends: a socket without a lock behind it is a leftover.
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    error = "a daemon with this name is running already";
    return errno == EWOULDBLOCK ? Start::Busy : Start::Failed;
  }
  ::unlink(path.c_str());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  mode_t before = ::umask(0177);
  bool bound = listener_ >= 0 && ::bind(listener_, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0;
  ::umask(before);
  if (!bound || ::listen(listener_, kBacklog) != 0) {
    error = why("listen on", path);
    return Start::Failed;
  }
  linked_ = true;
  return Start::Listening;
}

void Instance::withdraw() {
  unlinkSocket();
  if (lock_ >= 0) {
    ::close(lock_);
    lock_ = -1;
  }
}

void Instance::nameProgram(const std::string &program, const std::string &buildId) const {
  std::string line = program + "\n" + buildId + "\n";
  if (lock_ >= 0 && ::ftruncate(lock_, 0) == 0) {
    [[maybe_unused]] ssize_t wrote = ::pwrite(lock_, line.data(), line.size(), 0);
  }
}

int Instance::releaseListener() {
  int fd = listener_;
  listener_ = -1;
  return fd;
}

} // namespace placid::server
