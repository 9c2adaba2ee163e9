// SPDX-License-Identifier: Apache-2.0
// Which tools this machine has, looked for where users expect: the user's own settings, the variables of the toolchain,
// PATH. A project never names a program that is then run. Looks at the environment it is handed and at the file system;
// runs nothing. Blocking; any thread.
#pragma once

#include "compiler/toolchain/toolchain.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

/// Variables by name, those of the client that asked.
class ToolEnvironment {
public:
  ToolEnvironment() = default;
  explicit ToolEnvironment(std::map<std::string, std::string, std::less<>> variables)
      : variables_(std::move(variables)) {}
  /// Empty when it is not set.
  std::string get(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>> &all() const { return variables_; }

private:
  std::map<std::string, std::string, std::less<>> variables_;
};

/// `[toolchain.NAME]` of the user's config.toml.
struct ToolchainSettings {
  std::string ptoas, isa, cann, cxx; ///< Paths; empty: looked for.
  std::vector<std::string> ptoasFlags, cxxFlags;
};

/// `[serve]`: where other machines may ask for builds, and who.
struct ServeSettings {
  std::string tls;       ///< "host:port".
  std::string cert, key; ///< Of this machine, in PEM.
  std::string clientCa;  ///< Whose certificates say who a client is.
  std::string tokens;    ///< A file of names and tokens.
  std::string http;      ///< "127.0.0.1:port", for this machine alone.
  bool any() const { return !tls.empty() || !http.empty(); }
};

/// `[remote.NAME]`: a build service elsewhere.
struct RemoteSettings {
  std::string address;   ///< "host:port", or "unix:/path" of a daemon's socket.
  std::string ca;        ///< Who vouches for it; empty: whom the system trusts.
  std::string cert, key; ///< Of this client.
  std::string tokenFile;
};

struct UserSettings {
  std::map<std::string, ToolchainSettings, std::less<>> toolchains;
  ServeSettings serve;
  std::map<std::string, RemoteSettings, std::less<>> remotes;
  std::string path;                ///< Where they were looked for.
  std::vector<std::string> faults; ///< A line each, with the place; what is wrong is not taken.
};
/// From `$XDG_CONFIG_HOME/placid/config.toml`.
UserSettings readUserSettings(const ToolEnvironment &environment);

struct FoundTool {
  std::string path;    ///< Empty: missing.
  std::string from;    ///< "PATH", "PTOAS_ROOT", "config.toml" …
  std::string missing; ///< What was looked for and how to get it; empty when it is there.
  explicit operator bool() const { return !path.empty(); }
};

struct ToolchainTools {
  FoundTool ptoas; ///< A program.
  FoundTool isa;   ///< A folder with include/pto.
  FoundTool cann;  ///< A folder with bin; of no meaning for the host.
  FoundTool cxx;   ///< A program: the device compiler, or the host's.
};

ToolchainTools findTools(const toolchain::Toolchain &toolchain, const ToolEnvironment &environment,
                         const UserSettings &settings);

/// The program `name` in the folders of PATH, or empty.
std::string programOnPath(const ToolEnvironment &environment, const std::string &name);
bool isProgram(const std::string &path);

} // namespace placid::server
