// SPDX-License-Identifier: Apache-2.0
#include "server/commands/watch.h"

#include "server/commands/sources.h"
#include "server/settings/project_settings.h"

#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <system_error>
#include <thread>
#include <tuple>

namespace placid::server {

namespace {

/// What makes a file another one.
using Stamps = std::map<std::string, std::tuple<int64_t, int64_t, int64_t>>;

Stamps stampsOf(const std::vector<std::string> &paths) {
  Stamps out;
  for (const std::string &path : paths) {
    struct stat info{};
    if (::stat(path.c_str(), &info) == 0) {
      out[path] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
    }
  }
  return out;
}

/// Files that a check of `arguments` may read: those that are there now, and the modules that it read.
Stamps watched(const Arguments &arguments, const std::vector<std::string> &modules) {
  std::vector<std::string> paths = pythonFiles(arguments.positional);
  SettingsFinder finder;
  for (const std::string &path : arguments.positional) {
    std::error_code error;
    bool folder = std::filesystem::is_directory(path, error);
    if (const SettingsFinder::Found *found = finder.find(folder ? path + "/source.py" : path)) {
      paths.push_back(found->text->path);
    }
  }
  paths.insert(paths.end(), modules.begin(), modules.end());
  return stampsOf(paths);
}

constexpr std::chrono::milliseconds kPoll{300};

} // namespace

CommandResult watchFiles(std::string_view command, const Arguments &arguments, const CommandContext &context,
                         const std::function<WatchRound()> &once) {
  if (!context.stream) {
    return usageError(command, "--watch is not possible here");
  }
  // Standard output may be a stream of events alone.
  bool toErrors = arguments.value("--events") == "-";
  auto said = [&](const std::string &text) {
    return toErrors ? CommandResult{ExitCode::kOk, "", text} : CommandResult{ExitCode::kOk, text, ""};
  };
  std::vector<std::string> modules;
  while (true) {
    // Before the round: what changes meanwhile is noticed afterwards.
    Stamps before = watched(arguments, {});
    Stamps earlier = stampsOf(modules);
    auto start = std::chrono::steady_clock::now();
    bool reads = context.stream(said("placid: build started\n"));
    WatchRound round = once();
    modules = std::move(round.modules);
    if (round.hopeless) {
      return round.result;
    }
    auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
    (toErrors ? round.result.err : round.result.out) += "placid: build finished, " + std::to_string(round.errors) +
                                                        " errors, " + std::to_string(round.warnings) + " warnings in " +
                                                        std::to_string(took) + " ms\n";
    reads = reads && context.stream(round.result);
    for (const auto &[path, stamp] : stampsOf(modules)) {
      auto known = earlier.find(path);
      before.emplace(path, known == earlier.end() ? stamp : known->second);
    }
    while (reads && !context.stop.stop_requested() && watched(arguments, modules) == before) {
      std::this_thread::sleep_for(kPoll);
    }
    if (!reads || context.stop.stop_requested()) {
      return {};
    }
  }
}

} // namespace placid::server
