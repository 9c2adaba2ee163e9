// SPDX-License-Identifier: Apache-2.0
// The program `placid`: knows the commands by name and who does each: the daemon, a process of its own that replaces
// this one, or this program. Knows nothing of compiling and links no LLVM.
#include "clients/cli/find_server.h"
#include "clients/cli/lsp_relay.h"
#include "clients/cli/remote_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kUsageError = 2;

enum class Where : uint8_t {
  Daemon,  ///< The daemon, or with --no-daemon a process of its own.
  Process, ///< Always a process of its own.
  Lsp,
  Serve,
  Status,
  Stop,
};

struct Command {
  std::string_view name;
  std::string_view summary;
  Where where;
};

constexpr Command kCommands[] = {
    {"check", "report every fault of the kernels in files and folders", Where::Daemon},
    {"inspect", "show what every NZ tensor and access became, and why", Where::Daemon},
    {"ir", "print the IR after a pass, or the PTO IR (--emit pto)", Where::Daemon},
    {"build", "build kernels: PTO IR, C++, objects, and a manifest", Where::Daemon},
    {"run", "execute a kernel in the reference interpreter", Where::Process},
    {"lsp", "serve an editor on standard input and output", Where::Lsp},
    {"explain", "explain a diagnostic code such as PL3105", Where::Process},
    {"serve", "be the daemon, in the foreground", Where::Serve},
    {"status", "show the daemon, its sessions, workers and counters (--json)", Where::Status},
    {"stop", "end the daemon; open editors start another one", Where::Stop},
    {"doctor", "show what of the toolchain is here, and how to get the rest", Where::Process},
    {"config", "show what is in force and where it comes from (--explain)", Where::Process},
};

void printHelp() {
  std::string out = "usage: placid COMMAND [options] ...\n\nCompiles and checks PL kernels.\n\ncommands:\n";
  for (const Command &command : kCommands) {
    out += "  " + std::string(command.name) + std::string(10 - command.name.size(), ' ') +
           std::string(command.summary) + "\n";
  }
  out +=
      "\n`placid COMMAND --help` shows a command's options.\n"
      "Commands are done by a daemon, which is started when none runs and ends when it has been idle for ten minutes.\n"
      "--no-daemon does a command in a process of its own instead, with the same result.\n"
      "\nexit codes: 0 no errors, 1 errors found or build failed, 2 wrong usage or unreadable input,\n"
      "            3 internal error, 4 no daemon can be had\n";
  std::fputs(out.c_str(), stdout);
}

int usageError(const std::string &why) {
  std::fprintf(stderr, "placid: %s\nsee: placid --help\n", why.c_str());
  return kUsageError;
}

/// Becomes the server program in `mode`.
int become(const std::string &server, const char *mode, const std::vector<std::string> &words) {
  if (server.empty()) {
    std::fputs("placid: cannot find `placidd`: it belongs beside `placid` or on PATH\n", stderr);
    return placid::cli::kNoDaemon;
  }
  std::vector<char *> argv;
  std::vector<std::string> owned{server, mode};
  owned.insert(owned.end(), words.begin(), words.end());
  argv.reserve(owned.size() + 1);
  for (std::string &word : owned) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  ::execv(server.c_str(), argv.data());
  std::fprintf(stderr, "placid: cannot run %s: %s\n", server.c_str(), std::strerror(errno));
  return placid::cli::kNoDaemon;
}

/// An option before `--`.
bool has(const std::vector<std::string> &words, std::string_view option) {
  auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, option) != end;
}

/// `--events fd:N`: the descriptor is this process's own.
bool writesToDescriptor(const std::vector<std::string> &words) {
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    bool next = words[i] == "--events" && i + 1 < words.size() && words[i + 1].starts_with("fd:");
    if (next || words[i].starts_with("--events=fd:")) {
      return true;
    }
  }
  return false;
}

int run(Where where, const std::vector<std::string> &words, bool noDaemon) {
  std::string server = placid::cli::findServer("placidd");
  std::vector<std::string> arguments(words.begin() + 1, words.end());
  bool help = has(words, "--help") || has(words, "-h");
  bool alone = noDaemon || has(words, "--no-daemon") || help || (words.front() == "build" && writesToDescriptor(words));
  switch (where) {
  case Where::Daemon:
    return alone ? become(server, "oneshot", words) : placid::cli::runInDaemon(server, words);
  case Where::Process:
    return become(server, "oneshot", words);
  case Where::Lsp:
    return alone || has(words, "--sync") ? become(server, "oneshot", words) : placid::cli::relayLsp(server, arguments);
  case Where::Serve:
    return become(server, "serve", arguments);
  case Where::Status:
    return placid::cli::runStatus(server, arguments);
  case Where::Stop:
    return placid::cli::runStop(server, arguments);
  }
  return kUsageError;
}

} // namespace

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN); // a reader that leaves is an end of writing
  std::vector<std::string> words(argv + 1, argv + argc);
  // Also before the command, where nothing else may stand.
  bool noDaemon = false;
  while (!words.empty() && words.front() == "--no-daemon") {
    noDaemon = true;
    words.erase(words.begin());
  }
  if (words.empty()) {
    return usageError("a command is missing");
  }
  const std::string &first = words.front();
  if (first == "--help" || first == "-h" || first == "help") {
    printHelp();
    return 0;
  }
  if (first == "--version") {
    std::puts("placid " PLACID_VERSION);
    return 0;
  }
  for (const Command &command : kCommands) {
    if (command.name == first) {
      return run(command.where, words, noDaemon);
    }
  }
  return usageError((first[0] == '-' ? "unknown option `" : "unknown command `") + first + "`");
}
