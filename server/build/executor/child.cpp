// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/child.h"

#include "server/support/process.h"
#include "server/support/wake_fd.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>

namespace placid::server {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

/// How long output is still read after the child itself has ended: a child of its own may hold the pipe.
constexpr std::chrono::milliseconds kDrain{200};
/// Marks everything that descends from one child, also what has left its process group.
constexpr const char *kMark = "PLACID_ACTION=";
/// A machine does not go through all of its numbers for processes, 32768 at least, in so short a time.
constexpr std::chrono::milliseconds kShortRun{100};
constexpr pid_t kFewNumbers = 64;

class Fd {
public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  ~Fd() { reset(); }
  Fd(const Fd &) = delete;
  Fd &operator=(const Fd &) = delete;
  void reset(int fd = -1) {
    if (fd_ >= 0) {
      ::close(fd_);
    }
    fd_ = fd;
  }
  int get() const { return fd_; }

private:
  int fd_;
};

struct Prepared {
  std::vector<char *> argv, env;
  const char *program = nullptr;
  const char *folder = nullptr;
  int in = -1, out = -1, err = -1, group = -1;
  rlimit memory{}, file{};
  bool limitMemory = false, limitFile = false;
  pid_t parent = 0;
};

/// In the child, between vfork and exec: system calls alone. Returns errno.
int becomeTool(const Prepared &prepared) {
  ::setsid(); // a group to be ended as one, and on a busy machine no share of ours
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != prepared.parent) {
    return ECHILD;
  }
  if (prepared.group >= 0 && ::write(prepared.group, "0", 1) != 1) {
    return errno;
  }
  rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (prepared.limitMemory) {
    ::setrlimit(RLIMIT_AS, &prepared.memory);
  }
  if (prepared.limitFile) {
    ::setrlimit(RLIMIT_FSIZE, &prepared.file);
  }
  for (int signal : {SIGPIPE, SIGXFSZ, SIGTERM, SIGINT, SIGHUP, SIGCHLD}) {
    ::signal(signal, SIG_DFL);
  }
  sigset_t empty;
  sigemptyset(&empty);
  ::sigprocmask(SIG_SETMASK, &empty, nullptr);
  if (::chdir(prepared.folder) != 0 || ::dup2(prepared.in, 0) < 0 || ::dup2(prepared.out, 1) < 0 ||
      ::dup2(prepared.err, 2) < 0) {
    return errno;
  }
#ifdef SYS_close_range
  // Whatever of ours is open and not marked so: listeners, connections of clients.
  constexpr unsigned kOnExec = 4; // CLOSE_RANGE_CLOEXEC, which older headers lack
  ::syscall(SYS_close_range, 3U, ~0U, kOnExec);
#endif
  ::execve(prepared.program, prepared.argv.data(), prepared.env.data());
  return errno;
}

/// The memory is shared until exec, so that a large process starts a small one at once; the error comes back through
/// it.
pid_t start(const Prepared &prepared, int &error) {
  volatile int childError = 0;
  // No handler of ours may run in the child while it shares our memory.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = ::vfork();
  if (pid == 0) {
    childError = becomeTool(prepared);
    ::_exit(127);
  }
  int forkError = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  error = pid < 0 ? forkError : childError;
  return pid;
}

/// Whether a variable is ours, given what follows the beginning that was looked for.
using IsOurs = std::function<bool(std::string_view rest)>;

