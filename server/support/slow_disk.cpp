// SPDX-License-Identifier: Apache-2.0
#include "server/support/slow_disk.h"

#include "server/support/log.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <thread>

namespace placid::server {

namespace {

constexpr std::chrono::seconds kMountsAge{5};
thread_local std::chrono::milliseconds tPatience{5000};

bool isRemote(std::string_view type) {
  static constexpr std::string_view kTypes[] = {"nfs",    "nfs4",      "cifs", "smb3",   "smbfs",
                                                "9p",     "afs",       "ceph", "coda",   "ncpfs",
                                                "lustre", "glusterfs", "gpfs", "beegfs", "autofs"};
  return type.starts_with("fuse") || std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

/// Blanks and backslashes are written as `\040`.
std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size()) {
      out += static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + (text[at + 3] - '0'));
      at += 3;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::vector<std::string> mountsNow() {
  std::ifstream file("/proc/self/mountinfo");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return remoteMounts(text);
}

bool isBelow(std::string_view path, std::string_view mount) {
  return path.starts_with(mount) && (path.size() == mount.size() || path[mount.size()] == '/' || mount == "/");
}

} // namespace

std::vector<std::string> remoteMounts(std::string_view mountInfo) {
  std::vector<std::string> out;
  std::istringstream lines{std::string(mountInfo)};
  for (std::string line; std::getline(lines, line);) {
    // `36 35 98:0 /root /place options optional… - type source options`
    std::istringstream words(line);
    std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
    auto dash = std::find(all.begin(), all.end(), "-");
    if (all.size() > 5 && dash != all.end() && std::next(dash) != all.end() && isRemote(*std::next(dash))) {
      out.push_back(unescaped(all[4]));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

SlowDisk &SlowDisk::shared() {
  static auto *disk = new SlowDisk(mountsNow); // threads that hang outlive everything
  return *disk;
}

std::chrono::milliseconds SlowDisk::patience() { return tPatience; }
void SlowDisk::setPatience(std::chrono::milliseconds patience) { tPatience = patience; }

std::optional<std::string> SlowDisk::remoteMount(const std::string &path) {
  const auto now = std::chrono::steady_clock::now();
  MutexLock lock(mutex_);
  if (!askedAt_ || now - *askedAt_ >= kMountsAge) {
    askedAt_ = now;
    known_ = mounts_();
  }
  std::optional<std::string> out;
  for (const std::string &mount : known_) { // sorted: what is mounted below another comes later
    out = isBelow(path, mount) ? std::optional(mount) : std::move(out);
  }
  return out;
}

bool SlowDisk::within(const std::string &mount, std::function<void()> work) {
  struct State {
    bool done = false;
    bool left = false; ///< Nobody waits any more.
  };
  auto state = std::make_shared<State>(); // guarded by the mutex of `hanging`
  const std::shared_ptr<Hanging> hanging = hanging_;
  {
    MutexLock lock(hanging->mutex);
    for (auto other = hanging->mounts.find(mount); other != hanging->mounts.end();
         other = hanging->mounts.find(mount)) {
      if (!hanging->changed.waitUntil(hanging->mutex, other->second + patience()) && hanging->mounts.contains(mount)) {
        return false;
      }
    }
  }
  const auto begun = std::chrono::steady_clock::now();
  try {
    std::thread([hanging, state, mount, work = std::move(work)] {
      work();
      MutexLock lock(hanging->mutex);
      state->done = true;
      if (state->left) {
        hanging->mounts.erase(mount);
      }
      hanging->changed.notifyAll();
    }).detach();
  } catch (const std::system_error &) {
    return false; // no thread to be had
  }
  MutexLock lock(hanging->mutex);
  while (!state->done && hanging->changed.waitUntil(hanging->mutex, begun + patience())) {
  }
  if (!state->done) {
    state->left = true;
    hanging->mounts.try_emplace(mount, begun);
    log(LogLevel::Warning, "disk", mount + " does not answer: what lies there counts as missing until it does");
  }
  return state->done;
}

} // namespace placid::server
