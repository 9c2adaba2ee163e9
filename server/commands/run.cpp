// SPDX-License-Identifier: Apache-2.0
// `run`: executes one kernel in the reference interpreter. Files hold logical, row-major, little-endian elements; NZ
// arguments are packed and unpacked. A FILE.pto brings its arguments in a manifest.json beside it, or in its views.
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/render/manifest_reader.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace placid::server {

namespace {

std::optional<std::string> readBytes(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return in ? std::optional(bytes.str()) : std::nullopt;
}

std::string names(const std::vector<compiler::LoweredKernel> &kernels) {
  std::vector<std::string> all;
  for (const compiler::LoweredKernel &kernel : kernels) {
    for (const std::string &name : {kernel.entry, kernel.name}) {
      if (!name.empty() && std::find(all.begin(), all.end(), name) == all.end()) {
        all.push_back(name);
      }
    }
  }
  std::string out;
  for (const std::string &name : all) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

/// The kernels that `wanted` names: one, or all that one source function became. An empty name takes the only entry.
std::string choose(std::vector<compiler::LoweredKernel> &kernels, const std::string &wanted) {
  if (kernels.empty()) {
    return "there is no kernel to run";
  }
  std::string entry = wanted;
  if (wanted.empty()) {
    entry = kernels[0].entry;
    bool one = std::all_of(kernels.begin(), kernels.end(), [&](const auto &kernel) { return kernel.entry == entry; });
    if (!one) {
      return "--kernel is missing: there are " + names(kernels);
    }
    return {};
  }
  std::vector<compiler::LoweredKernel> chosen;
  auto is = [&](const compiler::LoweredKernel &kernel, bool byEntry) {
    return byEntry ? kernel.entry == wanted || kernel.entry.ends_with("." + wanted) : kernel.name == wanted;
  };
  for (bool byEntry : {true, false}) {
    for (const compiler::LoweredKernel &kernel : kernels) {
      if (chosen.empty() || is(chosen.back(), byEntry)) {
        if (is(kernel, byEntry)) {
          chosen.push_back(kernel);
        }
      }
    }
    if (!chosen.empty()) {
      break;
    }
  }
  if (chosen.empty()) {
    return "no kernel `" + wanted + "`: there are " + names(kernels);
  }
  kernels = std::move(chosen);
  return {};
}

/// "4x256x512" into extents; false for another text.
bool readShape(const std::string &text, std::vector<int64_t> &out) {
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('x', from), text.size());
    int64_t extent = -1;
    auto [stop, error] = std::from_chars(text.data() + from, text.data() + end, extent);
    if (error != std::errc() || stop != text.data() + end || extent < 0) {
      return false;
    }
    out.push_back(extent);
    from = end + 1;
  }
  return true;
}

/// `--in NAME=FILE`, `--in NAME:SHAPE=FILE` and `--in NAME=VALUE`: what the argument is decides.
std::string readInputs(const Arguments &arguments, compiler::RunRequest &request) {
  for (const std::string &given : arguments.values("--in")) {
    size_t equals = given.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == given.size()) {
      return "`--in " + given + "`: expected NAME=FILE or NAME=VALUE";
    }
    std::string name = given.substr(0, equals);
    std::string value = given.substr(equals + 1);
    if (size_t colon = name.find(':'); colon != std::string::npos) {
      std::vector<int64_t> shape;
      if (colon == 0 || !readShape(name.substr(colon + 1), shape)) {
        return "`--in " + given + "`: expected NAME:SHAPE=FILE with a shape such as 4x256x512";
      }
      name.resize(colon);
      request.shapes[name] = std::move(shape);
    }
    if (request.tensors.count(name) != 0 || request.scalars.count(name) != 0) {
      return "`--in " + name + "` is given twice";
    }
    double number = 0;
    auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && stop == value.data() + value.size()) {
      if (request.shapes.contains(name)) {
        return "`--in " + given + "`: a shape belongs to a file, and " + value + " is a value";
      }
      request.scalars[name] = value;
    } else if (std::optional<std::string> bytes = readBytes(value)) {
      request.tensors[name] = std::move(*bytes);
    } else {
      return "cannot read " + value;
    }
  }
  if (arguments.has("--blocks")) {
    std::string text = arguments.value("--blocks");
    auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), request.blocks);
    if (error != std::errc() || stop != text.data() + text.size() || request.blocks < 1) {
      return "`--blocks " + text + "`: expected a number of at least 1";
    }
  }
  return {};
}

