// SPDX-License-Identifier: Apache-2.0
#include "server/build/toolchains/discovery.h"

#include "server/settings/toml.h"
#include "server/support/read_file.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMaxSettings = uint64_t{1} << 20;

std::string variableFolder(const ToolEnvironment &environment, std::initializer_list<const char *> names,
                           const std::string &holds, std::string &from) {
  for (const char *name : names) {
    std::string folder = environment.get(name);
    std::error_code error;
    if (!folder.empty() && fs::exists(folder + "/" + holds, error)) {
      from = name;
      return folder;
    }
  }
  return {};
}

FoundTool found(std::string path, std::string from, const char *missing) {
  return path.empty() ? FoundTool{"", "", missing} : FoundTool{std::move(path), std::move(from), ""};
}

FoundTool given(const std::string &path, bool good, const std::string &what) {
  return good ? FoundTool{path, "config.toml", ""}
              : FoundTool{"", "", path + ", which config.toml names, is not " + what};
}

constexpr const char *kNoPtoas =
    "assembles PTO IR into C++. Put it on PATH or set PTOAS_ROOT to its folder; it is built from "
    "the sources of the PTO assembler";
constexpr const char *kNoIsa =
    "the headers that this C++ includes. Set PTO_ISA_ROOT to a checkout that has include/pto";
constexpr const char *kNoCann = "the device compiler and runtime. Install the Ascend toolkit and source its set_env.sh";
constexpr const char *kNoCce = "bisheng or ccec: comes with CANN, in its bin folder or on PATH";
constexpr const char *kNoHost = "a clang of version 15 or later; runs kernels on the CPU through pto-isa";

/// With PTOAS_ROOT set only what is below it counts, as for the toolchain's own callers.
FoundTool findPtoas(const ToolEnvironment &environment, const std::string &setting) {
  if (!setting.empty()) {
    return given(setting, isProgram(setting), "a program");
  }
  std::string root = environment.get("PTOAS_ROOT");
  if (root.empty()) {
    return found(programOnPath(environment, "ptoas"), "PATH", kNoPtoas);
  }
  for (const char *name : {"/ptoas", "/ptoas.sh", "/bin/ptoas"}) {
    if (isProgram(root + name)) {
      return {root + name, "PTOAS_ROOT", ""};
    }
  }
  return {"", "", "PTOAS_ROOT is " + root + ", which has no ptoas"};
}

FoundTool findHostCompiler(const ToolEnvironment &environment, const std::string &setting) {
  if (!setting.empty()) {
    return given(setting, isProgram(setting), "a program");
  }
  std::string chosen = programOnPath(environment, "clang++");
  // The newest of those with their number in the name comes first: the headers want a late one.
  for (int version = 30; version >= 15; --version) {
    if (std::string path = programOnPath(environment, "clang++-" + std::to_string(version)); !path.empty()) {
      return {path, "PATH", ""};
    }
  }
  return found(std::move(chosen), "PATH", kNoHost);
}

FoundTool findCce(const ToolEnvironment &environment, const std::string &setting, const FoundTool &cann) {
  if (!setting.empty()) {
    return given(setting, isProgram(setting), "a program");
  }
  for (const char *name : {"/bin/ccec", "/bin/bisheng"}) {
    if (cann && isProgram(cann.path + name)) {
      return {cann.path + name, cann.from, ""};
    }
  }
  std::string path = programOnPath(environment, "bisheng");
  return found(path.empty() ? programOnPath(environment, "ccec") : path, "PATH", kNoCce);
}

class Reader {
public:
  Reader(const std::string &path, const std::string &text, UserSettings &out) : source_(path, text), out_(out) {}

  void run() {
    TomlText toml = parseToml(source_.text);
    for (const TomlFault &fault : toml.faults) {
      report(fault.range, fault.message);
    }
    for (const TomlEntry &entry : toml.entries) {
      if (!entry.path.empty() && entry.path[0] == "serve") {
        ServeSettings &serve = out_.serve;
        setText(entry, 1,
                {{"tls", &serve.tls},
                 {"cert", &serve.cert},
                 {"key", &serve.key},
                 {"client-ca", &serve.clientCa},
                 {"tokens", &serve.tokens},
                 {"http", &serve.http}});
        continue;
      }
      if (!entry.path.empty() && entry.path[0] == "remote") {
        if (entry.path.size() != 3) {
          report(entry.keyRange, "remotes are tables: [remote.farm]");
          continue;
        }
        RemoteSettings &remote = out_.remotes[entry.path[1]];
        setText(entry, 2,
                {{"address", &remote.address},
                 {"ca", &remote.ca},
                 {"cert", &remote.cert},
                 {"key", &remote.key},
                 {"token-file", &remote.tokenFile}});
        continue;
      }
      if (entry.path.empty() || entry.path[0] != "toolchain") {
        continue; // a newer placid may know it
      }
      if (entry.path.size() != 3) {
        report(entry.keyRange, "toolchains are tables: [toolchain.cpu-sim]");
      } else if (!toolchain::findToolchain(entry.path[1])) {
        report(entry.keyRange, "there is no toolchain `" + entry.path[1] + "`");
      } else {
        set(out_.toolchains[entry.path[1]], entry);
      }
    }
  }

private:
  void report(source::ByteRange range, const std::string &message) {
    source::Position at = source_.range(range).start;
    out_.faults.push_back(source_.path + ":" + std::to_string(at.line + 1) + ":" + std::to_string(at.character + 1) +
                          ": " + message);
  }

