// SPDX-License-Identifier: Apache-2.0
#include "server/program.h"

#include "protocol/daemon/hello.h"
#include "protocol/daemon/terminal.h"
#include "server/commands/command.h"
#include "server/daemon/daemon.h"
#include "server/store/disk_sources.h"
#include "server/store/limited_service.h"
#include "server/support/crash.h"
#include "server/support/log.h"
#include "server/support/process.h"
#include "server/support/write_all.h"
#include "server/transport/stdio_server.h"
#include "server/worker/worker_host.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace placid::server {

namespace {

constexpr std::string_view kUsage = R"(usage: placidd oneshot COMMAND [ARGUMENTS]
       placidd serve [--listen PATH] [--idle SECONDS] [--workers N] [--deadline SECONDS]

oneshot runs one command of `placid` (check, inspect, ir, build, explain, lsp) in this process and ends.
serve   is the daemon in the foreground: it serves clients until it has been idle for long (default 600 s; 0: never).
`placid COMMAND` is the way to call both.
)";

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

/// Turns the signals that end a process into a stop, for a command that has to put things in order first: its tools are
/// in process groups of their own. A second signal ends at once. For the rest of the process.
class SignalStop {
public:
  SignalStop() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
      sigaddset(&signals, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([state = state_, signals] {
      int number = 0;
      while (::sigwait(&signals, &number) == 0) {
        if (state->number.exchange(number) != 0) {
          ::_exit(128 + number);
        }
        state->stop.request_stop();
      }
    }).detach();
  }
  std::stop_token token() const { return state_->stop.get_token(); }
  /// The signal that came, or 0.
  int number() const { return state_->number; }

private:
  struct State {
    std::stop_source stop;
    std::atomic<int> number = 0;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

int runLsp(std::span<const std::string> given, compiler::CompilerService &compiler, bool (*importsPl)(std::string_view),
           const std::string &version) {
  std::vector<OptionSpec> specs = lspOptions();
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
    return writeAll(STDOUT_FILENO, text) == 0 ? ExitCode::kOk : ExitCode::kUsage;
  }
  options.sync = arguments.has("--sync");
  options.session.version = version;
  options.session.options.sources = std::make_shared<DiskSources>();
  options.session.links.pageFolder = pageFolder();
  options.session.importsPl = importsPl;
  return serveStdio(compiler, std::move(options));
}

/// A number of an option, else of a variable of the environment, else `fallback`; nothing when it is none.
std::optional<int> numberOf(const Arguments &arguments, std::string_view option, const char *variable, int fallback) {
  const char *fromEnvironment = std::getenv(variable);
  std::string text = arguments.has(option) ? arguments.value(option) : fromEnvironment ? fromEnvironment : "";
  if (text.empty()) {
    return fallback;
  }
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
  return whole ? std::optional(value) : std::nullopt;
}

/// The variables through which tools are found.
ToolEnvironment ownEnvironment() {
  std::map<std::string, std::string, std::less<>> variables;
  for (std::string_view name : protocol::kCommandEnvironment) {
    if (const char *value = std::getenv(std::string(name).c_str())) {
      variables.emplace(name, value);
    }
  }
  return ToolEnvironment(std::move(variables));
}

/// `serve` for people, `daemon` for a client that starts one: the same, but for who reads the log.
int runServe(std::span<const std::string> words, compiler::CompilerService &compiler,
             bool (*importsPl)(std::string_view), const std::string &version) {
  const std::vector<OptionSpec> specs = {{"--listen", "PATH", "socket"},
                                         {"--idle", "SECONDS", "end after this long without clients; 0: never"},
                                         {"--workers", "N", "compiler processes"},
                                         {"--deadline", "SECONDS", "a compile that takes longer is ended"},
                                         {"--key", "KEY", "internal"},
                                         {"--ready-fd", "FD", "internal"}};
  Arguments arguments = parseArguments(words.subspan(1), specs);
  std::optional<int> idle = numberOf(arguments, "--idle", "PLACID_IDLE_SECONDS", 600);
  std::optional<int> workers = numberOf(arguments, "--workers", "PLACID_WORKERS", 0);
  std::optional<int> deadline = numberOf(arguments, "--deadline", "PLACID_COMPILE_SECONDS", 30);
  std::optional<int> readyFd = numberOf(arguments, "--ready-fd", "", -1);
  if (!arguments.error.empty() || !arguments.positional.empty()) {
    return usage(arguments.error.empty() ? "serve takes no file" : arguments.error);
  }
  if (!idle || !workers || !deadline || !readyFd || *deadline == 0) {
    return usage("expected a number for --idle, --workers and --deadline");
  }
  DaemonOptions options;
  options.version = version;
  options.listen = arguments.value("--listen");
  options.expectKey = arguments.value("--key");
  options.readyFd = *readyFd;
  options.workers = *workers;
  options.idle = std::chrono::seconds(*idle);
  options.callDeadline = std::chrono::seconds(*deadline);
  options.links.pageFolder = pageFolder();
  options.importsPl = importsPl;
  options.environment = ownEnvironment();
  // Other machines are served by who was told to serve, not by what an editor has started.
  options.listenToOthers = words[0] == "serve";
  if (options.listenToOthers && readUserSettings(options.environment).serve.any() && !arguments.has("--idle") &&
      !std::getenv("PLACID_IDLE_SECONDS")) {
    options.idle = std::chrono::seconds(0); // somebody may come at any time
  }
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  if (cache && cache[0] == '/') {
    options.cacheFolder = std::string(cache) + "/placid/results";
  } else if (home && home[0] == '/') {
    options.cacheFolder = std::string(home) + "/.cache/placid/results";
  }
  return runDaemon(compiler, std::move(options));
}

int run(std::span<const std::string> words, compiler::CompilerService &behind, bool (*importsPl)(std::string_view),
        compiler::RunKernels runKernels) {
  if (words.empty()) {
    return usage("a mode is missing");
  }
  if (words[0] == "--help" || words[0] == "-h") {
    return writeAll(STDOUT_FILENO, kUsage) == 0 ? ExitCode::kOk : ExitCode::kUsage;
  }
  std::string version = PLACID_VERSION;
  if (words[0] == "--version") {
    return writeAll(STDOUT_FILENO, "placidd " + version + "\n") == 0 ? ExitCode::kOk : ExitCode::kUsage;
  }
  if (words[0] == "worker") {
    constexpr int kControlFd = 3; // given by the daemon
    dieWithParent(::getppid());
    runWorkerHost(kControlFd, behind);
  }
  if (words[0] == "serve" || words[0] == "daemon") {
    return runServe(words, behind, importsPl, version);
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
    return runLsp(words.subspan(1), compiler, importsPl, version);
  }
  CommandContext context;
  context.compiler = &compiler;
  context.importsPl = importsPl;
  context.runKernels = runKernels;
  context.version = version;
  const char *tmpdir = std::getenv("TMPDIR");
  context.tmpdir = tmpdir ? tmpdir : "";
  context.environment = ownEnvironment();
  const char *noColor = std::getenv("NO_COLOR");
  context.color = ::isatty(STDOUT_FILENO) == 1 && (!noColor || !*noColor);
  context.columns = protocol::terminalColumns(STDERR_FILENO, std::getenv("TERM"));
  context.errorColor = context.columns != 0 && (!noColor || !*noColor);
  context.stream = [](const CommandResult &part) {
    return writeAll(STDERR_FILENO, part.err) == 0 && writeAll(STDOUT_FILENO, part.out) == 0;
  };
  std::optional<SignalStop> signals;
  if (words[0] == "build") {
    signals.emplace();
    context.stop = signals->token();
  }
  CommandResult result = runCommand(words, context);
  if (signals && signals->number() != 0) {
    result.exitCode = 128 + signals->number();
  }
  bool told = writeAll(STDERR_FILENO, result.err) == 0;
  bool wrote = writeAll(STDOUT_FILENO, result.out) == 0;
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
  std::signal(SIGCHLD, SIG_DFL); // inherited as ignored, no end of a child would be seen
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a failed write
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
