// SPDX-License-Identifier: Apache-2.0
// Which file a module name means, and the Python files of a workspace: for navigation between files, where a wrong
// guess costs a jump and nothing else. Lists folders; blocking, so not for the io thread. Never throws.
#pragma once

#include "compiler/source/provider.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

/// The file of `module` (`a.b`, `..c`) as imported by the file at `importer`: beside it, below one of `roots`, or below
/// a folder above it. Nothing when there is none.
std::optional<std::string> findModule(std::string_view module, const std::string &importer,
                                      const std::vector<std::string> &roots, source::SourceProvider &sources);

/// `*.py` below the folders, sorted, hidden folders and environments left out, at most `limit` of them. Of the paths of
/// one file, one. `whole` becomes false when there are more, and stays as it is otherwise.
std::vector<std::string> pythonFiles(const std::vector<std::string> &roots, size_t limit, bool *whole = nullptr);

/// The folder that holds whoever can import the file by name: around its outermost package, else its own.
std::string importFolder(const std::string &path);

/// Whether a regular file has all the words in its bytes, whatever they are otherwise.
bool fileHolds(const std::string &path, const std::vector<std::string> &words);

} // namespace placid::server