  /// The text of member `entry.path[at]` into its place; files are absolute paths.
  void setText(const TomlEntry &entry, size_t at, const std::map<std::string, std::string *> &places) {
    std::string key = entry.path.size() == at + 1 ? entry.path[at] : std::string();
    auto place = places.find(key);
    if (place == places.end()) {
      std::string names;
      for (const auto &[name, where] : places) {
        names += (names.empty() ? "" : ", ") + name;
      }
      report(entry.keyRange, "there is no setting `" + key + "`: " + names);
      return;
    }
    bool file = key != "tls" && key != "http" && key != "address";
    if (entry.value.kind != TomlValue::Kind::String || (file && !entry.value.text.starts_with("/"))) {
      report(entry.value.range, "`" + key + "` is " + (file ? "an absolute path" : "an address") + ", in quotes");
      return;
    }
    *place->second = entry.value.text;
  }

  void set(ToolchainSettings &settings, const TomlEntry &entry) {
    const std::string &key = entry.path[2];
    std::string *path = key == "ptoas"  ? &settings.ptoas
                        : key == "isa"  ? &settings.isa
                        : key == "cann" ? &settings.cann
                        : key == "cxx"  ? &settings.cxx
                                        : nullptr;
    if (path) {
      bool absolute = entry.value.kind == TomlValue::Kind::String && entry.value.text.starts_with("/");
      if (absolute) {
        *path = entry.value.text;
      } else {
        report(entry.value.range, "`" + key + "` is an absolute path, in quotes");
      }
      return;
    }
    std::vector<std::string> *flags = key == "ptoas-flags" ? &settings.ptoasFlags
                                      : key == "cxx-flags" ? &settings.cxxFlags
                                                           : nullptr;
    if (!flags) {
      report(entry.keyRange, "there is no setting `" + key + "`: ptoas, isa, cann, cxx, ptoas-flags, cxx-flags");
      return;
    }
    bool words = entry.value.kind == TomlValue::Kind::Array &&
                 std::all_of(entry.value.items.begin(), entry.value.items.end(),
                             [](const TomlValue &item) { return item.kind == TomlValue::Kind::String; });
    if (!words) {
      report(entry.value.range, "`" + key + "` is a list of words");
      return;
    }
    for (const TomlValue &item : entry.value.items) {
      flags->push_back(item.text);
    }
  }

  source::SourceText source_;
  UserSettings &out_;
};

} // namespace

std::string ToolEnvironment::get(std::string_view name) const {
  auto found = variables_.find(name);
  return found == variables_.end() ? std::string() : found->second;
}

bool isProgram(const std::string &path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string programOnPath(const ToolEnvironment &environment, const std::string &name) {
  std::string path = environment.get("PATH");
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find(':', at), path.size());
    std::string folder = path.substr(at, end - at);
    // A relative folder would mean another program in each project.
    if (folder.starts_with("/") && isProgram(folder + "/" + name)) {
      return folder + "/" + name;
    }
    at = end + 1;
  }
  return {};
}

UserSettings readUserSettings(const ToolEnvironment &environment) {
  UserSettings out;
  std::string folder = environment.get("XDG_CONFIG_HOME");
  if (!folder.starts_with("/")) {
    folder = environment.get("HOME").empty() ? std::string() : environment.get("HOME") + "/.config";
  }
  if (folder.empty()) {
    return out;
  }
  out.path = folder + "/placid/config.toml";
  if (std::optional<std::string> text = readRegularFile(out.path, kMaxSettings)) {
    Reader(out.path, std::move(*text), out).run();
  }
  return out;
}

ToolchainTools findTools(const toolchain::Toolchain &toolchain, const ToolEnvironment &environment,
                         const UserSettings &settings) {
  ToolchainSettings own;
  if (auto at = settings.toolchains.find(toolchain.name); at != settings.toolchains.end()) {
    own = at->second;
  }
  ToolchainTools tools;
  std::error_code error;
  tools.ptoas = findPtoas(environment, own.ptoas);
  std::string from;
  if (own.isa.empty()) {
    std::string folder = variableFolder(environment, {"PTO_ISA_PATH", "PTO_ISA_ROOT"}, "include/pto", from);
    tools.isa = found(folder, from, kNoIsa);
  } else {
    tools.isa = given(own.isa, fs::exists(own.isa + "/include/pto", error), "a folder with include/pto");
  }
  if (toolchain.compiler == toolchain::Compiler::Host) {
    tools.cxx = findHostCompiler(environment, own.cxx);
    return tools;
  }
  if (own.cann.empty()) {
    std::string folder = variableFolder(environment, {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"}, "bin", from);
    tools.cann = found(folder, from, kNoCann);
  } else {
    tools.cann = given(own.cann, fs::exists(own.cann + "/bin", error), "a folder with bin");
  }
  tools.cxx = findCce(environment, own.cxx, tools.cann);
  return tools;
}

} // namespace placid::server
