// SPDX-License-Identifier: Apache-2.0
#include "server/support/process.h"

#include "server/support/crash.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace placid::server {

namespace {

struct Pages {
  unsigned long long resident = 0;
  unsigned long long shared = 0; ///< Of these, with files.
};

Pages pagesOf(pid_t pid) {
  std::string path = "/proc/" + std::to_string(pid) + "/statm";
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return {};
  }
  char text[128] = {};
  ssize_t got = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  unsigned long long total = 0;
  Pages out;
  bool good = got > 0 && std::sscanf(text, "%llu %llu %llu", &total, &out.resident, &out.shared) == 3;
  return good ? out : Pages{};
}

uint64_t pageSize() { return static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)); }

} // namespace

uint64_t residentBytes(pid_t pid) { return pagesOf(pid).resident * pageSize(); }

uint64_t ownBytes() {
  Pages pages = pagesOf(::getpid());
  return (pages.resident - std::min(pages.resident, pages.shared)) * pageSize();
}

int openPidFd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0U)); }

void killPidFd(int pidFd, int signal) { ::syscall(SYS_pidfd_send_signal, pidFd, signal, nullptr, 0U); }

void useProcessLimits(uint64_t addressSpace) {
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (!sanitized()) {
    rlimit space{addressSpace, addressSpace};
    ::setrlimit(RLIMIT_AS, &space);
  }
  int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0) {
    [[maybe_unused]] ssize_t wrote = ::write(fd, "500", 3);
    ::close(fd);
  }
}

void giveWay(int niceness) {
  ::setsid();
  ::setpriority(PRIO_PROCESS, 0, niceness);
}

void dieWithParent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(0); // it ended in between
  }
}

} // namespace placid::server
