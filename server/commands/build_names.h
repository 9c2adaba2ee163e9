// SPDX-License-Identifier: Apache-2.0
// What the files of a build are called, so that its kernels can share one folder: names apart where kernels have the
// same one, and a refusal where two of them would write one file. Apart from the build because it touches no folder
// and no tool. Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "server/build/kernel_build.h"

#include <map>
#include <string>
#include <vector>

namespace placid::server {

struct LoweredFile {
  std::string path; ///< As given.
  compiler::LowerResult result;
};

/// Kernels of one name get their qualified names.
void nameApart(std::vector<LoweredFile> &all);

/// Who writes which file of one folder.
class FileOwners {
public:
  /// Not empty: `name` cannot be the name of files.
  static std::string unusable(const std::string &name, const std::string &path);
  /// Not empty: `file` would be written for two kernels.
  std::string claim(const std::string &file, const std::string &kernel, const std::string &path);

private:
  std::map<std::string, std::pair<std::string, std::string>> owners_; ///< Kernel and path, by file.
};

/// Why the kernels, built up to `until`, cannot share one folder, or empty.
std::string nameFault(const std::vector<LoweredFile> &all, BuildStage until);

} // namespace placid::server
