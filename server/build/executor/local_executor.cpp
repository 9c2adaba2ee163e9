// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/local_executor.h"

#include "compiler/toolchain/toolchain.h"
#include "server/build/executor/child.h"
#include "server/build/executor/memory_group.h"
#include "server/build/executor/tool_answer.h"
#include "server/build/store/store_limits.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kYoungSeconds = 60;

InfraFailure systemFailure(int error, const std::string &what) {
  bool space = error == ENOSPC || error == EDQUOT;
  bool passing = error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE || space;
  return {space ? InfraFailure::Code::Space : InfraFailure::Code::System, what + ": " + std::strerror(error), passing};
}

/// Removed with everything in it.
class Scratch {
public:
  explicit Scratch(const std::string &parent) {
    std::error_code error;
    fs::create_directories(parent, error);
    path_ = parent + "/action-XXXXXX";
    if (!::mkdtemp(path_.data())) {
      error_ = errno;
      path_.clear();
      return;
    }
    lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::flock(lock_, LOCK_EX | LOCK_NB);
  }
  ~Scratch() {
    std::error_code error;
    if (!path_.empty()) {
      fs::remove_all(path_, error);
    }
    if (lock_ >= 0) {
      ::close(lock_);
    }
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  const std::string &path() const { return path_; }
  int error() const { return error_; }

private:
  std::string path_;
  int error_ = 0;
  int lock_ = -1; ///< Held as long as somebody works in the folder.
};

/// A blob that is gone is none of the machine's faults: it is not tried again.
InfraFailure inputFailure(const std::string &path, const StoreFault &fault) {
  InfraFailure::Code code = fault.kind == StoreFault::Kind::Missing ? InfraFailure::Code::MissingInput
                            : fault.kind == StoreFault::Kind::Full  ? InfraFailure::Code::Space
                                                                    : InfraFailure::Code::System;
  return {code, path + ": " + fault.detail, fault.kind != StoreFault::Kind::Missing};
}

/// What a tool left under a name it was to write.
struct Output {
  int fd = -1;   ///< Below 0: there is no such plain file.
  int error = 0; ///< The machine refused: nobody knows whether there is one.
};

/// A plain file below `folder`, never what a link leads to.
Output openOutput(const std::string &folder, const std::string &name) {
  // Each part of the way is opened without following links: a tool must not have our files read for it.
  Output out;
  int at = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (size_t begin = 0; at >= 0 && begin <= name.size();) {
    size_t end = std::min(name.find('/', begin), name.size());
    bool last = end == name.size();
    int next = ::openat(at, name.substr(begin, end - begin).c_str(),
                        O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (last ? 0 : O_DIRECTORY));
    int wrong = errno;
    ::close(at);
    errno = wrong;
    at = next;
    begin = end + 1;
  }
  if (at < 0) {
    bool absent = errno == ENOENT || errno == ELOOP || errno == ENOTDIR || errno == ENXIO;
    out.error = absent ? 0 : errno;
    return out;
  }
  struct stat info{};
  if (::fstat(at, &info) != 0) {
    out.error = errno;
  } else if (S_ISREG(info.st_mode)) {
    out.fd = at;
    return out;
  }
  ::close(at);
  return out;
}

InfraFailure noSafePath(const std::string &path) {
  return {InfraFailure::Code::System, "`" + path + "` is no path below the action's folder", false};
}

/// What is wrong, or nothing.
using Fault = std::optional<InfraFailure>;

Fault placeInputs(const Action &action, const std::string &folder, Store &store) {
  for (const ActionInput &input : action.inputs) {
    if (!isSafeRelativePath(input.path)) {
      return noSafePath(input.path);
    }
    std::string path = folder + "/" + input.path;
    std::error_code error;
    if (input.path.find('/') != std::string::npos) {
      fs::create_directories(fs::path(path).parent_path(), error);
    }
    int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0444);
    if (fd < 0) {
      return systemFailure(errno, "cannot write " + input.path);
    }
    StoreResult<uint64_t> copied = store.copyTo(input.digest, fd);
    int wrong = ::close(fd) != 0 ? errno : 0;
    if (!copied) {
      return inputFailure(input.path, copied.error());
    }
    if (wrong != 0) {
      return systemFailure(wrong, "cannot write " + input.path);
    }
  }
  return std::nullopt;
}

