// SPDX-License-Identifier: Apache-2.0
#include "server/program.h"

#include "server/commands/command.h"
#include "server/store/disk_sources.h"
#include "server/store/limited_service.h"
#include "server/support/crash.h"
#include "server/support/log.h"
#include "server/transport/stdio_server.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace placid::server {

namespace {

constexpr std::string_view kUsage = R"(usage: placidd oneshot COMMAND [ARGUMENTS]

Runs one command of `placid` (check, inspect, ir, build, explain, lsp) in this process and ends.
`placid COMMAND` is the way to call it.
)";

bool writeAll(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t wrote = ::write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) {
      continue;
    }
    if (wrote <= 0) {
      return false;
    }
    text.remove_prefix(static_cast<size_t>(wrote));
  }
  return true;
}

int usage(const std::string &why) {
  writeAll(STDERR_FILENO, "placidd: " + why + "\n" + std::string(kUsage));
  return ExitCode::kUsage;
}

/// Pages beside the installed or built program, where documentation links can point.
std::string pageFolder() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return {};
  }
  std::filesystem::path folder = self.parent_path().parent_path() / "share/doc/placid/diagnostics";
  return std::filesystem::is_directory(folder, error) ? folder.string() : std::string();
}

int runLsp(std::span<const std::string> given, compiler::CompilerService &compiler, const std::string &version) {
  std::vector<OptionSpec> specs = commonOptions();
  specs.push_back({"--sync", "", "answer everything in order, without a compile thread"});
  specs.push_back({"--stdio", "", "accepted: standard input and output are what is served"});
  specs.push_back({"--help", "", "print this"});
  Arguments arguments = parseArguments(given, specs);
  StdioOptions options;
  std::string wrong = arguments.error.empty() ? readCommonOptions(arguments, options.session.options) : arguments.error;
  if (wrong.empty() && !arguments.positional.empty()) {
    wrong = "takes no file";
  }
  if (!wrong.empty()) {
    writeAll(STDERR_FILENO, usageError("lsp", wrong).err);
    return ExitCode::kUsage;
  }
  if (arguments.has("--help")) {
    std::string text = "usage: placid lsp [options]\n\nServes the Language Server Protocol on standard input and "
                       "output.\n\noptions:\n";
    for (const OptionSpec &spec : specs) {
      text += "  " + std::string(spec.name) + " " + std::string(spec.placeholder) + "\n      " +
              std::string(spec.help) + "\n";
    }
    return writeAll(STDOUT_FILENO, text) ? ExitCode::kOk : ExitCode::kUsage;
  }
  options.sync = arguments.has("--sync");
  options.session.version = version;
  options.session.options.sources = std::make_shared<DiskSources>();
  options.session.links.pageFolder = pageFolder();
  return serveStdio(compiler, std::move(options));
}

int run(std::span<const std::string> words, compiler::CompilerService &behind, bool (*importsPl)(std::string_view),
        compiler::RunKernels runKernels) {
  if (words.empty()) {
    return usage("a mode is missing");
  }
  if (words[0] == "--help" || words[0] == "-h") {
    return writeAll(STDOUT_FILENO, kUsage) ? ExitCode::kOk : ExitCode::kUsage;
  }
  std::string version = PLACID_VERSION;
  if (words[0] == "--version") {
    return writeAll(STDOUT_FILENO, "placidd " + version + "\n") ? ExitCode::kOk : ExitCode::kUsage;
  }
  if (words[0] == "worker" || words[0] == "daemon" || words[0] == "serve") {
    return usage("`" + words[0] + "` is not available yet: there is `oneshot`");
  }
  if (words[0] != "oneshot") {
    return usage("unknown mode `" + words[0] + "`");
  }
  words = words.subspan(1);
  if (words.empty()) {
    return usage("a command is missing");
  }
  LimitedService compiler(behind);
  if (words[0] == "lsp") {
    return runLsp(words.subspan(1), compiler, version);
  }
  CommandContext context;
  context.compiler = &compiler;
  context.importsPl = importsPl;
  context.runKernels = runKernels;
  context.version = version;
  const char *noColor = std::getenv("NO_COLOR");
  context.color = ::isatty(STDOUT_FILENO) == 1 && (!noColor || !*noColor);
  CommandResult result = runCommand(words, context);
  bool told = writeAll(STDERR_FILENO, result.err);
  bool wrote = writeAll(STDOUT_FILENO, result.out);
  // A reader that left early (`| head`) got what it wanted; a full disk did not.
  if ((!wrote || !told) && errno != EPIPE && result.exitCode == ExitCode::kOk) {
    return ExitCode::kUsage;
  }
  return result.exitCode;
}

} // namespace

int runProgram(int argc, char **argv, compiler::CompilerService &compiler, bool (*importsPl)(std::string_view),
               compiler::RunKernels runKernels) {
  // A client that goes away is an end of writing, not of the process.
  std::signal(SIGPIPE, SIG_IGN);
  if (const char *level = std::getenv("PLACID_LOG")) {
    setLogLevel(level);
  }
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string commandLine = "placidd";
  for (const std::string &word : words) {
    commandLine += " " + word;
  }
  installCrashHandler(commandLine);
  try {
    return run(words, compiler, importsPl, runKernels);
  } catch (const std::exception &fault) {
    writeAll(STDERR_FILENO, std::string("placid: internal error: ") + fault.what() + "\n");
    return ExitCode::kInternal;
  }
}

} // namespace placid::server
