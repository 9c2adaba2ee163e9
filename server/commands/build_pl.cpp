// SPDX-License-Identifier: Apache-2.0
#include "server/commands/build_pl.h"

#include "server/commands/build_names.h"
#include "server/commands/report.h"
#include "server/store/limited_service.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace placid::server {

namespace {

/// After it nothing is left of PL.
constexpr const char *kFirstPtoPass = "ConvertPlToPto";

std::string lastPlPass(const compiler::CompilerService &compiler) {
  std::vector<std::string> passes = compiler.passNames();
  auto pto = std::find(passes.begin(), passes.end(), kFirstPtoPass);
  return pto == passes.begin() || pto == passes.end() ? std::string() : *std::prev(pto);
}

/// Why the kernels cannot share one folder, or empty.
std::string nameFault(const std::vector<PlKernel> &kernels) {
  FileOwners owners;
  for (const PlKernel &kernel : kernels) {
    std::string wrong = FileOwners::unusable(kernel.name, kernel.source);
    wrong = wrong.empty() ? owners.claim(kernel.name + ".mlir", kernel.name, kernel.source) : wrong;
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

} // namespace

PlBuild buildPl(const Sources &sources, const compiler::Options &options, const CommandContext &context,
                BuildEvents &events) {
  PlBuild out;
  compiler::IrRequest request;
  request.afterPass = lastPlPass(*context.compiler);
  UnusedDefines unused;
  for (const auto &[path, bytes] : sources.tooLarge) {
    std::vector<diag::Diagnostic> large = tooLarge(path, bytes).diagnostics;
    out.diagnostics.insert(out.diagnostics.end(), large.begin(), large.end());
  }
  for (const source::SourcePtr &text : sources.texts) {
    if (context.stop.stop_requested()) {
      return out;
    }
    compiler::IrResult ir = context.compiler->ir(text, options, request, context.stop);
    out.diagnostics.insert(out.diagnostics.end(), ir.check.diagnostics.begin(), ir.check.diagnostics.end());
    out.modules.insert(ir.check.modulesRead.begin(), ir.check.modulesRead.end());
    unused.add(ir.check);
    if (!ir.error.empty() && out.error.empty()) {
      out.error = text->path + ": " + ir.error;
    }
    if (ir.units.size() < ir.check.counts.kernels && out.error.empty()) {
      out.error = text->path + ": " + std::to_string(ir.check.counts.kernels - ir.units.size()) + " of its " +
                  std::to_string(ir.check.counts.kernels) + " kernels have no PL IR";
    }
    events.emit("fileLowered", {{"source", text->path}, {"kernels", ir.units.size()}});
    for (compiler::IrUnit &unit : ir.units) {
      out.kernels.push_back({std::move(unit.kernel), text->path, std::move(unit.text)});
    }
  }
  out.unusedDefines = unused.text();
  if (out.error.empty()) {
    out.error = nameFault(out.kernels);
  }
  return out;
}

std::string plManifestJson(const std::vector<PlKernel> &kernels, const std::string &version) {
  using Ordered = nlohmann::ordered_json;
  Ordered list = Ordered::array();
  for (const PlKernel &kernel : kernels) {
    Ordered one = {{"name", kernel.name}, {"entry", kernel.name}, {"source", kernel.source}};
    one["pl"] = kernel.name + ".mlir";
    list.push_back(std::move(one));
  }
  Ordered whole = {{"schema", 1}, {"placid", version}, {"kernels", std::move(list)}};
  return whole.dump(2, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

} // namespace placid::server
