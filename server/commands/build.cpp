// SPDX-License-Identifier: Apache-2.0
// `build`: lowers every kernel of files and folders, takes each through the tools of a toolchain as far as is asked
// for, and writes the results with DIR/manifest.json, last. Nothing is written unless everything was lowered, but for
// kernels whose own dialect has the only route: these the manifest names. Without a manifest a folder holds no build.
#include "compiler/diagnostics/render_text.h"
#include "server/build/build_progress.h"
#include "server/build/build_trace.h"
#include "server/commands/build_files.h"
#include "server/commands/build_layout.h"
#include "server/commands/build_names.h"
#include "server/commands/build_pl.h"
#include "server/commands/build_remote.h"
#include "server/commands/build_tools.h"
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/commands/sources.h"
#include "server/commands/watch.h"
#include "server/render/check_formats.h"
#include "server/render/host_entry.h"
#include "server/render/json_output.h"
#include "server/render/manifest_reader.h"
#include "server/store/limited_service.h"
#include "server/support/read_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>

namespace placid::server {

using Ordered = nlohmann::ordered_json;

namespace {

constexpr const char *kSucceeded = "succeeded";
constexpr size_t kShownLine = 400;
constexpr int kRemakes = 2;
constexpr uint64_t kMaxManifest = uint64_t{256} << 20;

/// A diagnostic as an event has it.
Ordered eventOf(const diag::Diagnostic &diagnostic, Texts &texts) {
  Ordered out = {{"source", sourceOf(diagnostic)}};
  out.update(Ordered::parse(diagnosticJson(diagnostic, [&](const std::string &path) { return texts.find(path); }),
                            nullptr,
                            /*allow_exceptions=*/false));
  // Who reads this has no file to look into.
  if (source::SourcePtr text = texts.find(diagnostic.at.path)) {
    std::string_view line = text->lines.line(text->text, text->lines.lineColumn(diagnostic.at.range.begin).line);
    out["lineText"] = std::string(line.substr(0, kShownLine));
  }
  return out;
}

/// One `build` from its arguments to its result.
class Build {
public:
  Build(const Arguments &arguments, const CommandContext &context) : arguments_(arguments), context_(context) {}

  CommandResult run() {
    format_ = arguments_.has("--format") ? arguments_.value("--format") : "text";
    folder_ = arguments_.has("--out") ? arguments_.value("--out") : "placid-out";
    if (std::string wrong = openEventStream(); !wrong.empty()) {
      return usageError("build", wrong);
    }
    const char *status = "failed";
    if (std::string wrong = prepare(); !wrong.empty()) {
      result_ = usageError("build", wrong);
    } else if (!sources_.errors.empty()) {
      for (const std::string &error : sources_.errors) {
        result_.err += "placid: " + error + "\n";
      }
      result_.exitCode = ExitCode::kUsage;
    } else {
      texts_.emplace(sources_.texts);
      watch();
      events_->emit("buildStarted", {{"placid", context_.version}, {"paths", arguments_.positional}});
      status = work();
      if (isReport()) {
        result_.out = report();
      }
      if (!endWatching() && result_.exitCode == ExitCode::kOk) {
        result_.exitCode = ExitCode::kUsage;
        status = "failed";
      }
    }
    events_->finish(status, {{"exitCode", result_.exitCode},
                             {"kernels", kernels_},
                             {"built", built_},
                             {"errors", errors_},
                             {"warnings", warnings_}});
    return std::move(result_);
  }

