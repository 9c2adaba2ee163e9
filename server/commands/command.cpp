// SPDX-License-Identifier: Apache-2.0
#include "server/commands/command.h"

#include "compiler/target/arch.h"
#include "compiler/target/planner.h"
#include "server/settings/project_settings.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <system_error>

namespace placid::server {

namespace {

std::vector<OptionSpec> with(std::vector<OptionSpec> own) {
  std::vector<OptionSpec> all = commonOptions();
  own.insert(own.end(), all.begin(), all.end());
  return own;
}

bool isIdentifier(std::string_view text) {
  auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80) != 0; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return part(c) || c == '.'; });
}

std::string help(const CommandSpec &spec) {
  std::string out = "usage: placid " + std::string(spec.name) + " " + std::string(spec.usage) + "\n\n" +
                    std::string(spec.summary) + "\n";
  if (!spec.options.empty()) {
    out += "\noptions:\n";
  }
  size_t width = 0;
  auto left = [](const OptionSpec &option) {
    return std::string(option.name) + (option.placeholder.empty() ? "" : " ") + std::string(option.placeholder);
  };
  for (const OptionSpec &option : spec.options) {
    width = std::max(width, left(option).size());
  }
  for (const OptionSpec &option : spec.options) {
    std::string name = left(option);
    out += "  " + name + std::string(width - name.size() + 2, ' ') + std::string(option.help) + "\n";
  }
  return out;
}

} // namespace

std::vector<OptionSpec> commonOptions() {
  return {
      {"--arch", "ARCH", "target: a2, a3 or a5 (a2a3 means a3)"},
      {"--planner", "NAME", "who gives tiles their addresses: placid (default) or ptoas"},
      {"--entry", "NAME", "only this kernel; may be repeated", true},
      {"--define", "NAME=VALUE", "override a module constant with a Python literal; may be repeated", true},
      {"--no-daemon", "", "run in one process of its own instead of the daemon"},
  };
}

std::vector<OptionSpec> lspOptions() {
  return with({{"--sync", "", "with --no-daemon: answer everything in order, without a compile thread"},
               {"--stdio", "", "accepted: standard input and output are what is served"},
               {"--help", "", "print this"}});
}

std::string readCommonOptions(const Arguments &arguments, compiler::Options &options) {
  if (arguments.has("--arch")) {
    std::optional<target::Arch> arch = target::parseArch(arguments.value("--arch"));
    if (!arch) {
      return "unknown arch `" + arguments.value("--arch") + "`: expected " + std::string(target::kArchChoices);
    }
    options.arch = target::archName(*arch);
  }
  if (arguments.has("--planner")) {
    options.planner = arguments.value("--planner");
    if (!target::parsePlanner(options.planner)) {
      return "unknown planner `" + options.planner + "`: expected " + std::string(target::kPlannerChoices);
    }
  }
  options.entries = arguments.values("--entry");
  for (const std::string &define : arguments.values("--define")) {
    size_t equals = define.find('=');
    if (equals == std::string::npos || !isIdentifier(std::string_view(define).substr(0, equals)) ||
        equals + 1 == define.size()) {
      return "`--define " + define + "`: expected NAME=VALUE with a Python literal as the value";
    }
    options.defines[define.substr(0, equals)] = define.substr(equals + 1);
  }
  return {};
}

CommandResult usageError(std::string_view command, const std::string &why) {
  return {ExitCode::kUsage, "",
          "placid " + std::string(command) + ": " + why + "\nsee: placid " + std::string(command) + " --help\n"};
}

