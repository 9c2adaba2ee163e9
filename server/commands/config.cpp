// SPDX-License-Identifier: Apache-2.0
// `config --explain`: what is in force for a path, and where each value comes from. Reads settings; compiles nothing.
#include "compiler/target/arch.h"
#include "compiler/target/planner.h"
#include "server/commands/command.h"
#include "server/settings/project_settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace placid::server {

namespace {

struct Row {
  std::string name;
  std::string value;
  std::string origin;
};

std::string quoted(const std::string &text) { return "\"" + text + "\""; }

std::string listOf(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names) {
    out += (out.empty() ? "" : ", ") + quoted(name);
  }
  return "[" + out + "]";
}

/// "/p/placid.toml:3".
std::string placeOf(const SettingsFinder::Found &found, const std::string &key) {
  auto at = found.settings.places.find(key);
  std::string line = at == found.settings.places.end()
                         ? std::string()
                         : ":" + std::to_string(found.text->lines.lineColumn(at->second.begin).line + 1);
  return found.text->path + line;
}

std::vector<Row> settingRows(const compiler::Options &given, const SettingsFinder::Found *found) {
  std::vector<Row> rows;
  const ProjectSettings none;
  const ProjectSettings &project = found ? found->settings : none;
  if (!given.arch.empty()) {
    rows.push_back({"arch", quoted(given.arch), "--arch"});
  } else if (!project.arch.empty()) {
    rows.push_back({"arch", quoted(project.arch), placeOf(*found, "arch")});
  } else {
    rows.push_back({"arch", quoted(std::string(target::archName(target::kDefaultArch))), "default"});
  }
  if (!given.planner.empty()) {
    rows.push_back({"planner", quoted(given.planner), "--planner"});
  } else if (!project.planner.empty()) {
    rows.push_back({"planner", quoted(project.planner), placeOf(*found, "planner")});
  } else {
    rows.push_back({"planner", quoted(std::string(target::plannerName(target::kDefaultPlanner))), "default"});
  }
  compiler::Options all = given;
  applySettings(project, all);
  for (const auto &[name, value] : all.defines) {
    bool own = given.defines.contains(name);
    rows.push_back({"defines." + name, value, own ? "--define" : placeOf(*found, "defines." + name)});
  }
  if (!given.entries.empty()) {
    rows.push_back({"entries", listOf(given.entries), "--entry"});
  } else if (!project.entries.empty()) {
    rows.push_back({"entries", listOf(project.entries), placeOf(*found, "entries")});
  } else {
    rows.push_back({"entries", "all kernels", "default"});
  }
  return rows;
}

std::vector<Row> environmentRows() {
  constexpr std::pair<const char *, const char *> kVariables[] = {{"PLACID_SOCKET", "a daemon of this user's own"},
                                                                  {"PLACID_IDLE_SECONDS", "600"},
                                                                  {"PLACID_WORKERS", "one for each core, at least 2"},
                                                                  {"PLACID_COMPILE_SECONDS", "30"},
                                                                  {"PLACID_LOG", "warning"}};
  std::vector<Row> rows;
  for (const auto &[name, fallback] : kVariables) {
    const char *value = std::getenv(name);
    bool set = value && *value;
    rows.push_back({name, set ? value : fallback, set ? "environment" : "default"});
  }
  return rows;
}

} // namespace

CommandResult runConfig(const Arguments &arguments, const CommandContext &) {
  if (!arguments.has("--explain")) {
    return usageError("config", "expected --explain");
  }
  if (arguments.positional.size() > 1) {
    return usageError("config", "expected one PATH");
  }
  compiler::Options given;
  if (std::string wrong = readCommonOptions(arguments, given); !wrong.empty()) {
    return usageError("config", wrong);
  }
  std::string path = arguments.positional.empty() ? "." : arguments.positional[0];
  std::error_code error;
  SettingsFinder finder;
  const SettingsFinder::Found *found =
      finder.find(std::filesystem::is_directory(path, error) ? path + "/source.py" : path);
  std::vector<Row> rows = settingRows(given, found);
  std::vector<Row> environment = environmentRows();
  rows.insert(rows.end(), environment.begin(), environment.end());
  size_t left = 0;
  size_t middle = 0;
  for (const Row &row : rows) {
    left = std::max(left, row.name.size());
    middle = std::max(middle, row.value.size());
  }
  CommandResult result;
  result.out = found ? "settings: " + found->text->path + "\n"
                     : "settings: no placid.toml, and no pyproject.toml with [tool.placid], above " + path + "\n";
  for (const Row &row : rows) {
    result.out += row.name + std::string(left - row.name.size(), ' ') + " = " + row.value +
                  std::string(middle - row.value.size(), ' ') + "  (" + row.origin + ")\n";
  }
  return result;
}

} // namespace placid::server
