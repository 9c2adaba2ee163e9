// SPDX-License-Identifier: Apache-2.0
#include "server/build/toolchains/identity.h"

#include "server/build/toolchains/elf_needs.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

/// A folder with more is no installation of one tool: somebody put a script into /usr/bin.
constexpr size_t kMaxFiles = 50000;

} // namespace

Identity folderIdentity(const std::string &folder, Store &store) {
  std::vector<std::string> files;
  std::error_code error;
  fs::path root = fs::canonical(folder, error);
  if (error) {
    return {{}, "cannot read " + folder + ": " + error.message()};
  }
  fs::recursive_directory_iterator entries(root, error);
  for (fs::recursive_directory_iterator end; !error && entries != end; entries.increment(error)) {
    std::error_code ignored;
    if (entries->is_regular_file(ignored)) {
      files.push_back(entries->path().string());
    }
    if (files.size() > kMaxFiles) {
      return {{}, folder + " has more than " + std::to_string(kMaxFiles) + " files: it is no installation of one tool"};
    }
  }
  if (error) {
    return {{}, "cannot read " + folder + ": " + error.message()};
  }
  std::sort(files.begin(), files.end());
  Hasher hasher;
  for (const std::string &file : files) {
    std::optional<Digest> digest = store.fileDigest(file);
    if (!digest) {
      return {{}, "cannot read " + file};
    }
    hasher.addField(file.substr(root.string().size()));
    hasher.addField(digest->hex);
  }
  return {hasher.finish(), {}};
}

Identity combined(const Identity &first, const Identity &second) {
  if (!first.error.empty() || !second.error.empty()) {
    return first.error.empty() ? second : first;
  }
  Hasher hasher;
  hasher.addField(first.digest.hex);
  hasher.addField(second.digest.hex);
  return {hasher.finish(), {}};
}

Identity programIdentity(const std::string &path, Store &store) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error) {
    return {{}, "cannot read " + path + ": " + error.message()};
  }
  std::vector<std::string> files = loadedFiles(real.string());
  if (!files.empty()) {
    Hasher hasher;
    for (const std::string &file : files) {
      std::optional<Digest> digest = store.fileDigest(file);
      if (!digest) {
        return {{}, "cannot read " + file};
      }
      hasher.addField(fs::path(file).filename().string());
      hasher.addField(digest->hex);
    }
    return {hasher.finish(), {}};
  }
  std::string interpreter = interpreterOf(real.string());
  if (interpreter.empty()) {
    return {{}, path + " is neither a program of this machine nor a script"};
  }
  fs::path folder = real.parent_path();
  folder = folder.filename() == "bin" ? folder.parent_path() : folder;
  Identity installation = folderIdentity(folder.string(), store);
  // The script may call anything else by name; what is below its folder and what starts it is what can be told.
  std::string started = fs::canonical(interpreter, error).string();
  std::vector<std::string> loaded = error ? std::vector<std::string>() : loadedFiles(started);
  Hasher hasher;
  for (const std::string &file : loaded) {
    std::optional<Digest> digest = store.fileDigest(file);
    hasher.addField(digest ? digest->hex : std::string());
  }
  return combined(installation, {hasher.finish(), {}});
}

} // namespace placid::server
