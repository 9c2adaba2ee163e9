// SPDX-License-Identifier: Apache-2.0
// The program `placid`: knows the commands by name and hands them to the server program, which replaces this process.
// So standard streams, signals and the exit code are the server's own. Knows nothing of compiling and links no LLVM.
#include "clients/cli/find_server.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kUsageError = 2;
constexpr int kNoServer = 4;

struct Command {
  std::string_view name;
  std::string_view summary;
  bool available;
};

constexpr Command kCommands[] = {
    {"check", "report every fault of the kernels in files and folders", true},
    {"inspect", "show what every NZ tensor and access became, and why", true},
    {"ir", "print the IR after a pass, or the PTO IR (--emit pto)", true},
    {"build", "write PTO IR and a manifest (--until pto)", true},
    {"run", "execute a kernel in the reference interpreter", true},
    {"lsp", "serve an editor on standard input and output", true},
    {"explain", "explain a diagnostic code such as PL3105", true},
    {"serve", "", false},
    {"status", "", false},
    {"stop", "", false},
    {"doctor", "", false},
    {"config", "", false},
};

void printHelp() {
  std::string out = "usage: placid COMMAND [options] ...\n\nCompiles and checks PL kernels.\n\ncommands:\n";
  std::string later;
  for (const Command &command : kCommands) {
    if (command.available) {
      out += "  " + std::string(command.name) + std::string(10 - command.name.size(), ' ') +
             std::string(command.summary) + "\n";
    } else {
      later += (later.empty() ? "" : ", ") + std::string(command.name);
    }
  }
  out +=
      "\n`placid COMMAND --help` shows a command's options.\n"
      "Not available yet: " +
      later +
      ".\n"
      "Every command runs in a `placidd` process of its own that ends with it. There is no background daemon yet, so\n"
      "--no-daemon is accepted everywhere and changes nothing.\n"
      "\nexit codes: 0 no errors, 1 errors found or build failed, 2 wrong usage or unreadable input,\n"
      "            3 internal error, 4 placidd not found\n";
  std::fputs(out.c_str(), stdout);
}

int usageError(const std::string &why) {
  std::fprintf(stderr, "placid: %s\nsee: placid --help\n", why.c_str());
  return kUsageError;
}

int runServer(const std::vector<std::string> &words) {
  std::string server = placid::cli::findServer("placidd");
  if (server.empty()) {
    std::fputs("placid: cannot find `placidd`: it belongs beside `placid` or on PATH\n", stderr);
    return kNoServer;
  }
  std::vector<char *> argv;
  std::vector<std::string> owned{server, "oneshot"};
  owned.insert(owned.end(), words.begin(), words.end());
  argv.reserve(owned.size() + 1);
  for (std::string &word : owned) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  ::execv(server.c_str(), argv.data());
  std::fprintf(stderr, "placid: cannot run %s: %s\n", server.c_str(), std::strerror(errno));
  return kNoServer;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  // Also before the command, where nothing else may stand.
  while (!words.empty() && words.front() == "--no-daemon") {
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
      return command.available ? runServer(words) : usageError("`" + first + "` is not available yet");
    }
  }
  return usageError((first[0] == '-' ? "unknown option `" : "unknown command `") + first + "`");
}
