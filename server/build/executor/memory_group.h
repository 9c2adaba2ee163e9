// SPDX-License-Identifier: Apache-2.0
// A control group with a limit of memory for one tool and whatever it starts. Apart from child.h because most machines
// give a user none: then there is no group, and whoever asked takes a limit of each process instead. Knows no action.
// Linux. Any thread; a group is one thread's at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace placid::server {

/// Where groups with a limit of memory may be made.
struct MemoryGroups {
  std::string folder; ///< Empty: nowhere.
  bool unified = false;
  /// `own` and `mounts` are what /proc/self/cgroup and /proc/self/mountinfo say. In the first version of control groups
  /// below our own group; in the second beside it, since a group with processes has no groups with limits below it.
  static MemoryGroups of(std::string_view own, std::string_view mounts);
  /// Of this process, found once.
  static const MemoryGroups &here();
};

class MemoryGroup {
public:
  /// Nothing: this machine gives us none.
  static std::unique_ptr<MemoryGroup> make(uint64_t bytes, const MemoryGroups &place = MemoryGroups::here());
  /// Ends whoever is left in it.
  ~MemoryGroup();
  MemoryGroup(const MemoryGroup &) = delete;
  MemoryGroup &operator=(const MemoryGroup &) = delete;

  /// Open for writing: a process that writes "0" to it is in the group.
  int door() const { return door_; }
  /// Somebody in it was ended because there was no memory left.
  bool ranOut() const;
  const std::string &folder() const { return folder_; }

private:
  MemoryGroup(std::string folder, bool unified) : folder_(std::move(folder)), unified_(unified) {}

  std::string folder_;
  bool unified_;
  int door_ = -1;
};

/// Removes groups of processes that are gone.
void sweepMemoryGroups(const MemoryGroups &place = MemoryGroups::here());

} // namespace placid::server
