// SPDX-License-Identifier: Apache-2.0
// The commands `check`, `inspect`, `ir`, `build`, `run` and `explain` as functions from arguments to output and an exit
// code, and the table of them. They hold no process state, so that a daemon can run them for a client with the same
// bytes. Knows neither sockets nor JSON-RPC. One command at a time per CompilerService.
#pragma once

#include "compiler/driver/compiler_service.h"
#include "compiler/driver/kernel_runner.h"
#include "server/build/toolchains/discovery.h"
#include "server/commands/arguments.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace placid::server {

/// What the outside contract fixes.
struct ExitCode {
  static constexpr int kOk = 0;
  static constexpr int kDiagnostics = 1;
  static constexpr int kUsage = 2;
  static constexpr int kInternal = 3;
  static constexpr int kUnreachable = 4;
};

struct CommandResult {
  int exitCode = ExitCode::kOk;
  std::string out;
  std::string err;
};

struct CommandContext {
  compiler::CompilerService *compiler = nullptr;
  bool (*importsPl)(std::string_view) = nullptr;
  std::string version;
  bool color = false;          ///< For text on standard output.
  size_t columns = 0;          ///< Of the terminal that standard error is; 0: it is none, or none that can draw over.
  bool errorColor = false;     ///< For text on it.
  std::stop_token stop;        ///< The client is gone: nothing is to be written any more.
  std::string tmpdir;          ///< For reproducers; empty: /tmp.
  ToolEnvironment environment; ///< The client's variables, as far as tools are found through them.
  /// Writes at once what a command that goes on has to say (--watch); false when nobody reads any more. Not set: such
  /// commands are refused.
  std::function<bool(const CommandResult &)> stream;
  compiler::RunKernels runKernels = nullptr; ///< Null where nothing can be run.
  /// Further compilers: a command with many texts may give each of these a thread of its own.
  std::vector<compiler::CompilerService *> more;
};

struct CommandSpec {
  std::string_view name;
  std::string_view usage;   ///< After the name: "[options] PATH...".
  std::string_view summary; ///< One line.
  std::vector<OptionSpec> options;
  CommandResult (*run)(const Arguments &, const CommandContext &);
};

std::span<const CommandSpec> commandTable();
/// Runs `words[0]` with the rest as its arguments; `--help` prints the command's options.
CommandResult runCommand(std::span<const std::string> words, const CommandContext &context);
/// "placid check: why", exit code 2.
CommandResult usageError(std::string_view command, const std::string &why);

// One function a file of the same name.
CommandResult runCheck(const Arguments &arguments, const CommandContext &context);
CommandResult runInspect(const Arguments &arguments, const CommandContext &context);
CommandResult runIr(const Arguments &arguments, const CommandContext &context);
CommandResult runBuild(const Arguments &arguments, const CommandContext &context);
CommandResult runRun(const Arguments &arguments, const CommandContext &context);
CommandResult runConfig(const Arguments &arguments, const CommandContext &context);
CommandResult runDoctor(const Arguments &arguments, const CommandContext &context);
CommandResult runExplain(const Arguments &arguments, const CommandContext &context);

/// The options of `lsp`, which is no command of this table: it serves instead of ending.
std::vector<OptionSpec> lspOptions();
/// The options that every compiling command takes.
std::vector<OptionSpec> commonOptions();
/// Reads them. A non-empty result is what is wrong.
std::string readCommonOptions(const Arguments &arguments, compiler::Options &options);

} // namespace placid::server
