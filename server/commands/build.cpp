// SPDX-License-Identifier: Apache-2.0
// `build --until pto`: lowers every kernel of files and folders and writes DIR/<kernel>.pto and DIR/manifest.json.
// Nothing is written unless everything was lowered: a folder holds the results of one whole build.
#include "compiler/diagnostics/render_text.h"
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/commands/sources.h"
#include "server/render/json_output.h"
#include "server/store/limited_service.h"

#include <filesystem>
#include <map>

namespace placid::server {

namespace {

struct Lowered {
  std::string path;
  compiler::LowerResult result;
};

bool usableName(const std::string &name) {
  return !name.empty() && name[0] != '.' && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

/// Kernels of one name get their qualified names, so that they can share one folder.
void nameApart(std::vector<Lowered> &all) {
  std::map<std::string, size_t> uses;
  for (const Lowered &file : all) {
    for (const compiler::LoweredKernel &kernel : file.result.kernels) {
      ++uses[kernel.name];
    }
  }
  for (Lowered &file : all) {
    for (compiler::LoweredKernel &kernel : file.result.kernels) {
      if (uses[kernel.name] > 1) {
        bool own = kernel.entry == kernel.name || kernel.entry.ends_with("." + kernel.name);
        kernel.name = own ? kernel.entry : kernel.entry + "." + kernel.name;
      }
    }
  }
}

/// Why the kernels cannot share one folder, or empty.
std::string nameFault(const std::vector<Lowered> &all) {
  std::map<std::string, std::string> owners;
  for (const Lowered &file : all) {
    for (const compiler::LoweredKernel &kernel : file.result.kernels) {
      if (!usableName(kernel.name)) {
        return "kernel `" + kernel.name + "` of " + file.path + " has a name that cannot be a file's";
      }
      auto [owner, added] = owners.emplace(kernel.name, file.path);
      if (!added) {
        return "`" + kernel.name + ".pto` would be written for " + owner->second + " and for " + file.path +
               ": build them into different folders";
      }
    }
  }
  return {};
}

std::string stageFault(const Arguments &arguments) {
  std::string until = arguments.has("--until") ? arguments.value("--until") : "link";
  if (until == "cpp" || until == "object" || until == "link") {
    return "--until " + until +
           " needs the PTO toolchain (ptoas and an Ascend C++ compiler), which placid does not drive " +
           "yet; --until pto is available";
  }
  if (until == "pl") {
    return "--until pl is not available yet: `placid ir` prints the PL IR";
  }
  if (until != "pto") {
    return "unknown stage `" + until + "`: --until pto is available";
  }
  for (const char *option : {"--toolchain", "--remote", "--events"}) {
    if (arguments.has(option)) {
      return std::string(option) + " is not available yet";
    }
  }
  return {};
}

} // namespace

CommandResult runBuild(const Arguments &arguments, const CommandContext &context) {
  compiler::Options options;
  if (std::string wrong = readCommonOptions(arguments, options); !wrong.empty()) {
    return usageError("build", wrong);
  }
  if (std::string wrong = stageFault(arguments); !wrong.empty()) {
    return usageError("build", wrong);
  }
  if (arguments.positional.empty()) {
    return usageError("build", "expected at least one PATH");
  }
  Sources sources = readSources(arguments.positional, context.importsPl);
  CommandResult result;
  if (!sources.errors.empty()) {
    for (const std::string &error : sources.errors) {
      result.err += "placid: " + error + "\n";
    }
    result.exitCode = ExitCode::kUsage;
    return result;
  }

  allowImports(arguments.positional, options);
  Texts texts(sources.texts);
  std::vector<Lowered> all;
  std::vector<diag::Diagnostic> diagnostics;
  UnusedDefines unused;
  auto take = [&](const std::vector<diag::Diagnostic> &more) {
    diagnostics.insert(diagnostics.end(), more.begin(), more.end());
  };
  for (const auto &[path, bytes] : sources.tooLarge) {
    take(tooLarge(path, bytes).diagnostics);
  }
  uint32_t kernels = 0;
  for (const source::SourcePtr &text : sources.texts) {
    all.push_back({text->path, context.compiler->lower(text, options, {})});
    take(all.back().result.check.diagnostics);
    unused.add(all.back().result.check);
    kernels += static_cast<uint32_t>(all.back().result.kernels.size());
  }
  if (context.stop.stop_requested()) {
    return {ExitCode::kInternal, "", "placid: the client is gone; nothing was written\n"};
  }
  promoteUnsupported(diagnostics);
  diag::sortAndDedupe(diagnostics);
  result.err = renderDiagnostics(diagnostics, texts, false) + unused.text();
  result.exitCode = exitCodeOf(diagnostics, texts, context, result.err);
  if (result.exitCode != ExitCode::kOk) {
    result.err += "placid: nothing was written\n";
    return result;
  }
  nameApart(all);
  if (std::string fault = nameFault(all); !fault.empty()) {
    result.err += "placid: " + fault + "\n";
    result.exitCode = ExitCode::kDiagnostics;
    return result;
  }

  std::string folder = arguments.has("--out") ? arguments.value("--out") : "placid-out";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    result.err += "placid: cannot make " + folder + ": " + error.message() + "\n";
    result.exitCode = ExitCode::kUsage;
    return result;
  }
  std::vector<ManifestEntry> entries;
  std::string failure;
  for (const Lowered &file : all) {
    for (const compiler::LoweredKernel &kernel : file.result.kernels) {
      entries.push_back({file.path, file.result.arch, &kernel});
      if (failure.empty()) {
        failure = writeAtomically(folder + "/" + kernel.name + ".pto", kernel.pto);
      }
    }
  }
  // The manifest comes last: where it is new, everything it names is there.
  if (failure.empty()) {
    failure = writeAtomically(folder + "/manifest.json", manifestJson(entries, context.version));
  }
  if (!failure.empty()) {
    result.err += "placid: " + failure + "\n";
    result.exitCode = ExitCode::kDiagnostics;
    return result;
  }
  result.out = "wrote " + std::to_string(kernels) + (kernels == 1 ? " kernel" : " kernels") + " and manifest.json to " +
               folder + "\n";
  return result;
}

} // namespace placid::server
