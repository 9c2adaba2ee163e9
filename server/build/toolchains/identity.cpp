// SPDX-License-Identifier: Apache-2.0
#include "server/build/toolchains/identity.h"

#include "server/build/toolchains/elf_needs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

/// A folder with more is no installation of one tool: somebody put a script into /usr/bin.
constexpr size_t kMaxFiles = 50000;
/// Of a response file.
constexpr size_t kMaxWords = 10000;

} // namespace

Identity folderIdentity(const std::string &folder, Store &store) {
  std::error_code error;
  fs::path root = fs::canonical(folder, error);
  if (error) {
    return {{}, "cannot read " + folder + ": " + error.message()};
  }
  std::map<std::string, std::string> files; // name below the root, place
  std::set<std::string> seen{root.string()};
  std::deque<std::pair<std::string, fs::path>> folders{{"", root}};
  while (!folders.empty()) {
    auto [prefix, here] = std::move(folders.front());
    folders.pop_front();
    std::set<std::string> names; // in an order of their own: of two links to one folder the same is followed each time
    fs::directory_iterator entries(here, error);
    for (fs::directory_iterator end; !error && entries != end; entries.increment(error)) {
      names.insert(entries->path().filename().string());
    }
    if (error) {
      return {{}, "cannot read " + here.string() + ": " + error.message()};
    }
    for (const std::string &name : names) {
      std::error_code ignored;
      fs::path path = here / name;
      if (fs::is_directory(path, ignored)) { // links too: a compiler follows them
        fs::path real = fs::canonical(path, ignored);
        if (!ignored && seen.insert(real.string()).second) {
          folders.emplace_back(prefix + "/" + name, real);
        }
      } else if (fs::is_regular_file(path, ignored)) {
        files[prefix + "/" + name] = path.string();
      }
    }
    if (files.size() > kMaxFiles) {
      return {{}, folder + " has more than " + std::to_string(kMaxFiles) + " files: it is no installation of one tool"};
    }
  }
  Hasher hasher;
  for (const auto &[name, file] : files) {
    std::optional<Digest> digest = store.fileDigest(file);
    if (!digest) {
      return {{}, "cannot read " + file};
    }
    hasher.addField(name);
    hasher.addField(digest->hex);
  }
  return {hasher.finish(), {}};
}

Identity installationIdentity(const std::string &path, Store &store) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error) {
    return {{}, "cannot read " + path + ": " + error.message()};
  }
  fs::path folder = real.parent_path();
  folder = folder.filename() == "bin" ? folder.parent_path() : folder;
  // In the system's own folders it is one of thousands: then it is what it loads and the linker beside it.
  if (folder == "/usr" || folder == "/usr/local" || folder == "/") {
    Identity own = programIdentity(path, store);
    std::string linker = real.parent_path().string() + "/ld.lld";
    return fs::exists(linker, error) ? combined(own, programIdentity(linker, store)) : own;
  }
  // With what it loads from elsewhere.
  return combined(folderIdentity(folder.string(), store), programIdentity(path, store));
}

Identity flagIdentity(const std::vector<std::string> &words, Store &store) {
  Hasher hasher;
  bool any = false;
  std::set<std::string> seen;
  std::vector<std::string> queue(words.rbegin(), words.rend());
  while (!queue.empty()) {
    std::string word = std::move(queue.back());
    queue.pop_back();
    size_t at = word.find('/');
    std::string path = at == std::string::npos ? std::string() : word.substr(at);
    std::error_code error;
    fs::file_status status = fs::status(path, error);
    if (path.empty() || !fs::exists(status) || !seen.insert(path).second) {
      continue;
    }
    any = true;
    hasher.addField(path);
    if (fs::is_directory(status)) {
      Identity inside = folderIdentity(path, store);
      if (!inside.error.empty()) {
        return {{}, "`" + word + "`: " + inside.error};
      }
      hasher.addField(inside.digest.hex);
      continue;
    }
    std::optional<Digest> digest = store.fileDigest(path);
    if (!digest) {
      return {{}, "`" + word + "`: cannot read " + path};
    }
    hasher.addField(digest->hex);
    if (word.starts_with("@")) { // a response file: more words
      std::ifstream file(path);
      std::vector<std::string> inner;
      for (std::string more; inner.size() < kMaxWords && file >> more;) {
        more.erase(std::remove_if(more.begin(), more.end(), [](char c) { return c == '"' || c == '\''; }), more.end());
        inner.push_back(more);
      }
      queue.insert(queue.end(), inner.rbegin(), inner.rend());
    }
  }
  return any ? Identity{hasher.finish(), {}} : Identity{};
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
    // Unless nobody could look: then it is the machine that has no descriptor, and not the program that is wrong.
    int fd = ::open(real.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
      return {{}, "cannot read " + path + ": " + std::strerror(errno)};
    }
    ::close(fd);
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
