// SPDX-License-Identifier: Apache-2.0
// `doctor`: what this machine has of the tools that stand behind PTO IR, what is missing and how to get it, which
// toolchains are whole, and where placid keeps its things. Looks at the environment and the file system; runs nothing
// and changes nothing.
#include "server/build/executor/reapi/loader.h"
#include "server/build/executor/reapi/settings.h"
#include "server/build/toolchains/discovery.h"
#include "server/commands/command.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

std::string line(const std::string &name, const std::string &text) {
  return name + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') + text + "\n";
}

std::string toolLine(const char *name, const FoundTool &tool) {
  if (!tool) {
    return line(name, "missing: " + tool.missing);
  }
  return line(name, tool.path + (tool.from == "PATH" ? "" : " (" + tool.from + ")"));
}

std::string names(const std::vector<std::string> &list) {
  std::string out;
  for (const std::string &name : list) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

/// "ready", or what it lacks.
std::string stateOf(const toolchain::Toolchain &toolchain, const ToolchainTools &tools) {
  std::vector<std::string> missing;
  auto need = [&](const FoundTool &tool, const char *name) {
    if (!tool) {
      missing.emplace_back(name);
    }
  };
  bool host = toolchain.compiler == toolchain::Compiler::Host;
  need(tools.ptoas, "ptoas");
  need(tools.isa, "pto-isa");
  need(tools.cxx, host ? "a host C++ compiler" : "bisheng or ccec");
  return missing.empty() ? "ready" : "lacks " + names(missing);
}

} // namespace

CommandResult runDoctor(const Arguments &arguments, const CommandContext &context) {
  if (!arguments.positional.empty()) {
    return usageError("doctor", "takes no file");
  }
  CommandResult result;
  std::error_code error;
  std::string self = fs::read_symlink("/proc/self/exe", error).string();
  result.out = "placid " + context.version + ": check, inspect, ir, build --until pto and lsp need nothing below\n";
  result.out += line("placidd", self);
  std::string runtime = variable("XDG_RUNTIME_DIR");
  std::string folder = runtime.empty() ? "/tmp/placid-" + std::to_string(::geteuid()) : runtime + "/placid";
  result.out += line("sockets", folder);
  std::string cache = variable("XDG_CACHE_HOME");
  cache = (cache.empty() ? variable("HOME") + "/.cache" : cache) + "/placid";
  result.out += line("results", cache + "/results");
  result.out += line("builds", cache + "/store");

  UserSettings settings = readUserSettings(context.environment);
  result.out += line("settings", settings.path);
  for (const std::string &fault : settings.faults) {
    result.err += "placid: " + fault + "\n";
  }
  ToolchainTools device = findTools(*toolchain::findToolchain("cann-a3"), context.environment, settings);
  ToolchainTools host = findTools(*toolchain::findToolchain("cpu-sim"), context.environment, settings);
  result.out += toolLine("ptoas", device.ptoas);
  result.out += toolLine("pto-isa", device.isa);
  result.out += toolLine("CANN", device.cann);
  result.out += toolLine("bisheng", device.cxx);
  result.out += toolLine("host C++", host.cxx);
  for (const toolchain::Toolchain &toolchain : toolchain::toolchains()) {
    ToolchainTools tools = findTools(toolchain, context.environment, settings);
    result.out += line(std::string(toolchain.name), std::string(toolchain.title) + ": " + stateOf(toolchain, tools));
  }
  ExecutorSettings executor = readExecutorSettings(context.environment);
  for (const std::string &fault : executor.faults) {
    result.err += "placid: " + fault + "\n";
  }
  bool elsewhere = executor.executor == "reapi";
  result.out += line("executor", elsewhere ? "reapi: " + executor.reapi.address : executor.executor);
  result.out +=
      line("reapi", reapiModule().empty() ? "missing: this placid was built without remote execution" : reapiModule());
  return result;
}

} // namespace placid::server
