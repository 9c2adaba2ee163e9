// SPDX-License-Identifier: Apache-2.0
#include "server/render/json_output.h"

#include "compiler/toolchain/kernel_cpp.h"
#include "server/render/host_extents.h"

#include <nlohmann/json.hpp>

namespace placid::server {

namespace {

using Ordered = nlohmann::ordered_json;

Ordered position(source::Position at) { return {{"line", at.line}, {"character", at.character}}; }

Ordered range(const diag::Location &at, const TextLookup &lookup) {
  source::SourcePtr text = lookup(at.path);
  source::Range found = text ? text->range(at.range) : source::Range{};
  return {{"start", position(found.start)}, {"end", position(found.end)}};
}

std::string_view severityName(diag::Severity severity) {
  switch (severity) {
  case diag::Severity::Error:
    return "error";
  case diag::Severity::Warning:
    return "warning";
  case diag::Severity::Information:
    return "information";
  case diag::Severity::Hint:
    return "hint";
  }
  return "error";
}

Ordered expr(const compiler::Expr &value) {
  const auto *number = std::get_if<int64_t>(&value);
  return number ? Ordered(*number) : Ordered(std::get<std::string>(value));
}

Ordered list(const std::vector<compiler::Expr> &values) {
  Ordered out = Ordered::array();
  for (const compiler::Expr &value : values) {
    out.push_back(expr(value));
  }
  return out;
}

/// Paths and messages may hold bytes that are no UTF-8; output is valid JSON all the same.
std::string text(const Ordered &value, int indent = -1) {
  return value.dump(indent, ' ', false, Ordered::error_handler_t::replace);
}

Ordered tensorJson(const compiler::InspectTensor &tensor, const source::SourceText &source) {
  Ordered out = {{"name", tensor.name},
                 {"line", source.lines.lineColumn(tensor.annotation.begin).line + 1},
                 {"layout", tensor.layout},
                 {"dtype", tensor.dtype},
                 {"logical", list(tensor.logical)}};
  if (tensor.c0 > 0) {
    out["c0"] = tensor.c0;
  }
  if (!tensor.rejected.empty()) {
    out["rejected"] = tensor.rejected;
  } else if (!tensor.blocked.empty()) {
    out["blocked"] = list(tensor.blocked);
    out["strides"] = list(tensor.strides);
  }
  return out;
}

int64_t lineOf(source::ByteRange range, const source::SourceText &source) {
  return source.lines.lineColumn(range.begin).line + 1;
}

Ordered lists(const std::vector<std::vector<compiler::Expr>> &values) {
  Ordered out = Ordered::array();
  for (const std::vector<compiler::Expr> &value : values) {
    out.push_back(list(value));
  }
  return out;
}

/// `line` 0 leaves it out.
Ordered tileJson(const compiler::TilePlan &plan, int64_t line) {
  Ordered out = Ordered::object();
  if (line > 0) {
    out["line"] = line;
  }
  if (!plan.result.empty()) {
    out["result"] = plan.result;
  }
  out["function"] = plan.function;
  out["shape"] = plan.shape;
  out["tile"] = plan.tile;
  out["stationary"] = plan.stationary;
  return out;
}

Ordered memoryJson(const std::vector<compiler::MemoryUse> &uses) {
  Ordered out = Ordered::array();
  for (const compiler::MemoryUse &use : uses) {
    out.push_back({{"function", use.function},
                   {"space", use.space},
                   {"hardware", use.hardware},
                   {"used", use.used},
                   {"capacity", use.capacity}});
  }
  return out;
}

Ordered accessJson(const compiler::InspectAccess &access, const source::SourceText &source) {
  Ordered out = {
      {"op", access.op}, {"tensor", access.tensor}, {"line", source.lines.lineColumn(access.range.begin).line + 1}};
  if (!access.result.empty()) {
    out["result"] = access.result;
  }
  if (!access.rejected.empty()) {
    out["rejected"] = access.rejected;
    return out;
  }
  out["offsets"] = list(access.offsets);
  out["sizes"] = list(access.sizes);
  out["tile"] = list(access.tile);
  if (access.gapBlocks) {
    out["gapBlocks"] = *access.gapBlocks;
  }
  out["proof"] = Ordered::array();
  for (const compiler::OffsetProof &proof : access.proof) {
    out["proof"].push_back({{"axis", proof.axis},
                            {"factor", proof.factor},
                            {"expr", proof.expr},
                            {"multiple", proof.multiple},
                            {"nonNegative", proof.nonNegative}});
  }
  return out;
}

/// How a host lays out an NZ argument: `panels` planes of fractals, one after the other.
Ordered packingJson(const compiler::LoweredKernel::Argument &argument) {
  Ordered out = {{"panelElements", argument.panelElements}, {"panels", expr(argument.blocked.front())}};
  out["elementBytes"] = argument.elementBytes;
  if (const auto *panels = std::get_if<int64_t>(&argument.blocked.front())) {
    out["bytes"] = *panels * argument.panelElements * argument.elementBytes;
  }
  out["rank"] = argument.shape.size();
  out["dynamicBatch"] = argument.dynamicBatch;
  return out;
}

/// The dynamic dimensions that an extent such as `n * 3` is computed from.
void addComputed(Ordered &out, const compiler::LoweredKernel &kernel, const HostExtents &extents,
                 const std::string &extent) {
  std::optional<support::ExtentExpr> computed = extents.computed(extent);
  if (!computed) {
    return;
  }
  out["computedFrom"] = Ordered::array();
  for (const std::string &name : computed->names()) {
    const HostExtents::Symbol &symbol = *extents.find(name);
    Ordered one = {{"symbol", name}, {"argument", kernel.arguments[symbol.argument].name}};
    if (!symbol.isGiven) {
      one["axis"] = symbol.axis;
    }
    out["computedFrom"].push_back(std::move(one));
  }
}

} // namespace

std::string diagnosticJson(const diag::Diagnostic &diagnostic, const TextLookup &lookup) {
  const diag::CatalogRow *row = diag::find(diagnostic.code);
  Ordered out = {{"code", diag::codeName(diagnostic.code)},
                 {"slug", row ? row->slug : ""},
                 {"severity", severityName(diagnostic.severity)},
                 {"path", diagnostic.at.path},
                 {"range", range(diagnostic.at, lookup)},
                 {"message", diagnostic.message},
                 {"kernel", diagnostic.kernel}};
  if (diagnostic.annotation) {
    out["annotation"] = {{"path", diagnostic.annotation->path}, {"range", range(*diagnostic.annotation, lookup)}};
  }
  out["related"] = Ordered::array();
  for (const diag::Related &related : diagnostic.related) {
    out["related"].push_back(
        {{"path", related.at.path}, {"range", range(related.at, lookup)}, {"message", related.message}});
  }
  out["fixes"] = Ordered::array();
  for (const diag::Fix &fix : diagnostic.fixes) {
    Ordered edits = Ordered::array();
    for (const diag::Edit &edit : fix.edits) {
      edits.push_back({{"path", edit.at.path}, {"range", range(edit.at, lookup)}, {"newText", edit.newText}});
    }
    out["fixes"].push_back({{"title", fix.title}, {"edits", std::move(edits)}});
  }
  return text(out);
}

std::string summaryJson(const CheckSummary &summary) {
  Ordered inner = {{"files", summary.files},
                   {"kernels", summary.kernels},
                   {"errors", summary.errors},
                   {"warnings", summary.warnings}};
  if (summary.milliseconds) {
    inner["ms"] = *summary.milliseconds;
  }
  return text({{"summary", std::move(inner)}});
}

std::string inspectJson(const compiler::InspectResult &result, const source::SourceText &source) {
  Ordered kernels = Ordered::array();
  for (const compiler::InspectKernel &kernel : result.kernels) {
    Ordered tensors = Ordered::array();
    for (const compiler::InspectTensor &tensor : kernel.tensors) {
      tensors.push_back(tensorJson(tensor, source));
    }
    Ordered accesses = Ordered::array();
    for (const compiler::InspectAccess &access : kernel.accesses) {
      accesses.push_back(accessJson(access, source));
    }
    Ordered one = {{"entry", kernel.entry}, {"tensors", std::move(tensors)}, {"accesses", std::move(accesses)}};
    one["chunks"] = Ordered::array();
    for (const compiler::StoreChunks &chunks : kernel.chunks) {
      one["chunks"].push_back({{"store", lineOf(chunks.range, source)},
                               {"tensor", chunks.tensor},
                               {"n", chunks.columns},
                               {"partitions", lists(chunks.partitions)},
                               {"offsets", lists(chunks.offsets)}});
    }
    one["tiles"] = Ordered::array();
    for (const compiler::TilePlan &plan : kernel.tiles) {
      one["tiles"].push_back(tileJson(plan, lineOf(plan.range, source)));
    }
    one["memory"] = memoryJson(kernel.memory);
    kernels.push_back(std::move(one));
  }
  return text({{"path", source.path}, {"arch", result.arch}, {"kernels", std::move(kernels)}});
}

std::string manifestJson(const std::vector<ManifestEntry> &entries, const std::string &version,
                         const std::vector<ElsewhereEntry> &elsewhere) {
  Ordered kernels = Ordered::array();
  for (const ManifestEntry &entry : entries) {
    Ordered arguments = Ordered::array();
    const HostExtents extents(*entry.kernel);
    for (const compiler::LoweredKernel::Argument &argument : entry.kernel->arguments) {
      Ordered one = {{"name", argument.name}, {"kind", argument.kind}};
      auto add = [&](const char *name, const std::string &value) {
        if (!value.empty()) {
          one[name] = value;
        }
      };
      add("direction", argument.direction);
      add("dtype", argument.dtype);
      add("layout", argument.layout);
      if (argument.kind == "tensor" || argument.kind == "workspace") {
        one["shape"] = list(argument.shape);
      }
      if (!argument.blocked.empty()) {
        one["blocked"] = list(argument.blocked);
        one["strides"] = list(argument.strides);
        one["packing"] = packingJson(argument);
      }
      if (!argument.extentOf.empty()) {
        one["source"] = {{"argument", argument.extentOf}, {"axis", argument.extentAxis}};
      } else if (argument.kind == "extent") {
        addComputed(one, *entry.kernel, extents, argument.name);
      }
      arguments.push_back(std::move(one));
    }
    Ordered tiles = Ordered::array();
    for (const compiler::TilePlan &plan : entry.kernel->tiles) {
      tiles.push_back(tileJson(plan, 0));
    }
    Ordered kernel = {
        {"name", entry.kernel->name}, {"entry", entry.kernel->entry},       {"source", entry.path},
        {"arch", entry.arch},         {"coreType", entry.kernel->coreType}, {"planner", entry.kernel->planner}};
    if (entry.kernel->functions.size() == 2) {
      kernel["functions"] = {{"aic", entry.kernel->functions[0]}, {"aiv", entry.kernel->functions[1]}};
    }
    kernel["pto"] = entry.kernel->name + ".pto";
    if (!entry.files.empty()) {
      kernel["toolchain"] = entry.toolchain;
      kernel["symbol"] = toolchain::kEntryName;
      kernel["files"] = Ordered::array();
      for (const auto &[name, digest] : entry.files) {
        kernel["files"].push_back({{"path", name}, {"sha256", digest}});
      }
    }
    kernel["arguments"] = std::move(arguments);
    for (const std::string &parameter : entry.kernel->launch) {
      const size_t dot = parameter.find('.');
      Ordered &list = dot == std::string::npos ? kernel["launch"] : kernel["launch"][parameter.substr(0, dot)];
      list.push_back(parameter.substr(dot + 1)); // + 1: also from npos
    }
    kernel["tiles"] = std::move(tiles);
    kernel["memory"] = memoryJson(entry.kernel->memory);
    kernels.push_back(std::move(kernel));
  }
  Ordered out = {{"schema", 1}, {"placid", version}, {"kernels", std::move(kernels)}};
  for (const ElsewhereEntry &one : elsewhere) {
    out["elsewhere"].push_back(
        {{"entry", one.entry}, {"source", one.path}, {"route", "pypto_pro"}, {"reason", one.why}});
  }
  return text(out, 2) + "\n";
}

} // namespace placid::server