std::span<const CommandSpec> commandTable() {
  static const std::vector<CommandSpec> table = {
      {"check", "[options] PATH...", "Reports every fault of the kernels in the given files and folders.",
       with({{"--format", "FORMAT", "text (default), json (one object a line), sarif, github or junit"},
             {"--timing", "", "add the time taken to the summary"},
             {"--watch", "", "check again whenever a file changes, until interrupted"}}),
       runCheck},
      {"inspect", "[options] FILE", "Shows what every NZ tensor and every access to one became, and why.",
       with({{"--format", "FORMAT", "text (default), json, or a picture: svg, html"},
             {"--tensor", "NAME", "svg and html: only this tensor"}}),
       runInspect},
      {"ir", "[options] FILE", "Prints the IR of the kernels, units separated by `// -----`.",
       with({{"--after", "PASS", "the IR after this pass (CamelCase name)"},
             {"--all", "", "the IR after every pass"},
             {"--kernel", "NAME", "only this kernel"},
             {"--emit", "FORM", "pto: the PTO IR that the toolchain reads"},
             {"--phase", "NAME", "the IR at the end of frontend, check, tiling or pto"}}),
       runIr},
      {"build", "[options] PATH...",
       "Builds kernels, as far as the tools here reach, and writes the results with a manifest.",
       with({{"--until", "STAGE", "the last stage: pl, pto, cpp, object or link; what it lacks is then an error"},
             {"--out", "DIR", "where results are written (default: placid-out)"},
             {"--watch", "", "build again whenever a file changes, until interrupted"},
             {"--format", "FORMAT", "text (default), on standard output sarif, github or junit, or ndjson: the events"},
             {"--toolchain", "NAME", "cann-a3, cann-a5 or cpu-sim (default: that of the chip)"},
             {"--remote", "NAME", "build at [remote.NAME] of the user's settings, which needs no tools here"},
             {"--remote-fallback", "", "build here when the remote cannot be reached, and say so"},
             {"--quiet", "", "do not say what was written"},
             {"--host-entry", "", "also write KERNEL.entry.h: a host's side of each call, in C++"},
             {"--executor", "NAME", "local or reapi: where the tools run (default: that of the user's settings)"},
             {"--trace", "FILE", "where the time went, for Perfetto and Chrome's about:tracing"},
             {"--events", "TARGET", "what happens, a JSON object a line: to a file, fd:N, or - for standard output"}}),
       runBuild},
      {"run", "--kernel K --in NAME=FILE ... --out DIR FILE.py|FILE.pto",
       "Executes one kernel in the reference interpreter. Files hold logical, row-major, little-endian elements.",
       with({{"--kernel", "NAME", "a source function, or one kernel it became; needed where there are several"},
             {"--in", "NAME=FILE",
              "a tensor's bytes (NAME:4x256x512=FILE: of this shape), or NAME=VALUE for a scalar or an extent; may be "
              "repeated",
              true},
             {"--out", "DIR", "where NAME.bin is written for every argument that the kernel writes"},
             {"--blocks", "N", "run N blocks (default: what the program launches, else 1)"}}),
       runRun},
      {"doctor",
       "",
       "Shows which tools of the PTO toolchain this machine has, and how to get what is missing.",
       {{"--no-daemon", "", "accepted everywhere; doctor looks by itself"}},
       runDoctor},
      {"config", "--explain [options] [PATH]",
       "Shows the settings that are in force for a file or folder, and where each value comes from.",
       with({{"--explain", "", "say it"}}), runConfig},
      {"explain",
       "CODE",
       "Explains a diagnostic code such as PL3105, or its name such as nz-offset-align.",
       {{"--no-daemon", "", "accepted everywhere; explain needs no compiler"}},
       runExplain},
  };
  return table;
}

namespace {

/// What is wrong with the settings of the paths that a command is about, a line each; empty when nothing is. Warnings
/// are for editors.
std::string settingsFaults(const Arguments &arguments, const CommandSpec &spec) {
  std::string out;
  if (spec.name == "explain") {
    return out;
  }
  SettingsFinder finder;
  std::set<const SettingsFinder::Found *> told;
  for (const std::string &path : arguments.positional) {
    std::error_code error;
    bool folder = std::filesystem::is_directory(path, error);
    const SettingsFinder::Found *found = finder.find(folder ? path + "/source.py" : path);
    if (!found || !told.insert(found).second) {
      continue;
    }
    for (const SettingsFault &fault : found->settings.faults) {
      source::Position at = found->text->range(fault.range).start;
      if (!fault.warning) {
        out += "placid: " + found->text->path + ":" + std::to_string(at.line + 1) + ":" +
               std::to_string(at.character + 1) + ": " + fault.message + "\n";
      }
    }
  }
  return out;
}

} // namespace

CommandResult runCommand(std::span<const std::string> words, const CommandContext &context) {
  std::span<const CommandSpec> table = commandTable();
  auto spec = std::find_if(table.begin(), table.end(),
                           [&](const CommandSpec &candidate) { return !words.empty() && candidate.name == words[0]; });
  if (spec == table.end()) {
    return {ExitCode::kUsage, "", "placid: unknown command `" + (words.empty() ? std::string() : words[0]) + "`\n"};
  }
  std::span<const std::string> rest = words.subspan(1);
  for (const std::string &word : rest) {
    if (word == "--") {
      break;
    }
    if (word == "--help" || word == "-h") {
      return {ExitCode::kOk, help(*spec), ""};
    }
  }
  Arguments arguments = parseArguments(rest, spec->options);
  if (!arguments.error.empty()) {
    return usageError(spec->name, arguments.error);
  }
  if (std::string faults = settingsFaults(arguments, *spec); !faults.empty()) {
    return {ExitCode::kUsage, "", std::move(faults)};
  }
  return spec->run(arguments, context);
}

} // namespace placid::server
