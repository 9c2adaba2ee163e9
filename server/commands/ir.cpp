// SPDX-License-Identifier: Apache-2.0
// `ir`: the IR of one file's kernels after a pass, after every pass, or as PTO IR. Diagnostics go to standard error.
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/commands/sources.h"
#include "server/render/ir_changes.h"

#include <algorithm>

namespace placid::server {

namespace {

std::string joined(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

/// Units with a line `// -----` between them. A unit says in a comment which pass it follows where several are printed,
/// and with `marked` every line that its pass has changed says so too.
std::string joinUnits(const std::vector<compiler::IrUnit> &units, bool marked) {
  std::string out;
  const compiler::IrUnit *before = nullptr;
  for (const compiler::IrUnit &unit : units) {
    out += out.empty() ? "" : "// -----\n";
    if (!unit.pass.empty()) {
      out += "// " + unit.pass + (unit.kernel.empty() ? "" : ": " + unit.kernel) + "\n";
    }
    if (marked && before && before->kernel == unit.kernel) {
      size_t changed = 0;
      std::string text = markChanges(before->text, unit.text, changed);
      out += "// " + std::to_string(changed) + (changed == 1 ? " line" : " lines") + " changed\n" + text;
    } else {
      out += unit.text;
    }
    before = &unit;
    if (!unit.text.empty() && unit.text.back() != '\n') {
      out += '\n';
    }
  }
  return out;
}

} // namespace

CommandResult runIr(const Arguments &arguments, const CommandContext &context) {
  compiler::Options options;
  if (std::string wrong = readCommonOptions(arguments, options); !wrong.empty()) {
    return usageError("ir", wrong);
  }
  allowImports(arguments.positional, options);
  compiler::IrRequest request;
  request.afterPass = arguments.value("--after"); // empty when it is not given
  request.all = arguments.has("--all");
  request.kernel = arguments.value("--kernel");
  if (arguments.has("--phase")) {
    const std::string wanted = arguments.value("--phase");
    const auto *phase = std::find_if(compiler::kPhases.begin(), compiler::kPhases.end(),
                                     [&](const compiler::Phase &known) { return known.name == wanted; });
    if (phase == compiler::kPhases.end()) {
      std::vector<std::string> names;
      for (const compiler::Phase &known : compiler::kPhases) {
        names.emplace_back(known.name);
      }
      return usageError("ir", "unknown phase `" + wanted + "`: the phases are " + joined(names));
    }
    request.afterPass = phase->lastPass;
  }
  if (arguments.has("--emit")) {
    if (arguments.value("--emit") != "pto") {
      return usageError("ir", "unknown form `" + arguments.value("--emit") + "`: --emit takes pto");
    }
    request.form = compiler::IrRequest::Form::Pto;
  }
  int selections = (request.all ? 1 : 0) + (arguments.has("--after") ? 1 : 0) + (arguments.has("--emit") ? 1 : 0) +
                   (arguments.has("--phase") ? 1 : 0);
  if (selections > 1) {
    return usageError("ir", "--after, --phase, --all and --emit exclude each other");
  }
  if (arguments.has("--after")) {
    std::vector<std::string> passes = context.compiler->passNames();
    if (std::find(passes.begin(), passes.end(), request.afterPass) == passes.end()) {
      return usageError("ir", "unknown pass `" + request.afterPass + "`: the passes are " + joined(passes));
    }
  }
  CommandResult result;
  compiler::IrResult ir;
  source::SourcePtr text = readOnlyFile("ir", arguments, result, ir.check);
  if (!text) {
    return result;
  }
  if (ir.check.diagnostics.empty()) {
    ir = context.compiler->ir(text, options, request, {});
  }
  if (!ir.error.empty()) {
    return usageError("ir", ir.error);
  }
  if (request.form == compiler::IrRequest::Form::Pto) {
    promoteUnsupported(ir.check.diagnostics);
  }
  result.out = joinUnits(ir.units, request.all);
  Texts texts({text});
  result.err = renderDiagnostics(ir.check.diagnostics, texts, false);
  result.exitCode = exitCodeOf(ir.check.diagnostics, texts, context, result.err);
  return result;
}

} // namespace placid::server
