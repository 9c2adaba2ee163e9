// SPDX-License-Identifier: Apache-2.0
#include "server/store/module_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxLevelsUp = 8;
/// Of whatever kind, looked at in search of Python files: a workspace can be a whole disk.
constexpr size_t kMaxEntries = 200000;

std::optional<std::string> moduleBelow(const fs::path &folder, std::string_view module,
                                       source::SourceProvider &sources) {
  fs::path at = folder;
  while (!module.empty()) {
    size_t dot = module.find('.');
    at /= std::string(module.substr(0, dot));
    module = dot == std::string_view::npos ? std::string_view() : module.substr(dot + 1);
  }
  for (const fs::path &candidate : {fs::path(at.string() + ".py"), at / "__init__.py"}) {
    std::string path = candidate.lexically_normal().string();
    if (sources.exists(path)) {
      return path;
    }
  }
  return std::nullopt;
}

/// Links to files, in order, but not to one that is listed already: an edit of a file is made once.
void addLinks(const std::vector<std::string> &links, std::vector<std::string> &out) {
  if (links.empty()) {
    return;
  }
  std::set<std::pair<uint64_t, uint64_t>> files;
  auto isNew = [&](const std::string &path) {
    struct stat info{};
    return ::stat(path.c_str(), &info) == 0 && files.emplace(info.st_dev, info.st_ino).second;
  };
  for (const std::string &path : out) {
    isNew(path);
  }
  std::copy_if(links.begin(), links.end(), std::back_inserter(out), isNew);
  std::sort(out.begin(), out.end());
}

bool skipped(const std::string &folder) {
  return folder.starts_with('.') || folder == "node_modules" || folder == "__pycache__" || folder == "venv";
}

} // namespace

std::optional<std::string> findModule(std::string_view module, const std::string &importer,
                                      const std::vector<std::string> &roots, source::SourceProvider &sources) {
  fs::path folder = fs::path(importer).parent_path();
  size_t dots = std::min(module.find_first_not_of('.'), module.size());
  if (dots > 0) {
    for (size_t i = 1; i < dots; ++i) {
      folder = folder.parent_path();
    }
    return moduleBelow(folder, module.substr(dots), sources);
  }
  if (module.empty()) {
    return std::nullopt;
  }
  if (std::optional<std::string> found = moduleBelow(folder, module, sources)) {
    return found;
  }
  for (const std::string &root : roots) {
    if (std::optional<std::string> found = moduleBelow(root, module, sources)) {
      return found;
    }
  }
  for (int level = 0; level < kMaxLevelsUp && folder.has_relative_path(); ++level) {
    folder = folder.parent_path();
    if (std::optional<std::string> found = moduleBelow(folder, module, sources)) {
      return found;
    }
  }
  return std::nullopt;
}

std::vector<std::string> pythonFiles(const std::vector<std::string> &roots, size_t limit, bool *whole) {
  std::vector<std::string> out;
  std::vector<std::string> links;
  size_t seen = 0;
  bool cut = false;
  for (const std::string &root : roots) {
    std::error_code error;
    fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      if (++seen > kMaxEntries || out.size() + links.size() >= limit) {
        cut = true;
        break;
      }
      std::error_code ignored;
      if (at->is_directory(ignored)) {
        if (skipped(at->path().filename().string())) {
          at.disable_recursion_pending();
        }
      } else if (at->path().extension() == ".py" && at->is_regular_file(ignored)) {
        (at->is_symlink(ignored) ? links : out).push_back(at->path().lexically_normal().string());
      }
    }
  }
  for (std::vector<std::string> *list : {&out, &links}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  addLinks(links, out);
  if (cut && whole) {
    *whole = false;
  }
  return out;
}

std::string importFolder(const std::string &path) {
  fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  while (folder.has_relative_path() && fs::exists(folder / "__init__.py", error)) {
    folder = folder.parent_path();
  }
  return folder.string();
}

bool fileHolds(const std::string &path, const std::vector<std::string> &words) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return false;
  }
  struct stat info{};
  bool regular = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  std::vector<bool> found(words.size());
  size_t longest = 1;
  for (const std::string &word : words) {
    longest = std::max(longest, word.size());
  }
  constexpr size_t kChunk = size_t{256} << 10;
  std::string seen;
  while (regular) {
    size_t kept = std::min(seen.size(), longest - 1); // a word may lie across two chunks
    seen.erase(0, seen.size() - kept);
    seen.resize(kept + kChunk);
    ssize_t got = ::read(fd, seen.data() + kept, kChunk);
    if (got <= 0 && !(got < 0 && errno == EINTR)) {
      break;
    }
    seen.resize(kept + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    for (size_t i = 0; i < words.size(); ++i) {
      found[i] = found[i] || seen.find(words[i]) != std::string::npos;
    }
  }
  ::close(fd);
  return regular && std::find(found.begin(), found.end(), false) == found.end();
}

} // namespace placid::server
