// SPDX-License-Identifier: Apache-2.0
#include "clients/cli/find_server.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace placid::cli {

namespace {

bool isProgram(const std::string &path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

std::string findServer(std::string_view name) {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    std::string beside = (self.parent_path() / name).string();
    if (isProgram(beside)) {
      return beside;
    }
  }
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    size_t colon = rest.find(':');
    std::string_view folder = rest.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    // Relative entries would make the server depend on where one stands.
    if (folder.empty() || folder[0] != '/') {
      continue;
    }
    std::string candidate = std::string(folder) + "/" + std::string(name);
    if (isProgram(candidate)) {
      return candidate;
    }
  }
  return {};
}

} // namespace placid::cli