/// The folders that outputs are to be in.
Fault placeFolders(const std::vector<std::string> &outputs, const std::string &folder) {
  for (const std::string &output : outputs) {
    if (!isSafeRelativePath(output)) {
      return noSafePath(output);
    }
    std::error_code error;
    if (output.find('/') != std::string::npos) {
      fs::create_directories(fs::path(folder + "/" + output).parent_path(), error);
    }
  }
  return std::nullopt;
}

Fault commandOf(const Action &action, const std::string &folder, ChildSpec &spec) {
  auto hostPath = [&](const std::string &name) {
    auto found = action.hostPaths.find(name);
    return found == action.hostPaths.end() ? std::nullopt : std::optional(found->second);
  };
  for (const std::string &word : action.argv) {
    spec.argv.push_back(toolchain::expand(word, hostPath));
  }
  if (spec.argv.empty() || spec.argv.front().find('/') == std::string::npos) {
    std::string name = spec.argv.empty() ? std::string("nothing") : "`" + spec.argv.front() + "`";
    return InfraFailure{InfraFailure::Code::NoProgram, name + " is no program that was found on this machine", false};
  }
  spec.program = spec.argv.front();
  for (const auto &[name, value] : action.env) {
    spec.env.push_back(name + "=" + toolchain::expand(value, hostPath));
  }
  spec.env.push_back("TMPDIR=" + folder);
  spec.env.push_back("HOME=" + folder);
  spec.folder = folder;
  return std::nullopt;
}

InfraFailure noMemory(const ActionLimits &limits, const ChildEnd &end) {
  std::string most = std::to_string(limits.memoryBytes >> 20) + " MiB";
  return {InfraFailure::Code::Memory,
          limits.memoryBytes == 0
              ? "there was no memory left for it; one process had " + std::to_string(end.peakBytes >> 20) + " MiB"
              : "it needs more memory than the " + most + " that it may have",
          true};
}

/// What came of it other than an answer of the tool; nothing when there is one. `ranOut`: its group had no memory left.
std::optional<Outcome> otherThanAnAnswer(ChildEnd &end, const ChildSpec &spec, const ActionLimits &limits,
                                         bool ranOut) {
  if (end.startError != 0) {
    bool absent = end.startError == ENOENT || end.startError == EACCES || end.startError == ENOEXEC;
    InfraFailure failure = systemFailure(end.startError, "cannot start " + spec.program);
    failure.code = absent ? InfraFailure::Code::NoProgram : failure.code;
    return failure;
  }
  if (end.cancelled) {
    return Cancelled{};
  }
  if (end.stopped) {
    return ToolStopped{*end.stopped, end.out.text(), end.err.text(), end.runMs};
  }
  if (end.lost) {
    return InfraFailure{InfraFailure::Code::System, "nobody saw how it ended", true};
  }
  // One that has done its work with less, after a part of it was ended, has done its work.
  bool bad = end.signal != 0 || end.exitCode != 0;
  if (bad && (ranOut || saysNoMemory(end.err.text()))) {
    return noMemory(limits, end);
  }
  if (Fault failure = end.signal != 0 ? std::nullopt : aroundTheTool(end.exitCode, end.err.text())) {
    return *failure;
  }
  if (end.signal == SIGKILL) {
    return InfraFailure{InfraFailure::Code::Killed,
                        "it was killed (SIGKILL), as happens when the machine runs out of memory; it had used " +
                            std::to_string(end.peakBytes >> 20) + " MiB",
                        true};
  }
  return std::nullopt;
}

