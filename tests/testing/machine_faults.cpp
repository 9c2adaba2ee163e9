// SPDX-License-Identifier: Apache-2.0
// Faults of the machine that nobody can make from outside one process: loaded in front of the C library (LD_PRELOAD)
// into a daemon under test, it moves the wall clock, says that the disk is full, and ends the process in the middle of
// its n-th write to a file. What it does stands in a small file that the test maps too (PLACID_MACHINE_FAULTS). Knows
// nothing of placid. Any thread.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

/// As tests/toolchain/machine_faults.py writes it.
struct Control {
  std::atomic<int64_t> seconds;  ///< That the wall clock is ahead.
  std::atomic<int64_t> diskFull; ///< Not 0: nothing can be written to files of that name.
  std::atomic<int64_t>
      writesLeft;            ///< To files of that name, before the process ends in the middle of one; below 0: no end.
  std::array<char, 64> name; ///< A part of the path.
};

Control *control() {
  static Control *const mapped = []() -> Control * {
    const char *path = std::getenv("PLACID_MACHINE_FAULTS");
    int fd = path ? ::open(path, O_RDWR | O_CLOEXEC) : -1;
    void *at = fd < 0 ? MAP_FAILED : ::mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0) {
      ::close(fd);
    }
    return at == MAP_FAILED ? nullptr : static_cast<Control *>(at);
  }();
  return mapped;
}

template <class Function> Function *next(const char *name) {
  return reinterpret_cast<Function *>(::dlsym(RTLD_NEXT, name));
}

bool isMeant(const Control &faults, int fd) {
  std::array<char, 64> link{};
  std::array<char, 4096> path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", fd);
  ssize_t length = ::readlink(link.data(), path.data(), path.size() - 1);
  return length > 0 && std::strstr(path.data(), faults.name.data()) != nullptr;
}

/// How many of `size` bytes may be written; below 0: none, and errno says why. `last`: then the process ends.
ssize_t allowed(int fd, size_t size, bool &last) {
  Control *faults = control();
  last = false;
  bool idle = !faults || (faults->diskFull == 0 && faults->writesLeft < 0);
  if (idle || !isMeant(*faults, fd)) {
    return static_cast<ssize_t>(size);
  }
  if (faults->diskFull != 0) {
    errno = ENOSPC;
    return -1;
  }
  last = faults->writesLeft.fetch_sub(1) == 0;
  return static_cast<ssize_t>(last ? size / 2 : size);
}

[[noreturn]] void end() {
  ::kill(::getpid(), SIGKILL);
  for (;;) {
    ::pause();
  }
}

template <class Write> ssize_t guarded(int fd, size_t size, const Write &write) {
  bool last = false;
  ssize_t most = allowed(fd, size, last);
  ssize_t wrote = most < 0 ? -1 : write(static_cast<size_t>(most));
  if (last) {
    end();
  }
  return wrote;
}

} // namespace

extern "C" {

int clock_gettime(clockid_t which, timespec *out) noexcept {
  static auto *const real = next<int(clockid_t, timespec *)>("clock_gettime");
  int result = real(which, out);
  if (result == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) && control()) {
    out->tv_sec += control()->seconds;
  }
  return result;
}

int gettimeofday(timeval *out, void *) noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (out) {
    *out = now.tv_sec;
  }
  return now.tv_sec;
}

ssize_t write(int fd, const void *bytes, size_t size) {
  static auto *const real = next<ssize_t(int, const void *, size_t)>("write");
  return guarded(fd, size, [&](size_t most) { return real(fd, bytes, most); });
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  static auto *const real = next<ssize_t(int, const void *, size_t, off_t)>("pwrite");
  return guarded(fd, size, [&](size_t most) { return real(fd, bytes, most, at); });
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  static auto *const real = next<ssize_t(int, const void *, size_t, off64_t)>("pwrite64");
  return guarded(fd, size, [&](size_t most) { return real(fd, bytes, most, at); });
}
}
