// SPDX-License-Identifier: Apache-2.0
// The settings of a project: the keys of placid.toml, or of [tool.placid] in pyproject.toml, and what is wrong with
// them. The nearest folder above a source that has one of the two decides. Only finding reads the disk. Any thread;
// never throws.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

struct SettingsFault {
  source::ByteRange range;
  std::string message;
  bool warning = false; ///< An unknown key: another version of placid may know it.
};

struct ProjectSettings {
  std::string arch;    ///< Empty when not set.
  std::string planner; ///< Empty when not set.
  std::map<std::string, std::string> defines;
  std::vector<std::string> entries;
  std::map<std::string, source::ByteRange>
      places;                        ///< Of the values that are set: "arch", "planner", "entries", "defines.NAME".
  std::vector<SettingsFault> faults; ///< In text order; a wrong value is not taken.
};

bool isSettingsFile(std::string_view path);

/// The text's path tells the two kinds of file apart.
ProjectSettings readSettings(const source::SourceText &text);

/// Fills what `options` leaves open.
void applySettings(const ProjectSettings &settings, compiler::Options &options);

/// Finds settings by folder, each file read once. One thread at a time.
class SettingsFinder {
public:
  struct Found {
    source::SourcePtr text;
    ProjectSettings settings;
  };
  /// Texts that are open in an editor come before those on disk; by path.
  explicit SettingsFinder(std::map<std::string, source::SourcePtr> open = {}) : open_(std::move(open)) {}
  /// Of the source at `path`; null when there is no settings file above it.
  const Found *find(const std::string &path);

private:
  const Found *load(const std::string &path);

  std::map<std::string, source::SourcePtr> open_;
  std::map<std::string, std::unique_ptr<Found>> files_; ///< Null for those that are not there.
};

} // namespace placid::server
