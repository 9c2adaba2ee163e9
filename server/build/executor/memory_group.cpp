// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/memory_group.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr const char *kName = "placid-";
/// A group cannot be removed before the last of its processes has ended altogether.
constexpr int kRemovals = 200;
constexpr std::chrono::milliseconds kRemovalPause{5};

std::string textOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool writeText(const std::string &path, std::string_view text) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  bool good = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (fd >= 0) {
    ::close(fd);
  }
  return good;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(at, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

bool hasWord(std::string_view list, std::string_view word, char at) {
  for (std::string_view one : split(list, at)) {
    if (one == word) {
      return true;
    }
  }
  return false;
}

/// Where a group's folder is, given its path in the hierarchy; empty when that is not mounted.
std::string folderOf(std::string_view path, std::string_view mounts, bool unified) {
  for (std::string_view line : split(mounts, '\n')) {
    // "id parent device ROOT POINT options … - TYPE source OPTIONS"
    size_t dash = line.find(" - ");
    std::vector<std::string_view> before = split(line.substr(0, std::min(dash, line.size())), ' ');
    if (dash == std::string_view::npos || before.size() < 5) {
      continue;
    }
    std::vector<std::string_view> after = split(line.substr(dash + 3), ' ');
    bool wanted = unified ? after.front() == "cgroup2"
                          : after.front() == "cgroup" && after.size() > 2 && hasWord(after[2], "memory", ',');
    std::string_view root = before[3] == "/" ? std::string_view() : before[3];
    if (wanted && path.starts_with(root)) {
      return std::string(before[4]) + std::string(path.substr(root.size()));
    }
  }
  return {};
}

/// Whoever manages the machine's groups has handed this one to us.
bool isDelegated(const std::string &folder) {
  for (const char *name : {"user.delegate", "trusted.delegate"}) {
    char value = 0;
    if (::getxattr(folder.c_str(), name, &value, 1) == 1 && value == '1') {
      return true;
    }
  }
  return false;
}

/// The number in "placid-NUMBER-…", or 0.
pid_t ownerOf(std::string_view name) {
  int owner = 0;
  if (name.starts_with(kName)) {
    name.remove_prefix(std::string_view(kName).size());
    std::from_chars(name.data(), name.data() + name.size(), owner);
  }
  return owner;
}

} // namespace

MemoryGroups MemoryGroups::of(std::string_view own, std::string_view mounts) {
  MemoryGroups out;
  std::string_view single;
  for (std::string_view line : split(own, '\n')) {
    std::vector<std::string_view> parts = split(line, ':');
    if (parts.size() != 3) {
      continue;
    }
    if (hasWord(parts[1], "memory", ',')) {
      out.folder = folderOf(parts[2], mounts, false);
    } else if (parts[0] == "0" && parts[1].empty()) {
      single = parts[2];
    }
  }
  if (out.folder.empty() && !single.empty() && single != "/") {
    out.folder = fs::path(folderOf(single, mounts, true)).parent_path().string();
    out.unified = true;
  }
  return out;
}

const MemoryGroups &MemoryGroups::here() {
  static const MemoryGroups place = [] {
    MemoryGroups found = of(textOf("/proc/self/cgroup"), textOf("/proc/self/mountinfo"));
    if (found.unified && !found.folder.empty()) {
      std::string enabled = found.folder + "/cgroup.subtree_control";
      bool usable =
          isDelegated(found.folder) && (hasWord(textOf(enabled), "memory", ' ') || writeText(enabled, "+memory"));
      found.folder = usable ? found.folder : std::string();
    }
    return found;
  }();
  return place;
}

std::unique_ptr<MemoryGroup> MemoryGroup::make(uint64_t bytes, const MemoryGroups &place) {
  static std::atomic<uint64_t> next = 0;
  if (place.folder.empty()) {
    return nullptr;
  }
  std::string folder = place.folder + "/" + kName + std::to_string(::getpid()) + "-" + std::to_string(next++);
  if (::mkdir(folder.c_str(), 0755) != 0) {
    return nullptr;
  }
  std::unique_ptr<MemoryGroup> group(new MemoryGroup(folder, place.unified));
  std::string limit = std::to_string(bytes);
  bool limited = writeText(folder + (place.unified ? "/memory.max" : "/memory.limit_in_bytes"), limit);
  // Without room to swap to, or where nothing is counted, there is no such file.
  writeText(folder + (place.unified ? "/memory.swap.max" : "/memory.memsw.limit_in_bytes"),
            place.unified ? "0" : limit);
  group->door_ = ::open((folder + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  return limited && group->door_ >= 0 ? std::move(group) : nullptr;
}

MemoryGroup::~MemoryGroup() {
  if (door_ >= 0) {
    ::close(door_);
  }
  for (int i = 0; i < kRemovals && ::rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++i) {
    std::ifstream members(folder_ + "/cgroup.procs");
    for (pid_t member = 0; members >> member;) {
      ::kill(member, SIGKILL);
    }
    std::this_thread::sleep_for(kRemovalPause);
  }
}

bool MemoryGroup::ranOut() const {
  std::string text = textOf(folder_ + (unified_ ? "/memory.events" : "/memory.oom_control"));
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with("oom_kill ")) {
      return line != "oom_kill 0";
    }
  }
  return false;
}

void sweepMemoryGroups(const MemoryGroups &place) {
  std::error_code error;
  if (place.folder.empty()) {
    return;
  }
  fs::directory_iterator entries(place.folder, error);
  for (fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
    pid_t owner = ownerOf(entries->path().filename().string());
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) {
      ::rmdir(entries->path().c_str());
    }
  }
}

} // namespace placid::server
