// SPDX-License-Identifier: Apache-2.0
// The folder of a build: what goes into it, one file after the other, and what its events say of each. Apart from
// `build` because its files come from three places. Knows no kernel but by name. One thread at a time.
#pragma once

#include "server/build/events.h"
#include "server/build/store/store.h"
#include "server/commands/build_remote.h"

#include <set>
#include <stop_token>
#include <string>

namespace placid::server {

/// Two builds into one folder come after each other: a manifest is of one build, and so are the files that it names.
class FolderLock {
public:
  /// Waits until it has the folder, or until `stop`.
  FolderLock(const std::string &folder, const std::stop_token &stop);
  ~FolderLock();
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int fd_;
};

/// Each of its functions says what went wrong, or nothing.
class BuildFiles {
public:
  BuildFiles(std::string folder, BuildEvents &events) : folder_(std::move(folder)), events_(events) {}

  std::string write(const std::string &kernel, const std::string &name, const std::string &bytes);
  /// What is in the store, in pieces. `lost`: it is there no more.
  std::string writeKept(Store &store, const std::string &kernel, const std::string &name, const Digest &digest,
                        bool &lost);
  /// What came from elsewhere.
  std::string writeFetched(const RemoteFile &file);

private:
  void say(const std::string &kernel, const std::string &name, const Digest &digest, uint64_t size);

  std::string folder_;
  BuildEvents &events_;
  std::set<std::pair<std::string, std::string>> told_; ///< Names and digests: a file that is written again is no other.
};

} // namespace placid::server