  std::vector<std::string> modules() const { return {modules_.begin(), modules_.end()}; }
  size_t errors() const { return errors_; }
  size_t warnings() const { return warnings_; }

private:
  /// What was asked for and the files. Not empty: what is wrong with it.
  std::string prepare() {
    if (std::string wrong = readCommonOptions(arguments_, options_); !wrong.empty()) {
      return wrong;
    }
    if (std::string wrong = readBuildWish(arguments_, wish_); !wrong.empty()) {
      return wrong;
    }
    if (arguments_.positional.empty()) {
      return "expected at least one PATH";
    }
    if (format_ != "text" && format_ != "ndjson" && !isReport()) {
      return "unknown format `" + format_ + "`: there are text, sarif, github, junit and ndjson";
    }
    if (isReport() && arguments_.value("--events") == "-") {
      return "--format " + format_ + " has standard output for itself: --events FILE";
    }
    if (format_ == "ndjson" && arguments_.has("--events")) {
      return "--format ndjson is --events - already";
    }
    sources_ = readSources(arguments_.positional, context_.importsPl);
    return {};
  }

  /// What was found comes in one piece, at the end.
  bool isReport() const { return format_ == "sarif" || format_ == "github" || format_ == "junit"; }

  /// A trace and a line on the terminal follow the events.
  void watch() {
    if (arguments_.has("--trace")) {
      trace_.emplace();
      events_->watch([this](std::string_view type, const Ordered &fields) { trace_->add(type, fields, sinceBegin()); });
    }
    if (context_.columns != 0 && context_.stream) {
      progress_.emplace(BuildProgress::Terminal{context_.columns, context_.errorColor}, sources_.texts.size(),
                        [this](const std::string &text) { context_.stream({0, {}, text}); });
      events_->watch([this](std::string_view type, const Ordered &fields) { progress_->add(type, fields); });
    }
  }

  /// False: the trace could not be written.
  bool endWatching() {
    if (progress_) {
      progress_->clear();
    }
    std::string wrong =
        trace_ ? writeAtomically(arguments_.value("--trace"), trace_->text(sinceBegin())) : std::string();
    if (!wrong.empty()) {
      result_.err += "placid: " + wrong + "\n";
    }
    return wrong.empty();
  }

  int64_t sinceBegin() const {
    auto time = std::chrono::steady_clock::now() - began_;
    return std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  }

  std::string openEventStream() {
    BuildEvents::Sink sink;
    if (arguments_.has("--events") || format_ == "ndjson") {
      std::string wrong;
      std::string target = arguments_.has("--events") ? arguments_.value("--events") : "-";
      ownOutput_ = target == "-";
      if (ownOutput_ && !context_.stream) {
        return "standard output is not available for events here";
      }
      sink = openEvents(
          target, [stream = context_.stream](std::string_view line) { return stream({0, std::string(line), {}}); },
          context_.stop, wrong);
      if (!sink) {
        return wrong;
      }
    }
    // Only has to differ from that of other builds.
    std::string id = digestOf(folder_ + std::to_string(std::chrono::system_clock::now().time_since_epoch().count()))
                         .hex.substr(0, 12);
    events_.emplace(std::move(sink), id);
    files_.emplace(folder_, *events_);
    return {};
  }

  /// Shows what has been found so far and decides the exit code. The status of the build, or null when it is good.
  const char *judge() {
    promoteUnsupported(diagnostics_);
    diag::sortAndDedupe(diagnostics_);
    for (const diag::Diagnostic &diagnostic : diagnostics_) {
      errors_ += diagnostic.severity == diag::Severity::Error ? 1 : 0;
      warnings_ += diagnostic.severity == diag::Severity::Warning ? 1 : 0;
      if (diagnostic.code == diag::ProNotLowered.code) {
        elsewhere_.push_back({diagnostic.at.path, diagnostic.kernel, diagnostic.message});
      }
      if (events_->wanted()) {
        events_->emit("diagnostic", eventOf(diagnostic, *texts_));
      }
    }
    if (format_ == "text") {
      result_.err += renderDiagnostics(diagnostics_, *texts_, false);
    } else if (isReport()) {
      reported_.insert(reported_.end(), diagnostics_.begin(), diagnostics_.end());
    }
    result_.exitCode = exitCodeOf(diagnostics_, *texts_, context_, result_.err);
    diagnostics_.clear();
    return result_.exitCode == ExitCode::kOk         ? nullptr
           : result_.exitCode == ExitCode::kInternal ? "internal"
                                                     : "failed";
  }

