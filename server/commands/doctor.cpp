// SPDX-License-Identifier: Apache-2.0
// `doctor`: what this machine has of the tools that stand behind PTO IR, what is missing and how to get it, and where
// placid keeps its things. Looks at the environment and the file system; runs nothing and changes nothing.
#include "server/commands/command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>

namespace placid::server {

namespace fs = std::filesystem;

namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

bool isProgram(const std::string &path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string onPath(const std::string &name) {
  std::string path = variable("PATH");
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find(':', at), path.size());
    std::string folder = path.substr(at, end - at);
    if (!folder.empty() && isProgram(folder + "/" + name)) {
      return folder + "/" + name;
    }
    at = end + 1;
  }
  return {};
}

/// With PTOAS_ROOT set only what is below it counts, as for the toolchain's own callers.
std::string findPtoas() {
  std::string root = variable("PTOAS_ROOT");
  if (root.empty()) {
    return onPath("ptoas");
  }
  for (const char *name : {"/ptoas", "/ptoas.sh", "/bin/ptoas"}) {
    if (isProgram(root + name)) {
      return root + name;
    }
  }
  return {};
}

std::string folderOf(std::initializer_list<const char *> names, const std::string &holds) {
  for (const char *name : names) {
    std::string folder = variable(name);
    std::error_code error;
    if (!folder.empty() && fs::exists(folder + "/" + holds, error)) {
      return folder + " (" + name + ")";
    }
  }
  return {};
}

std::string line(const char *what, const std::string &found, const char *missing) {
  std::string name(what);
  return name + std::string(name.size() < 14 ? 14 - name.size() : 1, ' ') +
         (found.empty() ? std::string("missing: ") + missing : found) + "\n";
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
  result.out += line("placidd", self, "");
  std::string runtime = variable("XDG_RUNTIME_DIR");
  std::string folder = runtime.empty() ? "/tmp/placid-" + std::to_string(::geteuid()) : runtime + "/placid";
  result.out += line("sockets", folder, "");
  std::string cache = variable("XDG_CACHE_HOME");
  result.out += line("results", (cache.empty() ? variable("HOME") + "/.cache" : cache) + "/placid/results", "");
  result.out += line("ptoas", findPtoas(),
                     "assembles PTO IR into C++. Put it on PATH or set PTOAS_ROOT to its folder; it is built from the "
                     "sources of the PTO assembler");
  result.out += line("pto-isa", folderOf({"PTO_ISA_PATH", "PTO_ISA_ROOT"}, "include/pto"),
                     "the headers that this C++ includes. Set PTO_ISA_ROOT to a checkout that has include/pto");
  result.out += line("CANN", folderOf({"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"}, "bin"),
                     "the device compiler and runtime. Install the Ascend toolkit and source its set_env.sh");
  std::string bisheng = onPath("bisheng");
  result.out += line("bisheng", bisheng.empty() ? onPath("ccec") : bisheng, "comes with CANN; needed on PATH");
  std::string host;
  for (const char *name : {"clang++", "clang++-22", "g++"}) {
    host = host.empty() ? onPath(name) : host;
  }
  result.out += line("host C++", host, "a C++ compiler; runs kernels on the CPU through pto-isa");
  return result;
}

} // namespace placid::server