/// Ends the process of that number when its environment has a variable of that beginning that is ours.
void killIf(const std::string &number, const std::string &begin, const IsOurs &ours) {
  Fd environ(::open(("/proc/" + number + "/environ").c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 8192> chunk{};
  ssize_t got = 0;
  while (environ.get() >= 0 && text.size() < (size_t{1} << 20) &&
         (got = ::read(environ.get(), chunk.data(), chunk.size())) > 0) {
    text.append(chunk.data(), static_cast<size_t>(got));
  }
  size_t at = text.find(begin);
  size_t last = at == std::string::npos ? at : text.find('\0', at);
  bool whole = last != std::string::npos && (at == 0 || text[at - 1] == '\0');
  if (whole && ours(std::string_view(text).substr(at + begin.size(), last - at - begin.size()))) {
    ::kill(static_cast<pid_t>(std::stol(number)), SIGKILL);
  }
}

/// All processes of which that holds.
void killWhere(const std::string &begin, const IsOurs &ours) {
  std::error_code error;
  fs::directory_iterator processes("/proc", error);
  for (fs::directory_iterator end; !error && processes != end; processes.increment(error)) {
    std::string name = processes->path().filename().string();
    if (!name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      killIf(name, begin, ours);
    }
  }
}

/// The number that was given last to a process or thread of this namespace, or 0 when nobody says.
pid_t lastPid() {
  Fd load(::open("/proc/loadavg", O_RDONLY | O_CLOEXEC));
  std::array<char, 128> text{};
  ssize_t got = load.get() < 0 ? -1 : ::read(load.get(), text.data(), text.size() - 1);
  std::string_view line(text.data(), got > 0 ? static_cast<size_t>(got) : 0);
  size_t space = line.rfind(' ');
  return space == std::string_view::npos ? 0 : static_cast<pid_t>(std::atol(line.data() + space + 1));
}

/// Ends every process that carries the mark; it has left the group of its ancestor. `first` is that ancestor, which has
/// run for `time`: numbers are given in turn, so whatever a short run has started has one of those since, and mostly
/// there are none. What such a one starts while it is looked for has a later number, so it goes on until none has been
/// given since. Where they may have begun anew meanwhile, all processes are looked at.
void killMarked(const std::string &mark, pid_t first, std::chrono::steady_clock::duration time) {
  auto ours = [](std::string_view rest) { return rest.empty(); };
  pid_t seen = first;
  for (pid_t last = lastPid(); time <= kShortRun && last >= seen && last - first <= kFewNumbers; last = lastPid()) {
    if (last == seen) {
      return;
    }
    for (; seen < last; ++seen) {
      killIf(std::to_string(seen + 1), mark, ours);
    }
  }
  killWhere(mark, ours);
}

/// Numbers of processes mean something within one namespace only, also where /proc of another is seen.
std::string pidSpace() {
  std::array<char, 64> link{};
  ssize_t length = ::readlink("/proc/self/ns/pid", link.data(), link.size());
  std::string out(link.data(), length > 0 ? static_cast<size_t>(length) : 0);
  std::erase_if(out, [](char c) { return c < '0' || c > '9'; });
  return out;
}

std::string newMark() {
  static std::atomic<uint64_t> next = 0;
  return kMark + pidSpace() + "-" + std::to_string(::getpid()) + "-" +
         std::to_string(Clock::now().time_since_epoch().count()) + "-" + std::to_string(next++);
}

/// Reads what is there; false at the end.
bool readSome(int fd, Stream stream, StreamText &text, const ActionWatcher &watcher) {
  std::array<char, 65536> chunk{};
  ssize_t got = ::read(fd, chunk.data(), chunk.size());
  if (got < 0) {
    return errno == EINTR || errno == EAGAIN;
  }
  if (got == 0) {
    return false;
  }
  std::string_view bytes(chunk.data(), static_cast<size_t>(got));
  if (watcher.log) {
    watcher.log(stream, text.total(), bytes);
  }
  text.add(bytes);
  return true;
}

constexpr int kBlindMs = 20;

/// The parent's side, from start to end.
class Watch {
public:
  Watch(pid_t pid, std::string mark, const ActionLimits &limits, const ActionWatcher &watcher, ChildEnd &end)
      : pid_(pid), mark_(std::move(mark)), limits_(limits), watcher_(watcher), end_(end), began_(Clock::now()),
        heard_(began_) {}

  void run(int out, int err, const WakeFd &wake, const std::stop_token &stop) {
    Fd process(openPidFd(pid_));
    std::array<pollfd, 4> fds{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}, pollfd{process.get(), POLLIN, 0},
                              pollfd{wake.fd(), POLLIN, 0}};
    std::optional<Clock::time_point> drainUntil;
    while (fds[0].fd >= 0 || fds[1].fd >= 0 || !reaped_) {
      auto now = Clock::now();
      if (!ending_ && stop.stop_requested()) {
        end_.cancelled = true;
        if (!reaped_) { // afterwards its number may be another's
          askToEnd(now);
        }
        ending_ = true;
      }
      keepClocks(now);
      if (reaped_ && !drainUntil) {
        drainUntil = now + kDrain;
      }
      if (drainUntil && now >= *drainUntil) {
        break;
      }
      fds[3].fd = ending_ ? -1 : wake.fd();
      // Without a descriptor of the process its end is asked for now and then.
      const bool blind = process.get() < 0 && !reaped_;
      int timeout = untilNext(now, drainUntil);
      timeout = blind && (timeout < 0 || timeout > kBlindMs) ? kBlindMs : timeout;
      int ready = ::poll(fds.data(), fds.size(), timeout);
      siginfo_t info{};
      if (blind &&
          (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid_)) {
        reap();
      }
      if (ready <= 0) {
        continue;
      }
      for (size_t i = 0; i < 2; ++i) {
        if (fds[i].fd >= 0 && fds[i].revents != 0) {
          heard_ = Clock::now();
          if (!readSome(fds[i].fd, i == 0 ? Stream::Out : Stream::Err, i == 0 ? end_.out : end_.err, watcher_)) {
            fds[i].fd = -1;
          }
        }
      }
      if (fds[2].fd >= 0 && fds[2].revents != 0) {
        reap();
        fds[2].fd = -1;
      }
    }
    // Whatever it has started ends with it; reap() has ended the group, here goes who has left it. Such a one may hold
    // none of the pipes, so it is always looked for.
    killMarked(mark_, pid_, Clock::now() - began_);
    end_.runMs = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_).count();
  }

private:
  void reap() {
    // As long as the leader is not waited for, the number is its own: the group that is ended is ours.
    ::kill(-pid_, SIGKILL);
    int status = 0;
    rusage usage{};
    pid_t seen = -1;
    while ((seen = ::wait4(pid_, &status, 0, &usage)) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    end_.lost = seen != pid_;
    end_.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    end_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end_.peakBytes = static_cast<uint64_t>(usage.ru_maxrss) << 10;
  }

  void askToEnd(Clock::time_point now) {
    ending_ = true;
    killAt_ = now + limits_.grace;
    ::kill(-pid_, SIGTERM);
  }

  void keepClocks(Clock::time_point now) {
    if (reaped_) {
      return;
    }
    if (ending_) {
      if (killAt_ && now >= *killAt_) {
        ::kill(-pid_, SIGKILL);
        ::kill(pid_, SIGKILL);
        killAt_.reset();
      }
      return;
    }
    if (limits_.run.count() != 0 && now - began_ >= limits_.run) {
      end_.stopped = ToolStopped::Clock::Run;
    } else if (limits_.silence.count() != 0 && now - heard_ >= limits_.silence) {
      end_.stopped = ToolStopped::Clock::Silence;
    } else if (limits_.logBytes != 0 && std::max(end_.out.total(), end_.err.total()) > limits_.logBytes) {
      end_.stopped = ToolStopped::Clock::Log;
    }
    if (end_.stopped) {
      askToEnd(now);
    }
  }

  /// Milliseconds until the next clock strikes, or -1.
  int untilNext(Clock::time_point now, std::optional<Clock::time_point> drainUntil) const {
    std::optional<Clock::time_point> next = drainUntil;
    auto consider = [&](Clock::time_point at) { next = next ? std::min(*next, at) : at; };
    if (!reaped_ && ending_ && killAt_) {
      consider(*killAt_);
    }
    if (!reaped_ && !ending_ && limits_.run.count() != 0) {
      consider(began_ + limits_.run);
    }
    if (!reaped_ && !ending_ && limits_.silence.count() != 0) {
      consider(heard_ + limits_.silence);
    }
    if (!next) {
      return -1;
    }
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*next - now).count() + 1;
    return static_cast<int>(std::clamp<int64_t>(left, 0, 60000));
  }

  pid_t pid_;
  std::string mark_;
  const ActionLimits &limits_;
  const ActionWatcher &watcher_;
  ChildEnd &end_;
  Clock::time_point began_, heard_;
  std::optional<Clock::time_point> killAt_;
  bool ending_ = false, reaped_ = false;
};

} // namespace

