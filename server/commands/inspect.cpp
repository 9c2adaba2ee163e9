// SPDX-License-Identifier: Apache-2.0
// `inspect`: what every NZ tensor and access of one file became. Diagnostics go to standard error, so that standard
// output is the report alone.
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/commands/sources.h"
#include "server/render/inspect_text.h"
#include "server/render/json_output.h"
#include "server/render/picture_svg.h"

namespace placid::server {

CommandResult runInspect(const Arguments &arguments, const CommandContext &context) {
  compiler::Options options;
  if (std::string wrong = readCommonOptions(arguments, options); !wrong.empty()) {
    return usageError("inspect", wrong);
  }
  allowImports(arguments.positional, options);
  std::string format = arguments.has("--format") ? arguments.value("--format") : "text";
  bool picture = format == "svg" || format == "html";
  if (format != "text" && format != "json" && !picture) {
    return usageError("inspect", "unknown format `" + format + "`: there are text, json, svg and html");
  }
  if (arguments.has("--tensor") && !picture) {
    return usageError("inspect", "`--tensor` goes with the formats svg and html");
  }
  CommandResult result;
  compiler::InspectResult report;
  source::SourcePtr text = readOnlyFile("inspect", arguments, result, report.check);
  if (!text) {
    return result;
  }
  if (report.check.diagnostics.empty()) {
    report = context.compiler->inspect(text, options, {});
  }
  if (picture) {
    std::vector<Picture> pictures = picturesOf(report, *text, arguments.value("--tensor"));
    if (pictures.empty() && arguments.has("--tensor")) {
      return usageError("inspect", "no NZ tensor `" + arguments.value("--tensor") + "` in " + text->path);
    }
    result.out = format == "svg" ? pictureSvg(pictures) : pictureHtml(pictures, text->path);
  } else {
    result.out = format == "json" ? inspectJson(report, *text) + "\n" : inspectText(report, *text);
  }
  Texts texts({text});
  result.err = renderDiagnostics(report.check.diagnostics, texts, false);
  result.exitCode = exitCodeOf(report.check.diagnostics, texts, context, result.err);
  for (const compiler::InspectKernel &kernel : report.kernels) {
    for (const compiler::InspectAccess &access : kernel.accesses) {
      if (!access.rejected.empty() && result.exitCode == ExitCode::kOk) {
        result.exitCode = ExitCode::kDiagnostics;
      }
    }
  }
  return result;
}

} // namespace placid::server
