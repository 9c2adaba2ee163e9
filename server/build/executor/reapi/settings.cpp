// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/settings.h"

#include "server/settings/toml.h"
#include "server/support/read_file.h"

#include <algorithm>

namespace placid::server {

namespace {

constexpr uint64_t kMaxSettings = uint64_t{1} << 20;
constexpr size_t kMostJobs = 4096;

class Reader {
public:
  Reader(const std::string &path, const std::string &text, ExecutorSettings &out) : source_(path, text), out_(out) {}

  void run() {
    for (const TomlEntry &entry : parseToml(source_.text).entries) {
      if (entry.path.size() == 1 && entry.path[0] == "executor") {
        executor(entry);
      } else if (!entry.path.empty() && entry.path[0] == "reapi") {
        set(entry);
      }
    }
    if (out_.executor == "reapi" && out_.reapi.address.empty()) {
      out_.faults.push_back(source_.path + ": executor = \"reapi\" needs `address` in [reapi]");
    }
  }

private:
  void report(source::ByteRange range, const std::string &message) {
    source::Position at = source_.range(range).start;
    out_.faults.push_back(source_.path + ":" + std::to_string(at.line + 1) + ":" + std::to_string(at.character + 1) +
                          ": " + message);
  }

  void executor(const TomlEntry &entry) {
    if (entry.value.kind == TomlValue::Kind::String && isExecutor(entry.value.text)) {
      out_.executor = entry.value.text;
    } else {
      report(entry.value.range, "`executor` is \"local\" or \"reapi\"");
    }
  }

  bool text(const TomlEntry &entry, std::string &out) {
    if (entry.value.kind != TomlValue::Kind::String) {
      report(entry.value.range, "`" + entry.path.back() + "` is a text, in quotes");
      return false;
    }
    out = entry.value.text;
    return true;
  }

  void absolute(const TomlEntry &entry, std::string &out) {
    std::string path;
    if (text(entry, path) && !path.starts_with("/")) {
      report(entry.value.range, "`" + entry.path.back() + "` is an absolute path");
    } else {
      out = path;
    }
  }

  void table(const TomlEntry &entry, const std::string &key, std::map<std::string, std::string> &out, bool paths) {
    if (entry.path.size() == 2 && entry.value.kind == TomlValue::Kind::Table) {
      for (const TomlEntry &member : entry.value.members) {
        one(member, out, paths);
      }
    } else if (entry.path.size() == 3) {
      one(entry, out, paths);
    } else {
      report(entry.keyRange, "`" + key + "` is a table: [reapi." + key + "]");
    }
  }

  void one(const TomlEntry &entry, std::map<std::string, std::string> &out, bool paths) {
    std::string value;
    if (paths) {
      absolute(entry, value);
    } else {
      (void)text(entry, value);
    }
    if (!value.empty()) {
      out[entry.path.back()] = value;
    }
  }

  void jobs(const TomlEntry &entry) {
    const std::string &written = entry.value.text;
    bool number = entry.value.kind == TomlValue::Kind::Integer && !written.empty() && written.size() <= 4 &&
                  std::all_of(written.begin(), written.end(), [](char c) { return c >= '0' && c <= '9'; });
    size_t jobs = number ? static_cast<size_t>(std::stoul(written)) : 0;
    if (jobs == 0 || jobs > kMostJobs) {
      report(entry.value.range, "`jobs` is a number from 1 to " + std::to_string(kMostJobs));
    } else {
      out_.reapi.jobs = jobs;
    }
  }

  void set(const TomlEntry &entry) {
    ReapiOptions &to = out_.reapi;
    const std::string key = entry.path.size() > 1 ? entry.path[1] : std::string();
    if (key == "properties" || key == "paths") {
      table(entry, key, key == "paths" ? to.paths : to.properties, key == "paths");
    } else if (entry.path.size() != 2) {
      report(entry.keyRange, "there is no such setting");
    } else if (key == "address" || key == "instance" || key == "salt") {
      (void)text(entry, key == "address" ? to.address : key == "salt" ? to.salt : to.instance);
    } else if (key == "ca" || key == "certificate" || key == "key" || key == "token-file") {
      absolute(entry, key == "ca"            ? to.caFile
                      : key == "certificate" ? to.certificateFile
                      : key == "key"         ? to.keyFile
                                             : to.tokenFile);
    } else if (key == "tool-properties") {
      if (entry.value.kind == TomlValue::Kind::Boolean) {
        to.toolProperties = entry.value.text == "true";
      } else {
        report(entry.value.range, "`tool-properties` is true or false");
      }
    } else if (key == "jobs") {
      jobs(entry);
    } else {
      report(entry.keyRange, "there is no setting `" + key +
                                 "`: address, instance, ca, certificate, key, token-file, salt, jobs, "
                                 "tool-properties, properties, paths");
    }
  }

  source::SourceText source_;
  ExecutorSettings &out_;
};

} // namespace

bool isExecutor(const std::string &name) { return name == "local" || name == "reapi"; }

ExecutorSettings readExecutorSettings(const std::string &path, const std::string &text) {
  ExecutorSettings out;
  Reader(path, text, out).run();
  return out;
}

ExecutorSettings readExecutorSettings(const ToolEnvironment &environment) {
  std::string path = readUserSettings(environment).path;
  std::optional<std::string> text = path.empty() ? std::nullopt : readRegularFile(path, kMaxSettings);
  return text ? readExecutorSettings(path, std::move(*text)) : ExecutorSettings{};
}

} // namespace placid::server
