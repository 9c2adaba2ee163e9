// SPDX-License-Identifier: Apache-2.0
#include "server/settings/project_settings.h"

#include "compiler/support/suggest.h"
#include "compiler/target/arch.h"
#include "compiler/target/planner.h"
#include "server/settings/toml.h"
#include "server/support/read_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMaxSettingsBytes = uint64_t{1} << 20;
const std::vector<std::string> kKeys = {"arch", "defines", "entries", "planner"};

bool isPyproject(std::string_view path) { return path.ends_with("pyproject.toml"); }

/// The table's own keys, behind [tool.placid] or at the top.
std::optional<std::vector<std::string>> ownPath(const std::vector<std::string> &path, bool pyproject) {
  if (!pyproject) {
    return path;
  }
  bool ours = path.size() >= 2 && path[0] == "tool" && path[1] == "placid";
  return ours ? std::optional(std::vector(path.begin() + 2, path.end())) : std::nullopt;
}

class Reader {
public:
  explicit Reader(const source::SourceText &text) : text_(text), pyproject_(isPyproject(text.path)) {}

  ProjectSettings run() {
    TomlText toml = parseToml(text_.text);
    for (const TomlFault &fault : toml.faults) {
      if (ownPath(fault.table, pyproject_)) {
        report(fault.range, fault.message);
      }
    }
    for (const TomlEntry &entry : toml.entries) {
      if (std::optional<std::vector<std::string>> path = ownPath(entry.path, pyproject_); path && !path->empty()) {
        set(*path, entry);
      }
    }
    std::sort(out_.faults.begin(), out_.faults.end(),
              [](const SettingsFault &x, const SettingsFault &y) { return x.range < y.range; });
    return std::move(out_);
  }

private:
  void report(source::ByteRange range, std::string message, bool warning = false) {
    out_.faults.push_back({range, std::move(message), warning});
  }

  void set(const std::vector<std::string> &path, const TomlEntry &entry) {
    if (path[0] == "arch" && path.size() == 1) {
      bool good = entry.value.kind == TomlValue::Kind::String && target::parseArch(entry.value.text);
      if (good) {
        out_.arch = entry.value.text;
        out_.places["arch"] = entry.keyRange;
      } else {
        report(entry.value.range, "`arch` is " + std::string(target::kArchChoices) + ", in quotes");
      }
    } else if (path[0] == "planner" && path.size() == 1) {
      if (entry.value.kind == TomlValue::Kind::String && target::parsePlanner(entry.value.text)) {
        out_.planner = entry.value.text;
        out_.places["planner"] = entry.keyRange;
      } else {
        report(entry.value.range, "`planner` is " + std::string(target::kPlannerChoices) + ", in quotes");
      }
    } else if (path[0] == "entries" && path.size() == 1) {
      entries(entry.value);
      out_.places["entries"] = entry.keyRange;
    } else if (path[0] == "defines" && path.size() == 1 && entry.value.kind == TomlValue::Kind::Table) {
      for (const TomlEntry &member : entry.value.members) {
        define(member.path.back(), member.value);
        out_.places["defines." + member.path.back()] = member.keyRange;
      }
    } else if (path[0] == "defines" && path.size() == 2) {
      define(path[1], entry.value);
      out_.places["defines." + path[1]] = entry.keyRange;
    } else if (path[0] == "defines") {
      report(entry.value.range, "`defines` is a table of constants: `defines = { TILE = 128 }`");
    } else {
      // A newer placid may know it.
      report(entry.keyRange, "there is no setting `" + path[0] + "`" + support::didYouMean(path[0], kKeys),
             /*warning=*/true);
    }
  }

  void entries(const TomlValue &value) {
    if (value.kind == TomlValue::Kind::String) {
      out_.entries.push_back(value.text);
      return;
    }
    bool names = value.kind == TomlValue::Kind::Array &&
                 std::all_of(value.items.begin(), value.items.end(),
                             [](const TomlValue &item) { return item.kind == TomlValue::Kind::String; });
    if (!names) {
      report(value.range, "`entries` is a list of kernel names");
      return;
    }
    for (const TomlValue &item : value.items) {
      out_.entries.push_back(item.text);
    }
  }

  void define(const std::string &name, const TomlValue &value) {
    switch (value.kind) {
    case TomlValue::Kind::String:
    case TomlValue::Kind::Integer:
      out_.defines[name] = value.text; // a string holds a Python literal, as behind --define
      return;
    case TomlValue::Kind::Boolean:
      out_.defines[name] = value.text == "true" ? "True" : "False";
      return;
    default:
      report(value.range, "the value of `" + name + "` is an integer, a boolean, or a Python literal in quotes");
    }
  }

  const source::SourceText &text_;
  bool pyproject_;
  ProjectSettings out_;
};

} // namespace

bool isSettingsFile(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1);
  return name == "placid.toml" || name == "pyproject.toml";
}

ProjectSettings readSettings(const source::SourceText &text) { return Reader(text).run(); }

void applySettings(const ProjectSettings &settings, compiler::Options &options) {
  if (options.arch.empty()) {
    options.arch = settings.arch;
  }
  if (options.planner.empty()) {
    options.planner = settings.planner;
  }
  options.defines.insert(settings.defines.begin(), settings.defines.end());
  if (options.entries.empty()) {
    options.entries = settings.entries;
  }
}

const SettingsFinder::Found *SettingsFinder::load(const std::string &path) {
  auto found = files_.find(path);
  if (found != files_.end()) {
    return found->second.get();
  }
  source::SourcePtr text;
  if (auto open = open_.find(path); open != open_.end()) {
    text = open->second;
  } else {
    if (std::optional<std::string> read = readRegularFile(path, kMaxSettingsBytes)) {
      text = std::make_shared<source::SourceText>(path, std::move(*read));
    }
  }
  std::unique_ptr<Found> made;
  // A pyproject.toml without our table is not the end of the search.
  if (text && (!isPyproject(path) || text->text.find("tool.placid") != std::string::npos)) {
    made = std::make_unique<Found>(Found{text, readSettings(*text)});
  }
  return (files_[path] = std::move(made)).get();
}

const SettingsFinder::Found *SettingsFinder::find(const std::string &path) {
  std::error_code error;
  fs::path folder = fs::absolute(path, error).lexically_normal().parent_path();
  while (!error && !folder.empty()) {
    for (const char *name : {"placid.toml", "pyproject.toml"}) {
      if (const Found *found = load((folder / name).string())) {
        return found;
      }
    }
    if (folder == folder.parent_path()) {
      break;
    }
    folder = folder.parent_path();
  }
  return nullptr;
}

} // namespace placid::server