  const char *fail(int code, const std::string &why) {
    result_.err += "placid: " + why + "\n";
    result_.exitCode = code;
    fault_ = why;
    return "failed";
  }

  const char *cancelled() {
    fail(ExitCode::kInternal, "the build was interrupted; no manifest was written");
    return "cancelled";
  }

  void lower() {
    allowImports(arguments_.positional, options_);
    UnusedDefines unused;
    for (const auto &[path, bytes] : sources_.tooLarge) {
      std::vector<diag::Diagnostic> large = tooLarge(path, bytes).diagnostics;
      diagnostics_.insert(diagnostics_.end(), large.begin(), large.end());
    }
    for (const source::SourcePtr &text : sources_.texts) {
      if (context_.stop.stop_requested()) {
        return;
      }
      all_.push_back({text->path, context_.compiler->lower(text, options_, context_.stop)});
      const compiler::CheckResult &check = all_.back().result.check;
      diagnostics_.insert(diagnostics_.end(), check.diagnostics.begin(), check.diagnostics.end());
      unused.add(check);
      modules_.insert(check.modulesRead.begin(), check.modulesRead.end());
      kernels_ += all_.back().result.kernels.size();
      events_->emit("fileLowered", {{"source", text->path}, {"kernels", all_.back().result.kernels.size()}});
    }
    unusedText_ = unused.text();
  }

  /// Built elsewhere. Nothing: it could not be, and is to be built here.
  std::optional<const char *> workRemotely() {
    compiler::Options options = options_;
    allowImports(arguments_.positional, options);
    RemoteResult made = buildRemotely({arguments_, context_, options, sources_, *events_, *texts_, folder_, format_});
    if (context_.stop.stop_requested()) {
      return cancelled();
    }
    if (!made.usage.empty()) {
      return fail(ExitCode::kUsage, made.usage);
    }
    if (!made.unreachable.empty()) {
      if (arguments_.has("--remote-fallback")) {
        result_.err += "placid: " + made.unreachable + "; built here instead\n";
        events_->emit("remoteFallback", {{"message", made.unreachable}});
        return std::nullopt;
      }
      fail(ExitCode::kUnreachable, made.unreachable);
      return "internal";
    }
    result_.err += made.err;
    result_.exitCode = made.exitCode;
    reported_ = std::move(made.diagnostics);
    if (made.status != kSucceeded && made.errors == 0) {
      fault_ = made.err.substr(0, made.err.find_last_not_of('\n') + 1);
    }
    modules_.insert(made.modules.begin(), made.modules.end());
    kernels_ = made.kernels;
    errors_ = made.errors;
    warnings_ = made.warnings;
    if (made.status != kSucceeded) {
      return made.status == "cancelled" ? "cancelled" : made.status == "failed" ? "failed" : "internal";
    }
    return fill([&]() -> const char * {
      for (const RemoteFile &file : made.files) {
        if (context_.stop.stop_requested()) {
          return cancelled();
        }
        std::string wrong = file.name == "manifest.json" ? writeAtomically(folder_ + "/" + file.name, file.bytes)
                                                         : files_->writeFetched(file);
        if (!wrong.empty()) {
          return fail(ExitCode::kDiagnostics, wrong);
        }
      }
      built_ = kernels_;
      if (std::string wrong = writeHostEntries(); !wrong.empty()) {
        return fail(ExitCode::kDiagnostics, wrong);
      }
      sayWrote();
      return kSucceeded;
    });
  }