std::string shapeText(const compiler::RunResult::Output &output) {
  std::string out = output.dtype + " [";
  for (size_t i = 0; i < output.shape.size(); ++i) {
    out += (i == 0 ? "" : ", ") + std::to_string(output.shape[i]);
  }
  return out + "]";
}

/// Kernels of a PTO IR text: described by the manifest beside it, where that names the file.
std::string readPto(const std::string &path, std::vector<compiler::LoweredKernel> &out) {
  std::optional<std::string> text = readBytes(path);
  if (!text) {
    return "cannot read " + path;
  }
  std::filesystem::path file(path);
  std::filesystem::path manifest = file.parent_path() / "manifest.json";
  if (std::optional<std::string> json = readBytes(manifest.string())) {
    std::string wrong;
    out = readManifest(*json, file.filename().string(), wrong);
    if (!wrong.empty()) {
      return manifest.string() + ": " + wrong;
    }
  }
  if (out.empty()) {
    out.emplace_back();
  }
  for (compiler::LoweredKernel &kernel : out) {
    kernel.pto = *text;
  }
  return {};
}

} // namespace

CommandResult runRun(const Arguments &arguments, const CommandContext &context) {
  compiler::Options options;
  if (std::string wrong = readCommonOptions(arguments, options); !wrong.empty()) {
    return usageError("run", wrong);
  }
  if (arguments.positional.size() != 1) {
    return usageError("run", "expected one FILE.py or FILE.pto");
  }
  if (!arguments.has("--out")) {
    return usageError("run", "--out DIR is missing");
  }
  compiler::RunRequest request;
  if (std::string wrong = readInputs(arguments, request); !wrong.empty()) {
    return usageError("run", wrong);
  }
  CommandResult result;
  std::string kernel = arguments.value("--kernel");
  if (arguments.positional[0].ends_with(".pto")) {
    if (std::string wrong = readPto(arguments.positional[0], request.kernels); !wrong.empty()) {
      return usageError("run", wrong);
    }
    if (request.kernels.size() == 1 && request.kernels[0].name.empty()) {
      request.kernels[0].name = kernel; // no manifest: the function of that name
    } else if (std::string wrong = choose(request.kernels, kernel); !wrong.empty()) {
      return usageError("run", wrong);
    }
  } else {
    compiler::LowerResult lowered;
    source::SourcePtr text = readOnlyFile("run", arguments, result, lowered.check);
    if (!text) {
      return result;
    }
    if (lowered.check.diagnostics.empty()) {
      lowered = context.compiler->lower(text, options, {});
    }
    promoteUnsupported(lowered.check.diagnostics);
    Texts texts({text});
    result.err = renderDiagnostics(lowered.check.diagnostics, texts, false);
    request.kernels = std::move(lowered.kernels);
    std::string wrong = choose(request.kernels, kernel);
    result.exitCode = exitCodeOf(lowered.check.diagnostics, texts, context, result.err);
    if (result.exitCode == ExitCode::kInternal || (result.exitCode != ExitCode::kOk && !wrong.empty())) {
      return result;
    }
    if (!wrong.empty()) {
      return usageError("run", wrong);
    }
    result.exitCode = ExitCode::kOk; // faults of other kernels do not stop this one
  }
  if (context.runKernels == nullptr) {
    return usageError("run", "this server cannot run kernels");
  }
  compiler::RunResult run = context.runKernels(request, {});
  if (!run.wrong.empty()) {
    return usageError("run", run.wrong);
  }
  if (!run.fault.empty()) {
    result.err += "error: " + run.fault + "\n" + (run.faultAt.empty() ? "" : "  --> " + run.faultAt + "\n");
    result.exitCode = ExitCode::kDiagnostics;
    return result;
  }
  std::string folder = arguments.value("--out");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const compiler::RunResult::Output &output : run.outputs) {
    std::string path = folder + "/" + output.name + ".bin";
    if (std::string failure = writeAtomically(path, output.bytes); !failure.empty()) {
      result.err += "placid: " + failure + "\n";
      result.exitCode = ExitCode::kUsage;
      return result;
    }
    result.out += "wrote " + path + ": " + shapeText(output);
    result.out += output.unwritten != 0 ? ", " + std::to_string(output.unwritten) + " elements never written\n" : "\n";
  }
  return result;
}

} // namespace placid::server
