// SPDX-License-Identifier: Apache-2.0
// `check`: every fault of the kernels in files and folders, as text or JSON lines.
#include "compiler/diagnostics/render_text.h"
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/commands/sources.h"
#include "server/commands/watch.h"
#include "server/render/check_formats.h"
#include "server/render/json_output.h"
#include "server/store/limited_service.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <numeric>
#include <thread>
#include <tuple>

namespace placid::server {

namespace {

/// Results in the order of the texts, whichever compiler is done first.
std::vector<compiler::CheckResult> checkAll(const std::vector<source::SourcePtr> &texts,
                                            const compiler::Options &options, const CommandContext &context) {
  std::vector<compiler::CheckResult> results(texts.size());
  // The longest first, so that none of them is alone at the end.
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (!context.more.empty()) {
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      size_t left = texts[a]->text.size();
      size_t right = texts[b]->text.size();
      return left != right ? left > right : a < b;
    });
  }
  std::atomic<size_t> next = 0;
  auto work = [&](compiler::CompilerService *compiler) {
    for (size_t i = next++; i < texts.size(); i = next++) {
      results[order[i]] = compiler->check(texts[order[i]], options, {});
    }
  };
  std::vector<std::future<void>> others;
  for (size_t i = 0; i < context.more.size() && i + 1 < texts.size(); ++i) {
    others.push_back(std::async(std::launch::async, work, context.more[i]));
  }
  work(context.compiler);
  for (std::future<void> &other : others) {
    other.get();
  }
  return results;
}

CommandResult checkOnce(const Arguments &arguments, const CommandContext &context, CheckSummary &summary,
                        std::vector<std::string> &modules) {
  auto start = std::chrono::steady_clock::now();
  compiler::Options options;
  if (std::string wrong = readCommonOptions(arguments, options); !wrong.empty()) {
    return usageError("check", wrong);
  }
  std::string format = arguments.has("--format") ? arguments.value("--format") : "text";
  constexpr std::string_view kFormats[] = {"text", "json", "sarif", "github", "junit"};
  if (std::find(std::begin(kFormats), std::end(kFormats), format) == std::end(kFormats)) {
    return usageError("check", "unknown format `" + format + "`: there are text, json, sarif, github and junit");
  }
  if (arguments.positional.empty()) {
    return usageError("check", "expected at least one PATH");
  }

  Sources sources = readSources(arguments.positional, context.importsPl);
  Texts texts(sources.texts);
  allowImports(arguments.positional, options);
  summary.files = static_cast<uint32_t>(sources.texts.size() + sources.tooLarge.size());
  std::vector<diag::Diagnostic> diagnostics;
  UnusedDefines unused;
  auto take = [&](compiler::CheckResult result) {
    summary.kernels += result.counts.kernels;
    diagnostics.insert(diagnostics.end(), std::make_move_iterator(result.diagnostics.begin()),
                       std::make_move_iterator(result.diagnostics.end()));
  };
  for (const auto &[path, bytes] : sources.tooLarge) {
    take(tooLarge(path, bytes));
  }
  for (compiler::CheckResult &checked : checkAll(sources.texts, options, context)) {
    unused.add(checked);
    modules.insert(modules.end(), checked.modulesRead.begin(), checked.modulesRead.end());
    take(std::move(checked));
  }
  if (!options.entries.empty() && summary.kernels == 0 && !sources.texts.empty()) {
    return usageError("check", "no kernel is named `" + options.entries.front() + "`");
  }
  // Counted after sorting: a fault of a module that two files import is one fault.
  diag::sortAndDedupe(diagnostics);
  for (const diag::Diagnostic &diagnostic : diagnostics) {
    summary.errors += diagnostic.severity == diag::Severity::Error ? 1 : 0;
    summary.warnings += diagnostic.severity == diag::Severity::Warning ? 1 : 0;
  }

  CommandResult result;
  result.err = unused.text();
  for (const std::string &error : sources.errors) {
    result.err += "placid: " + error + "\n";
  }
  if (arguments.has("--timing")) {
    summary.milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start).count();
  }
  if (format == "json") {
    auto lookup = [&](const std::string &path) { return texts.find(path); };
    for (const diag::Diagnostic &diagnostic : diagnostics) {
      result.out += diagnosticJson(diagnostic, lookup) + "\n";
    }
    result.out += summaryJson(summary) + "\n";
  } else if (format != "text") {
    std::vector<std::string> files;
    for (const source::SourcePtr &text : sources.texts) {
      files.push_back(text->path);
    }
    TextLookup lookup = [&](const std::string &path) { return texts.find(path); };
    CheckReport report{diagnostics, files, lookup, summary, context.version};
    result.out = format == "sarif" ? checkSarif(report) : format == "github" ? checkGithub(report) : checkJunit(report);
  } else {
    result.out = renderDiagnostics(diagnostics, texts, context.color);
    diag::RenderOptions look;
    look.color = context.color;
    bool nothingRead = sources.texts.empty() && !sources.errors.empty();
    result.out += nothingRead ? std::string()
                              : diag::renderSummary({summary.files, summary.kernels, summary.errors, summary.warnings},
                                                    diagnostics, look);
    if (summary.milliseconds) {
      result.out += "took " + std::to_string(*summary.milliseconds) + " ms\n";
    }
  }
  result.exitCode = exitCodeOf(diagnostics, texts, context, result.err);
  if (!sources.errors.empty() && result.exitCode != ExitCode::kInternal) {
    result.exitCode = ExitCode::kUsage;
  }
  return result;
}

} // namespace

CommandResult runCheck(const Arguments &arguments, const CommandContext &context) {
  CheckSummary summary;
  std::vector<std::string> modules;
  if (!arguments.has("--watch")) {
    return checkOnce(arguments, context, summary, modules);
  }
  return watchFiles("check", arguments, context, [&] {
    WatchRound round;
    summary = {};
    round.result = checkOnce(arguments, context, summary, round.modules);
    round.errors = summary.errors;
    round.warnings = summary.warnings;
    round.hopeless = round.result.exitCode == ExitCode::kUsage && summary.files == 0;
    return round;
  });
}

} // namespace placid::server
