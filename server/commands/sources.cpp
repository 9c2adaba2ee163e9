// SPDX-License-Identifier: Apache-2.0
#include "server/commands/sources.h"

#include "compiler/source/byte_order_mark.h"
#include "server/store/disk_sources.h"
#include "server/store/limited_service.h"
#include "server/support/read_file.h"
#include "server/support/write_all.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <set>
#include <thread>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr int kTries = 40;
constexpr std::chrono::milliseconds kPause{50};

bool isOutOfDescriptors(int error) { return error == EMFILE || error == ENFILE; }

/// Others of this process may have all descriptors for now: `open`, which gives an error, is called until it has one.
template <class F> void whenDescriptors(F open) {
  int error = open();
  for (int tries = 0; isOutOfDescriptors(error) && tries < kTries; ++tries) {
    std::this_thread::sleep_for(kPause);
    error = open();
  }
}

FileContent readSourceFile(const std::string &path) {
  FileContent out;
  whenDescriptors([&] {
    out = readFile(path, kMaxSourceBytes);
    return out.error;
  });
  return out;
}

/// Every `*.py` below `folder`, spelled with `folder` as its beginning. Unreadable folders are reported and passed
/// over.
void walk(const std::string &folder, std::set<std::string> &out, std::vector<std::string> &errors) {
  std::error_code error;
  std::vector<std::string> folders{folder};
  while (!folders.empty()) {
    std::string here = std::move(folders.back());
    folders.pop_back();
    fs::directory_iterator entries(here, error);
    if (error) {
      errors.push_back("cannot read " + here + ": " + error.message());
      error.clear();
      continue;
    }
    std::string prefix = here.back() == '/' ? here : here + "/";
    for (fs::directory_iterator end; entries != end; entries.increment(error)) {
      std::string name = entries->path().filename().string();
      if (entries->is_directory(error) && !entries->is_symlink(error)) {
        folders.push_back(prefix + name);
      } else if (name.size() > 3 && name.ends_with(".py") && entries->is_regular_file(error)) {
        out.insert(prefix + name);
      }
      error.clear();
    }
    error.clear();
  }
}

} // namespace

Sources readSources(const std::vector<std::string> &paths, bool (*importsPl)(std::string_view)) {
  Sources out;
  std::set<std::string> given;
  std::set<std::string> found;
  for (const std::string &path : paths) {
    std::error_code error;
    if (!path.empty() && fs::is_directory(path, error)) {
      walk(path, found, out.errors);
    } else {
      given.insert(path);
    }
  }
  std::set<std::string> all = given;
  all.insert(found.begin(), found.end());
  for (const std::string &path : all) {
    FileContent file = readSourceFile(path);
    bool named = given.contains(path);
    if (file.error != 0) {
      const char *why = file.error == EINVAL ? "not a regular file" : std::strerror(file.error);
      out.errors.push_back("cannot read " + path + ": " + why);
    } else if (file.tooLarge) {
      if (named) {
        out.tooLarge[path] = file.size;
      }
    } else if (named || importsPl(file.text)) {
      out.texts.push_back(std::make_shared<source::SourceText>(path, std::move(file.text)));
    }
  }
  std::sort(out.errors.begin(), out.errors.end());
  return out;
}

std::vector<std::string> pythonFiles(const std::vector<std::string> &paths) {
  std::set<std::string> out;
  std::vector<std::string> ignored;
  for (const std::string &path : paths) {
    std::error_code error;
    if (!path.empty() && fs::is_directory(path, error)) {
      walk(path, out, ignored);
    } else {
      out.insert(path);
    }
  }
  return {out.begin(), out.end()};
}

void allowImports(const std::vector<std::string> &paths, compiler::Options &options) {
  std::error_code error;
  options.folder = fs::current_path(error).string();
  // With the folder in words: the threads that read need not stand in it.
  options.sources = std::make_shared<DiskSources>(options.folder);
  for (std::string path : paths) {
    if (!path.empty() && fs::is_directory(path, error)) {
      while (path.size() > 1 && path.back() == '/') {
        path.pop_back();
      }
      options.roots.push_back(std::move(path));
    }
  }
}

source::SourcePtr readSource(const std::string &path) {
  FileContent file = readSourceFile(path);
  if (file.error != 0 || file.tooLarge) {
    return nullptr;
  }
  if (file.text.starts_with(source::kByteOrderMark)) {
    file.text.erase(0, source::kByteOrderMark.size()); // editors show, and count, the text without it
  }
  return std::make_shared<source::SourceText>(path, std::move(file.text));
}

std::string writeAtomically(const std::string &path, const std::string &content) {
  return writeAtomically(path, [&](int fd) -> std::string {
    int error = writeAll(fd, content);
    return error == 0 ? std::string() : std::strerror(error);
  });
}

std::string writeAtomically(const std::string &path, const std::function<std::string(int fd)> &fill) {
  std::string temporary;
  int fd = -1;
  whenDescriptors([&] { // else what was computed would be thrown away
    temporary = path + ".XXXXXX";
    fd = ::mkostemp(temporary.data(), O_CLOEXEC);
    return fd < 0 ? errno : 0;
  });
  if (fd < 0) {
    return "cannot write " + path + ": " + std::strerror(errno);
  }
  std::string error = fill(fd);
  // mkstemp makes 0600; what is built is as readable as any file.
  mode_t mask = ::umask(0);
  ::umask(mask);
  if (error.empty() && (::fchmod(fd, 0666 & ~mask) != 0)) {
    error = std::strerror(errno);
  }
  if (::close(fd) != 0 && error.empty()) {
    error = std::strerror(errno);
  }
  if (error.empty() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    error = std::strerror(errno);
  }
  if (error.empty()) {
    return {};
  }
  ::unlink(temporary.c_str());
  return "cannot write " + path + ": " + error;
}

} // namespace placid::server