  /// What was found, for machines.
  std::string report() {
    promoteUnsupported(reported_);
    diag::sortAndDedupe(reported_);
    std::vector<std::string> files;
    for (const source::SourcePtr &text : sources_.texts) {
      files.push_back(text->path);
    }
    TextLookup lookup = [this](const std::string &path) { return texts_->find(path); };
    CheckSummary summary;
    summary.files = static_cast<uint32_t>(files.size());
    summary.kernels = static_cast<uint32_t>(kernels_);
    summary.errors = static_cast<uint32_t>(errors_);
    summary.warnings = static_cast<uint32_t>(warnings_);
    CheckReport whole{reported_, files, lookup, summary, context_.version, fault_};
    return format_ == "sarif" ? checkSarif(whole) : format_ == "github" ? checkGithub(whole) : checkJunit(whole);
  }

  /// What a host needs to call the kernels: as they were lowered here, or as the manifest of a build elsewhere says.
  std::string writeHostEntries() {
    if (!arguments_.has("--host-entry") || wish_.until == BuildStage::Pl) {
      return {};
    }
    std::vector<compiler::LoweredKernel> read;
    std::vector<const compiler::LoweredKernel *> kernels;
    for (const ManifestEntry &entry : entries_) {
      kernels.push_back(entry.kernel);
    }
    if (entries_.empty()) {
      const std::string path = folder_ + "/manifest.json";
      std::string wrong;
      read = readManifest(readRegularFile(path, kMaxManifest).value_or(std::string()), "", wrong);
      if (!wrong.empty()) {
        return path + ": " + wrong;
      }
      for (const compiler::LoweredKernel &kernel : read) {
        kernels.push_back(&kernel);
      }
    }
    for (const compiler::LoweredKernel *kernel : kernels) {
      std::string wrong;
      const std::string text = hostEntryText(*kernel, wrong);
      wrong = wrong.empty() ? files_->write(kernel->name, hostEntryName(*kernel), text) : "--host-entry: " + wrong;
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return {};
  }

  void sayWrote() {
    if (arguments_.has("--quiet")) {
      return;
    }
    std::string said = "wrote " + std::to_string(kernels_) + (kernels_ == 1 ? " kernel" : " kernels") +
                       " and manifest.json to " + folder_ + "\n";
    (ownOutput_ || format_ != "text" ? result_.err : result_.out) += said;
  }

  const char *work() {
    if (wish_.until == BuildStage::Pl && arguments_.has("--host-entry")) {
      return fail(ExitCode::kUsage, "--host-entry: a build that ends with PL IR has no kernels that a host could call");
    }
    if (arguments_.has("--remote")) {
      if (std::optional<const char *> status = workRemotely()) {
        return *status;
      }
    }
    if (wish_.until == BuildStage::Pl) {
      return workPl();
    }
    lower();
    if (context_.stop.stop_requested()) {
      return cancelled();
    }
    const char *bad = judge();
    result_.err += unusedText_;
    if (bad && errors_ != elsewhere_.size()) {
      result_.err += "placid: nothing was written\n";
      return bad;
    }
    const char *status = writeLowered();
    if (bad && std::string_view(status) == kSucceeded) {
      result_.exitCode = ExitCode::kDiagnostics;
      result_.err += "placid: the manifest names " + std::to_string(elsewhere_.size()) +
                     (elsewhere_.size() == 1 ? " kernel" : " kernels") + " with another route\n";
      return bad;
    }
    return status;
  }

  /// What was lowered, through the tools and into the folder.
  const char *writeLowered() {
    nameApart(all_);
    if (std::string fault = nameFault(all_, wish_.until); !fault.empty()) {
      return fail(ExitCode::kDiagnostics, fault);
    }
    for (const LoweredFile &file : all_) {
      BuildLayout layout(context_, options_, events_->wanted() ? texts_->find(file.path) : nullptr);
      for (const compiler::LoweredKernel &kernel : file.result.kernels) {
        entries_.push_back({file.path, file.result.arch, &kernel});
        events_->emit("kernelQueued", {{"kernel", kernel.name},
                                       {"entry", kernel.entry},
                                       {"source", file.path},
                                       {"nz", layout.nzArguments(kernel)}});
      }
    }
    ToolRunner tools(entries_, wish_, context_, *events_, *texts_, folder_);
    std::string note;
    if (std::string wrong = tools.plan(note); !wrong.empty()) {
      return fail(ExitCode::kUsage, wrong);
    }
    const char *status = fill([&]() -> const char * {
      for (const ManifestEntry &entry : entries_) {
        if (std::string wrong = files_->write(entry.kernel->name, entry.kernel->name + ".pto", entry.kernel->pto);
            !wrong.empty()) {
          return fail(ExitCode::kDiagnostics, wrong);
        }
      }
      if (const char *failed = runTools(tools)) {
        return failed;
      }
      return writeManifest(manifestJson(entries_, context_.version, elsewhere_));
    });
    if (result_.exitCode == ExitCode::kOk && tools.until() != wish_.until && !entries_.empty()) {
      result_.err += "placid: stopped after " + std::string(stageName(tools.until())) + ": " + note + "\n";
    }
    return status;
  }

  /// The IR of PL alone.
  const char *workPl() {
    allowImports(arguments_.positional, options_);
    PlBuild made = buildPl(sources_, options_, context_, *events_);
    if (context_.stop.stop_requested()) {
      return cancelled();
    }
    diagnostics_ = std::move(made.diagnostics);
    modules_ = std::move(made.modules);
    kernels_ = made.kernels.size();
    const char *bad = judge();
    result_.err += made.unusedDefines;
    if (bad) {
      result_.err += "placid: nothing was written\n";
      return bad;
    }
    if (!made.error.empty()) {
      return fail(ExitCode::kDiagnostics, made.error);
    }
    for (const PlKernel &kernel : made.kernels) {
      events_->emit("kernelQueued", {{"kernel", kernel.name}, {"entry", kernel.name}, {"source", kernel.source}});
    }
    return fill([&]() -> const char * {
      for (const PlKernel &kernel : made.kernels) {
        events_->emit("kernelStarted", {{"kernel", kernel.name}, {"entry", kernel.name}});
        if (std::string wrong = files_->write(kernel.name, kernel.name + ".mlir", kernel.text); !wrong.empty()) {
          return fail(ExitCode::kDiagnostics, wrong);
        }
        events_->emit("kernelFinished", {{"kernel", kernel.name}, {"status", kSucceeded}});
      }
      built_ = kernels_;
      return writeManifest(plManifestJson(made.kernels, context_.version));
    });
  }

  /// Lets `write` put everything into the folder, which holds no build until it has written the manifest. Its status.
  const char *fill(const std::function<const char *()> &write) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      return fail(ExitCode::kUsage, "cannot make " + folder_ + ": " + error.message());
    }
    FolderLock lock(folder_, context_.stop);
    if (context_.stop.stop_requested()) {
      return cancelled();
    }
    std::filesystem::remove(folder_ + "/manifest.json", error);
    return write();
  }

