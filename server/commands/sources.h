// SPDX-License-Identifier: Apache-2.0
// From the PATH arguments of a command to texts: files are read, folders walked for `*.py` that import a PL dialect.
// The only place where commands read files. Blocking; not for the io thread.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace placid::server {

struct Sources {
  std::vector<source::SourcePtr> texts;     ///< Sorted by path, each path once.
  std::map<std::string, uint64_t> tooLarge; ///< Paths that were not read whole, with their size.
  std::vector<std::string> errors;          ///< "no such file: x.py", in path order.
};

/// Paths are kept as given; a file in a folder is the folder's spelling, a slash, and the rest. Links to folders are
/// not followed.
Sources readSources(const std::vector<std::string> &paths, bool (*importsPl)(std::string_view));

/// Every file that readSources() would look at, sorted.
std::vector<std::string> pythonFiles(const std::vector<std::string> &paths);

/// Lets imports of the checked files be found: on disk, from the folders among `paths` (which came as PATH arguments).
void allowImports(const std::vector<std::string> &paths, compiler::Options &options);

/// A text by path, for showing lines of files that were named in a diagnostic but not given. Null when unreadable.
source::SourcePtr readSource(const std::string &path);

/// Writes through a temporary file in the same folder and a rename. What went wrong, or empty.
std::string writeAtomically(const std::string &path, const std::string &content);
/// The same with what `fill` writes; it says what went wrong, or nothing.
std::string writeAtomically(const std::string &path, const std::function<std::string(int fd)> &fill);

} // namespace placid::server
