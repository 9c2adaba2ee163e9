// SPDX-License-Identifier: Apache-2.0
// The first messages on a daemon's socket and the request that runs a command: typed, with their JSON. Separate from
// LSP, because they come before a connection has a role. Any thread; nothing throws.
#pragma once

#include "protocol/json.h"
#include "protocol/jsonrpc/error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::protocol {

inline constexpr std::string_view kHelloMethod = "placid/hello";
inline constexpr std::string_view kCommandMethod = "command/run";
inline constexpr std::string_view kOutputMethod = "command/output";

enum class Role : uint8_t { Lsp, Build, Admin };
std::string_view roleName(Role role);

/// What of a client's own place decides how its commands run.
struct Surroundings {
  uint32_t umask = 022;
  std::string tmpdir;
  std::map<std::string, std::string> environment; ///< The variables of kCommandEnvironment that are set.
};

struct Hello {
  int protocolMin = 0;
  int protocolMax = 0;
  std::string buildId; ///< Empty: any will do.
  Role role = Role::Build;
  std::vector<std::string> arguments; ///< Of `placid lsp`, for the role Lsp.
  std::string cwd;                    ///< For the role Lsp: the folder that relative paths start from.
  std::optional<Surroundings> place;  ///< For the role Lsp: of its builds. Nothing: they run as the daemon would.
  std::string token;                  ///< Over TCP: who this is, where no certificate says so.
};

struct Welcome {
  int protocol = 0;
  std::string buildId;
  std::string version;
  int64_t pid = 0;
};

/// One command line of `placid`, to be run as if in the client's own place.
struct CommandRun : Surroundings {
  std::vector<std::string> words;
  std::string cwd;
  bool color = false;
  uint32_t columns = 0; ///< Of the terminal that standard error is; 0: it is none.
  bool errorColor = false;
};

/// Variables that say where a client's tools are: a command looks for them as if in the client's own place.
inline constexpr std::string_view kCommandEnvironment[] = {"PATH",
                                                           "HOME",
                                                           "XDG_CONFIG_HOME",
                                                           "XDG_CACHE_HOME",
                                                           "PTOAS_ROOT",
                                                           "PTO_ISA_PATH",
                                                           "PTO_ISA_ROOT",
                                                           "ASCEND_HOME_PATH",
                                                           "ASCEND_TOOLKIT_HOME",
                                                           "PLACID_BUILD_JOBS",
                                                           "PLACID_TOOL_SECONDS",
                                                           "PLACID_TOOL_MEMORY"};

/// What a command writes, in order; the answer to the request is the exit code.
struct CommandOutput {
  bool error = false; ///< For standard error.
  std::string text;
};

Json toJson(const Hello &hello);
Json toJson(const Welcome &welcome);
Json toJson(const CommandRun &run);
Json toJson(const CommandOutput &output);
Result<Hello> helloFromJson(const Json &params);
Result<Welcome> welcomeFromJson(const Json &result);
Result<CommandRun> commandRunFromJson(const Json &params);
Result<CommandOutput> commandOutputFromJson(const Json &params);

/// Bytes that need not be UTF-8 (paths, output) as text that JSON can carry, and back.
std::string packBytes(std::string_view bytes);
std::string unpackBytes(std::string_view text);

} // namespace placid::protocol
