// SPDX-License-Identifier: Apache-2.0
#include "server/commands/build_names.h"

#include "server/build/executor/action.h"

#include <utility>

namespace placid::server {

void nameApart(std::vector<LoweredFile> &all) {
  std::map<std::string, size_t> uses;
  for (const LoweredFile &file : all) {
    for (const compiler::LoweredKernel &kernel : file.result.kernels) {
      ++uses[kernel.name];
    }
  }
  for (LoweredFile &file : all) {
    for (compiler::LoweredKernel &kernel : file.result.kernels) {
      if (uses[kernel.name] > 1) {
        bool own = kernel.entry == kernel.name || kernel.entry.ends_with("." + kernel.name);
        kernel.name = own ? kernel.entry : kernel.entry + "." + kernel.name;
      }
    }
  }
}

std::string FileOwners::unusable(const std::string &name, const std::string &path) {
  bool usable = !name.empty() && name[0] != '.' && isSafeRelativePath(name) && name.find('/') == std::string::npos;
  return usable ? std::string() : "kernel `" + name + "` of " + path + " has a name that cannot be a file's";
}

std::string FileOwners::claim(const std::string &file, const std::string &kernel, const std::string &path) {
  auto [owner, added] = owners_.try_emplace(file, kernel, path);
  if (added) {
    return {};
  }
  const auto &[first, where] = owner->second;
  bool same = first == kernel;
  return "`" + file + "` would be written for " + (same ? where : "`" + first + "` of " + where) + " and for " +
         (same ? path : "`" + kernel + "` of " + path) + ": build them into different folders";
}

std::string nameFault(const std::vector<LoweredFile> &all, BuildStage until) {
  FileOwners owners;
  for (const LoweredFile &file : all) {
    for (const compiler::LoweredKernel &kernel : file.result.kernels) {
      std::string wrong = FileOwners::unusable(kernel.name, file.path);
      for (const std::string &name : filesOf(kernel.name, toolchain::coresOf(kernel.coreType), until)) {
        wrong = wrong.empty() ? owners.claim(name, kernel.name, file.path) : wrong;
      }
      if (!wrong.empty()) {
        return wrong;
      }
    }
  }
  return {};
}

} // namespace placid::server