  const char *writeManifest(const std::string &text) {
    if (std::string wrong = writeAtomically(folder_ + "/manifest.json", text); !wrong.empty()) {
      return fail(ExitCode::kDiagnostics, wrong);
    }
    if (std::string wrong = writeHostEntries(); !wrong.empty()) {
      return fail(ExitCode::kDiagnostics, wrong);
    }
    sayWrote();
    return kSucceeded;
  }

  /// Writes the files of one kernel. What the store has lost since it was made is made again; `lost` is set when it
  /// stays so. What is wrong, or empty.
  std::string writeMade(ToolRunner &tools, size_t at, bool &lost) {
    for (int round = 0;; ++round) {
      std::string wrong;
      lost = false;
      for (const auto &[name, digest] : tools.results()[at].files) {
        wrong = files_->writeKept(tools.service().store(), entries_[at].kernel->name, name, digest, lost);
        if (!wrong.empty()) {
          break;
        }
      }
      if (!lost || round == kRemakes || context_.stop.stop_requested()) {
        return wrong;
      }
      tools.again(at);
    }
  }

  /// Null when the build goes on.
  const char *runTools(ToolRunner &tools) {
    if (std::string wrong = tools.run(); !wrong.empty()) {
      return context_.stop.stop_requested() ? cancelled() : fail(ExitCode::kDiagnostics, wrong);
    }
    if (context_.stop.stop_requested()) {
      return cancelled();
    }
    std::set<std::string> notes;
    FileOwners owners;
    size_t failed = 0;
    for (size_t i = 0; i < tools.results().size(); ++i) {
      for (const auto &[name, digest] : tools.results()[i].files) {
        if (std::string taken = owners.claim(name, entries_[i].kernel->name, entries_[i].path); !taken.empty()) {
          return fail(ExitCode::kDiagnostics, taken);
        }
      }
      bool lost = false;
      if (std::string wrong = writeMade(tools, i, lost); !wrong.empty()) {
        fail(lost ? ExitCode::kInternal : ExitCode::kDiagnostics, wrong);
        return context_.stop.stop_requested() ? "cancelled" : "internal"; // the machine's fault, not a kernel's
      }
      const KernelFiles &made = tools.results()[i];
      diagnostics_.insert(diagnostics_.end(), made.diagnostics.begin(), made.diagnostics.end());
      failed += made.good ? 0 : 1;
      if (!made.note.empty()) {
        notes.insert(made.note);
      }
      for (const auto &[name, digest] : made.files) {
        entries_[i].files.emplace_back(name, digest.hex);
        entries_[i].toolchain = tools.toolchainOf(entries_[i]).name;
      }
    }
    const char *bad = judge();
    for (const std::string &text : notes) {
      result_.err += "placid: note: " + text + "\n";
    }
    if (bad || failed != 0) {
      result_.exitCode = std::max<int>(result_.exitCode, ExitCode::kDiagnostics);
      result_.err += "placid: " + std::to_string(failed) + " of " + std::to_string(kernels_) +
                     (kernels_ == 1 ? " kernel" : " kernels") + " failed; no manifest was written\n";
      return bad ? bad : "failed";
    }
    built_ = entries_.size();
    return nullptr;
  }