void killOrphans() {
  killWhere(kMark + pidSpace() + "-", [](std::string_view rest) {
    std::string owner(rest.substr(0, rest.find('-')));
    bool number = !owner.empty() && owner.size() < 10 &&
                  std::all_of(owner.begin(), owner.end(), [](char c) { return c >= '0' && c <= '9'; });
    return number && ::kill(static_cast<pid_t>(std::stol(owner)), 0) != 0 && errno == ESRCH;
  });
}

ChildEnd runChild(const ChildSpec &spec, const ActionLimits &limits, const ActionWatcher &watcher,
                  const std::stop_token &stop) {
  ChildEnd end;
  std::array<int, 2> out{-1, -1};
  std::array<int, 2> err{-1, -1};
  if (::pipe2(out.data(), O_CLOEXEC) != 0) {
    end.startError = errno;
    return end;
  }
  Fd outRead(out[0]);
  Fd outWrite(out[1]);
  if (::pipe2(err.data(), O_CLOEXEC) != 0) {
    end.startError = errno;
    return end;
  }
  Fd errRead(err[0]);
  Fd errWrite(err[1]);
  Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));

  std::string mark = newMark();
  std::vector<std::string> argv = spec.argv;
  std::vector<std::string> env = spec.env;
  env.push_back(mark);
  Prepared prepared;
  for (std::string &word : argv) {
    prepared.argv.push_back(word.data());
  }
  prepared.argv.push_back(nullptr);
  for (std::string &variable : env) {
    prepared.env.push_back(variable.data());
  }
  prepared.env.push_back(nullptr);
  prepared.program = spec.program.c_str();
  prepared.folder = spec.folder.c_str();
  prepared.in = null.get();
  prepared.out = outWrite.get();
  prepared.err = errWrite.get();
  prepared.group = spec.group;
  prepared.limitMemory = limits.memoryBytes != 0 && spec.group < 0;
  prepared.memory = {limits.memoryBytes, limits.memoryBytes};
  prepared.limitFile = limits.fileBytes != 0;
  prepared.file = {limits.fileBytes, limits.fileBytes};
  prepared.parent = ::getpid();

  WakeFd wake;
  int error = 0;
  pid_t pid = start(prepared, error);
  if (pid < 0 || error != 0) {
    if (pid > 0) {
      ::waitpid(pid, nullptr, 0);
    }
    end.startError = error;
    return end;
  }
  outWrite.reset();
  errWrite.reset();
  for (int fd : {outRead.get(), errRead.get()}) {
    ::fcntl(fd, F_SETFL, O_NONBLOCK);
  }
  std::stop_callback onStop(stop, [&wake] { wake.signal(); });
  Watch(pid, mark, limits, watcher, end).run(outRead.get(), errRead.get(), wake, stop);
  return end;
}

} // namespace placid::server
