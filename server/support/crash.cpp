// SPDX-License-Identifier: Apache-2.0
#include "server/support/crash.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>

namespace placid::server {

namespace {

#if defined(__has_feature)
#define PLACID_HAS_FEATURE(x) __has_feature(x)
#else
#define PLACID_HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || PLACID_HAS_FEATURE(address_sanitizer) ||          \
    PLACID_HAS_FEATURE(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr int kInternalError = 3;
constexpr size_t kStackBytes = size_t{64} << 10;

// Read by the handler: plain memory that is written before and never freed.
char gReproducer[512];
char gCommandLine[4096];
char gNotice[64];
size_t gNoticeSize = 0;
int gNoticeFd = -1;
std::atomic<const char *> gPath = nullptr;
std::atomic<size_t> gPathSize = 0;
std::atomic<const char *> gText = nullptr;
std::atomic<size_t> gTextSize = 0;

size_t length(const char *text) {
  size_t n = 0;
  while (text[n] != '\0') {
    ++n;
  }
  return n;
}

void put(int fd, const char *text, size_t size) {
  while (size > 0) {
    ssize_t wrote = ::write(fd, text, size);
    if (wrote <= 0) {
      return;
    }
    text += wrote;
    size -= static_cast<size_t>(wrote);
  }
}

void put(int fd, const char *text) { put(fd, text, length(text)); }

void onCrash(int) {
  if (gNoticeFd >= 0) {
    put(gNoticeFd, gNotice, gNoticeSize);
  }
  put(STDERR_FILENO, "placid: internal error: the compiler crashed");
  const char *text = gText;
  const char *path = gPath;
  int fd = text ? ::open(gReproducer, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
  if (fd >= 0) {
    put(fd, text, gTextSize);
    put(STDERR_FILENO, " on ");
    put(STDERR_FILENO, path, gPathSize);
    put(STDERR_FILENO, "\nplacid: reproducer: ");
    put(STDERR_FILENO, gReproducer);
    put(STDERR_FILENO, "\nplacid: command: ");
    put(STDERR_FILENO, gCommandLine);
  }
  put(STDERR_FILENO, "\n");
  ::_exit(kInternalError);
}

void copyTo(char *to, size_t room, std::string_view from) {
  size_t size = from.size() < room ? from.size() : room - 1;
  from.copy(to, size);
  to[size] = '\0';
}

} // namespace

void installCrashHandler(const std::string &commandLine) {
  if (kSanitized) {
    return;
  }
  const char *configured = std::getenv("TMPDIR");
  std::string folder = configured && *configured ? configured : "/tmp";
  copyTo(gReproducer, sizeof gReproducer, folder + "/placid-reproducer-" + std::to_string(::getpid()) + ".py");
  copyTo(gCommandLine, sizeof gCommandLine, commandLine);
  useCrashStack();
  struct sigaction action{};
  action.sa_handler = onCrash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU}) {
    ::sigaction(signal, &action, nullptr);
  }
}

void setCrashNotice(int fd, std::string_view bytes) {
  gNoticeSize = bytes.copy(gNotice, sizeof gNotice);
  gNoticeFd = fd;
}

bool sanitized() { return kSanitized; }

void useCrashStack() {
  if (kSanitized) {
    return;
  }
  // The thread's own as long as it lives; a thread that ends gives it back to nobody, and there is one such thread.
  static thread_local std::unique_ptr<char[]> stack;
  stack = std::make_unique<char[]>(kStackBytes);
  stack_t given{};
  given.ss_sp = stack.get();
  given.ss_size = kStackBytes;
  ::sigaltstack(&given, nullptr);
}

CompilingText::CompilingText(std::string_view path, std::string_view text) {
  gPath = path.data();
  gPathSize = path.size();
  gTextSize = text.size();
  gText = text.data();
}

CompilingText::~CompilingText() { gText = nullptr; }

} // namespace placid::server
