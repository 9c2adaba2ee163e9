// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/nz_test_support.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/transforms/passes.h"
#include "compiler/mlir_bridge/collector.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace placid::pl::testing {

namespace {

std::vector<std::string> slugs(const std::vector<diag::Diagnostic> &diagnostics, diag::Severity severity) {
  std::vector<std::string> out;
  for (const diag::Diagnostic &d : diagnostics) {
    if (d.severity == severity) {
      out.emplace_back(diag::find(d.code)->slug);
    }
  }
  return out;
}

std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo());
  return text;
}

} // namespace

std::vector<std::string> Outcome::errors() const { return slugs(diagnostics, diag::Severity::Error); }
std::vector<std::string> Outcome::warnings() const { return slugs(diagnostics, diag::Severity::Warning); }

std::string Outcome::text(size_t index) const {
  std::string out = diagnostics[index].message;
  for (const diag::Related &related : diagnostics[index].related) {
    out += " | " + related.message;
  }
  return out;
}

Outcome runModule(const std::string &text, int times) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<PlDialect, func::FuncDialect, arith::ArithDialect, scf::SCFDialect>();
  Outcome out;
  bridge::DiagnosticCollector collector(&context, out.diagnostics, nullptr, "K.kern");
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module) {
    return out;
  }
  for (int i = 0; i < times; ++i) {
    out.report = {};
    PassManager pm(&context);
    pm.addPass(createBlockNzTensorViewsPass(&out.report));
    if (failed(pm.run(*module))) {
      break;
    }
  }
  out.ir = printed(*module);
  OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(out.ir, &context);
  out.roundTrips = again && printed(*again) == out.ir;
  // Facts keep locations of a context that dies here.
  for (NzTensorFact &fact : out.report.tensors) {
    fact.annotation = {};
  }
  for (NzAccessFact &fact : out.report.accesses) {
    fact.range = {};
  }
  return out;
}

Outcome run(const Kernel &kernel, int times) {
  return runModule(
      "module attributes {pl.arch = \"" + kernel.arch + "\"} {\n  func.func @kern(%w: !pl.tensor<" + kernel.type +
          "> {pl.name = \"w\", pl.annotation = loc(\"k.py\":7:9 to :40)}, %s: index {pl.name = \"s\"}" +
          (kernel.arguments.empty() ? "" : ", " + kernel.arguments) + ") attributes {pl.kind = \"" + kernel.kind +
          "\"} {\n    %lane = pl.block_idx loc(\"lane\")\n    %num = pl.block_num loc(\"num\")\n" + kernel.body +
          "\n    return\n  }\n}\n",
      times);
}

std::string show(const std::vector<NzExpr> &list) {
  std::string out = "[";
  for (const NzExpr &entry : list) {
    out += out.size() == 1 ? "" : ", ";
    const auto *number = std::get_if<int64_t>(&entry);
    out += number ? std::to_string(*number) : std::get<std::string>(entry);
  }
  return out + "]";
}

std::string load(const Kernel &kernel, const std::string &offsets, std::vector<int64_t> sizes, const std::string &valid,
                 const std::string &mem) {
  std::string dtype = kernel.type.substr(kernel.type.find(" x ") + 3);
  dtype = dtype.substr(0, dtype.find(','));
  std::string list;
  for (int64_t size : sizes) {
    list += (list.empty() ? "" : ", ") + std::to_string(size);
  }
  std::string rows = std::to_string(sizes.size() > 1 ? sizes[sizes.size() - 2] : 1);
  std::string live;
  if (!valid.empty()) {
    // The last two entries of the list, "?" for what is not a number.
    std::string inner = valid.substr(1, valid.size() - 2);
    std::vector<std::string> entries;
    for (size_t at = 0; at <= inner.size();) {
      size_t comma = std::min(inner.find(", ", at), inner.size());
      entries.push_back(inner.substr(at, comma - at));
      at = comma + 2;
    }
    auto extent = [&](size_t back) {
      const std::string &entry = entries[entries.size() - back];
      return entry.front() == '%' ? std::string("?") : entry;
    };
    live = ", valid = [" + extent(2) + ", " + extent(1) + "]";
  }
  static int number = 0; // a fresh SSA name for every load of a test program
  return "    %t" + std::to_string(number++) + " = pl.tile.load %w " + offsets + " sizes [" + list + "]" +
         (valid.empty() ? "" : " valid " + valid) + " : !pl.tensor<" + kernel.type + "> -> !pl.tile<" + rows + "x" +
         std::to_string(sizes.back()) + "x" + dtype + ", " + mem + live + ">\n";
}

} // namespace placid::pl::testing