Fault takeOutputs(const std::vector<std::string> &outputs, const std::string &folder, Store &store, ToolRun &run) {
  for (const std::string &output : outputs) {
    Output left = openOutput(folder, output);
    if (left.error != 0) {
      return systemFailure(left.error, "cannot read " + output);
    }
    if (left.fd < 0) {
      continue;
    }
    StoreResult<Digest> kept = store.takeFile(left.fd, kMaxBlob);
    ::close(left.fd);
    if (!kept) {
      bool full = kept.error().kind == StoreFault::Kind::Full;
      return InfraFailure{full ? InfraFailure::Code::Space : InfraFailure::Code::System,
                          output + " cannot be kept: " + kept.error().detail, full};
    }
    run.outputs[output] = *kept;
  }
  return std::nullopt;
}

} // namespace

void sweepScratch(const std::string &parent, int64_t young) {
  std::error_code error;
  fs::directory_iterator entries(parent, error);
  for (fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
    std::string path = entries->path().string();
    struct stat info{};
    int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    // One that was made a moment ago may not be locked yet.
    bool stale = fd >= 0 && ::fstat(fd, &info) == 0 && std::time(nullptr) - info.st_ctim.tv_sec >= young &&
                 ::flock(fd, LOCK_EX | LOCK_NB) == 0;
    std::error_code ignored;
    if (stale) {
      fs::remove_all(path, ignored);
    }
    if (fd >= 0) {
      ::close(fd);
    }
  }
}

LocalExecutor::LocalExecutor(Store &store, HostBudget &budget, std::string scratch)
    : store_(store), budget_(budget), scratch_(std::move(scratch)) {
  killOrphans();
  sweepMemoryGroups();
  sweepScratch(scratch_, kYoungSeconds);
}

ExecutorCaps LocalExecutor::caps() const { return {"local", true, true, budget_.slots()}; }

Outcome LocalExecutor::run(const Action &action, const ActionLimits &limits, const ActionWatcher &watcher,
                           std::stop_token stop) {
  using Steady = std::chrono::steady_clock;
  auto asked = Steady::now();
  std::optional<Steady::time_point> deadline;
  if (limits.queue.count() != 0) {
    deadline = asked + limits.queue;
  }
  std::optional<HostBudget::Slot> slot = budget_.acquire(stop, deadline);
  if (!slot) {
    if (stop.stop_requested()) {
      return Cancelled{};
    }
    return InfraFailure{InfraFailure::Code::QueueTimeout,
                        "no place to run came free within " + std::to_string(limits.queue.count()) + " ms", false};
  }
  int64_t queueMs = std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - asked).count();

  Scratch scratch(scratch_);
  if (scratch.error() != 0) {
    return systemFailure(scratch.error(), "cannot make a folder in " + scratch_);
  }
  std::vector<std::string> outputs = action.outputs;
  if (!action.depFile.empty()) {
    outputs.push_back(action.depFile);
  }
  ChildSpec spec;
  Fault failure = placeInputs(action, scratch.path(), store_);
  failure = failure ? failure : placeFolders(outputs, scratch.path());
  failure = failure ? failure : commandOf(action, scratch.path(), spec);
  if (failure) {
    return *failure;
  }
  std::unique_ptr<MemoryGroup> group = limits.memoryBytes == 0 ? nullptr : MemoryGroup::make(limits.memoryBytes);
  spec.group = group ? group->door() : -1;
  if (watcher.started) {
    watcher.started();
  }
  ChildEnd end = runChild(spec, limits, watcher, stop);
  if (std::optional<Outcome> other = otherThanAnAnswer(end, spec, limits, group && group->ranOut())) {
    return std::move(*other);
  }
  ToolRun run;
  run.exitCode = end.exitCode;
  run.signal = end.signal;
  run.out = end.out.text();
  run.err = end.err.text();
  run.queueMs = queueMs;
  run.runMs = end.runMs;
  run.peakBytes = end.peakBytes;
  failure = takeOutputs(outputs, scratch.path(), store_, run);
  return failure ? Outcome(*failure) : Outcome(std::move(run));
}

} // namespace placid::server
