// SPDX-License-Identifier: Apache-2.0
#include "server/commands/arguments.h"

#include <algorithm>

namespace placid::server {

std::string Arguments::value(std::string_view name) const {
  auto found = options.find(name);
  return found == options.end() ? std::string() : found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view name) const {
  auto found = options.find(name);
  return found == options.end() ? std::vector<std::string>() : found->second;
}

Arguments parseArguments(std::span<const std::string> given, std::span<const OptionSpec> specs) {
  Arguments out;
  bool onlyPositional = false;
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string &word = given[i];
    if (onlyPositional || word.size() < 2 || word[0] != '-') {
      out.positional.push_back(word);
      continue;
    }
    if (word == "--") {
      onlyPositional = true;
      continue;
    }
    size_t equals = word.substr(0, 2) == "--" ? word.find('=') : std::string::npos;
    std::string name = word.substr(0, equals);
    const auto *spec = std::find_if(specs.data(), specs.data() + specs.size(),
                                    [&](const OptionSpec &candidate) { return candidate.name == name; });
    if (spec == specs.data() + specs.size()) {
      out.error = "unknown option `" + name + "`";
      return out;
    }
    std::string value;
    if (spec->placeholder.empty()) {
      if (equals != std::string::npos) {
        out.error = "`" + name + "` takes no value";
        return out;
      }
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < given.size()) {
      value = given[++i];
    } else {
      out.error = "`" + name + "` needs a value: " + name + " " + std::string(spec->placeholder);
      return out;
    }
    std::vector<std::string> &values = out.options[name];
    if (!values.empty() && !spec->repeats && !spec->placeholder.empty() && values.back() != value) {
      out.error = "`" + name + "` is given twice, as `" + values.back() + "` and `" + value + "`";
      return out;
    }
    values.push_back(std::move(value));
  }
  return out;
}

} // namespace placid::server
