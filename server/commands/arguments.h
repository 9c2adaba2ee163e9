// SPDX-License-Identifier: Apache-2.0
// Command-line arguments of one command: which options it has, what was given, and what is wrong with it. Knows no
// command. Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

struct OptionSpec {
  std::string_view name;        ///< With its dashes: "--arch".
  std::string_view placeholder; ///< "ARCH"; empty for a flag.
  std::string_view help;
  bool repeats = false;
};

struct Arguments {
  std::map<std::string, std::vector<std::string>, std::less<>> options;
  std::vector<std::string> positional;
  std::string error; ///< Empty when the arguments fit.

  bool has(std::string_view name) const { return options.find(name) != options.end(); }
  /// The last value given, or empty.
  std::string value(std::string_view name) const;
  std::vector<std::string> values(std::string_view name) const;
};

/// Takes `--name value`, `--name=value`, flags, and everything after `--` as positional; `-` alone is positional.
Arguments parseArguments(std::span<const std::string> given, std::span<const OptionSpec> specs);

} // namespace placid::server