  const Arguments &arguments_;
  const CommandContext &context_;
  compiler::Options options_;
  BuildWish wish_;
  Sources sources_;
  std::optional<Texts> texts_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::optional<BuildTrace> trace_;
  std::optional<BuildProgress> progress_;
  std::optional<BuildEvents> events_;
  std::optional<BuildFiles> files_;
  std::set<std::string> modules_; ///< That were read besides the sources.
  std::string format_ = "text";
  std::vector<diag::Diagnostic> reported_; ///< All of them, where a report follows.
  std::string fault_;                      ///< Why the build ended before its end.
  bool ownOutput_ = false;                 ///< Standard output belongs to the events.
  std::vector<LoweredFile> all_;
  std::vector<ManifestEntry> entries_;
  std::vector<ElsewhereEntry> elsewhere_;
  std::vector<diag::Diagnostic> diagnostics_;
  std::string unusedText_, folder_;
  size_t kernels_ = 0, built_ = 0, errors_ = 0, warnings_ = 0;
  CommandResult result_;
};

} // namespace

CommandResult runBuild(const Arguments &arguments, const CommandContext &context) {
  if (!arguments.has("--watch")) {
    return Build(arguments, context).run();
  }
  return watchFiles("build", arguments, context, [&] {
    Build build(arguments, context);
    WatchRound round;
    round.result = build.run();
    round.modules = build.modules();
    round.errors = build.errors();
    round.warnings = build.warnings();
    round.hopeless = round.result.exitCode == ExitCode::kUsage;
    return round;
  });
}

} // namespace placid::server
