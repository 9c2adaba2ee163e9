// SPDX-License-Identifier: Apache-2.0
// `build`: lowers every kernel of files and folders, takes each through the tools of a toolchain as far as is asked
// for, and writes the results with DIR/manifest.json, last. Nothing is written unless everything was lowered, but for
// kernels whose own dialect has the only route: these the manifest names. Without a manifest a folder holds no build.
#include "compiler/diagnostics/render_text.h"
#include "compiler/support/suggest.h"
#include "server/build/kernel_build.h"
#include "server/commands/build_remote.h"
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/commands/sources.h"
#include "server/commands/watch.h"
#include "server/render/check_formats.h"
#include "server/render/json_output.h"
#include "server/store/limited_service.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

namespace placid::server {

using Ordered = nlohmann::ordered_json;

namespace {

constexpr std::chrono::milliseconds kFolderLook{20};
constexpr const char *kSucceeded = "succeeded";

struct Lowered {
  std::string path;
  compiler::LowerResult result;
};

bool usableName(const std::string &name) {
  return !name.empty() && name[0] != '.' && isSafeRelativePath(name) && name.find('/') == std::string::npos;
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

/// What was asked for on the command line.
struct Wish {
  BuildStage until = BuildStage::Link;
  bool strict = false;                             ///< Said so: what cannot be reached is an error, not a note.
  const toolchain::Toolchain *toolchain = nullptr; ///< Null: that of the kernels' chip.
  std::string executor;                            ///< Empty: that of the user's settings.
};

std::string readWish(const Arguments &arguments, Wish &wish) {
  if (arguments.has("--remote-fallback") && !arguments.has("--remote")) {
    return "--remote-fallback says what to do when --remote NAME cannot be reached";
  }
  if (arguments.has("--until")) {
    std::string name = arguments.value("--until");
    std::optional<BuildStage> stage = parseStage(name);
    if (name == "pl") {
      return "--until pl is not available yet: `placid ir` prints the PL IR";
    }
    if (!stage) {
      return "unknown stage `" + name + "`: expected pto, cpp, object or link";
    }
    wish.until = *stage;
    wish.strict = true;
  }
  if (arguments.has("--toolchain")) {
    std::string name = arguments.value("--toolchain");
    wish.toolchain = toolchain::findToolchain(name);
    wish.strict = true;
    if (!wish.toolchain) {
      std::vector<std::string> names;
      std::string list;
      for (const toolchain::Toolchain &one : toolchain::toolchains()) {
        names.emplace_back(one.name);
        list += (list.empty() ? "" : ", ") + std::string(one.name);
      }
      return "there is no toolchain `" + name + "`" + support::didYouMean(name, names) + " (there are: " + list + ")";
    }
  }
  if (arguments.has("--executor")) {
    wish.executor = arguments.value("--executor");
    if (!isExecutor(wish.executor)) {
      return "unknown executor `" + wish.executor + "`: expected local or reapi";
    }
  }
  return {};
}

/// Two builds into one folder come after each other: a manifest is of one build, and so are the files that it names.
class FolderLock {
public:
  FolderLock(const std::string &folder, const std::stop_token &stop)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (fd_ >= 0 && !stop.stop_requested() && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 &&
           (errno == EWOULDBLOCK || errno == EINTR)) {
      std::this_thread::sleep_for(kFolderLook);
    }
  }
  ~FolderLock() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int fd_;
};

/// A diagnostic as an event has it.
Ordered eventOf(const diag::Diagnostic &diagnostic, Texts &texts) {
  Ordered out = {{"source", sourceOf(diagnostic)}};
  out.update(Ordered::parse(diagnosticJson(diagnostic, [&](const std::string &path) { return texts.find(path); }),
                            nullptr,
                            /*allow_exceptions=*/false));
  return out;
}

/// The part of a build behind PTO IR, for all kernels.
class ToolRunner {
public:
  ToolRunner(std::vector<ManifestEntry> &entries, const Wish &wish, const CommandContext &context, BuildEvents &events,
             Texts &texts, std::string folder)
      : entries_(entries), wish_(wish), context_(context), events_(events), texts_(texts), folder_(std::move(folder)) {}

  /// Decides how far the kernels are taken. Not empty: a wrong wish. `note` says what is left undone.
  std::string plan(std::string &note) {
    if (wish_.until == BuildStage::Pto || entries_.empty()) {
      return {};
    }
    for (const ManifestEntry &entry : entries_) {
      std::optional<target::Arch> arch = target::parseArch(entry.arch);
      const toolchain::Toolchain &chain = toolchainOf(entry);
      if (!arch || !toolchain::buildsFor(chain, *arch)) {
        return "toolchain `" + std::string(chain.name) + "` does not build for " + entry.arch + ", which " +
               entry.path + " is for";
      }
      if (!toolchain::parseCoreType(entry.kernel->coreType)) {
        std::string why =
            "kernel `" + entry.kernel->name + "` runs on both cores; of such kernels only the PTO IR is built yet";
        if (wish_.strict) {
          return why;
        }
        note = why;
        return {};
      }
      plans_.try_emplace(std::string(chain.name)).first->second.toolchain = &chain;
    }
    UserSettings settings = readUserSettings(context_.environment);
    if (!settings.faults.empty()) {
      return settings.faults.front();
    }
    BuildStage reached = wish_.until;
    for (auto &[name, plan] : plans_) {
      plan.tools = findTools(*plan.toolchain, context_.environment, settings);
      if (auto own = settings.toolchains.find(name); own != settings.toolchains.end()) {
        plan.settings = own->second;
      }
      for (int stage = static_cast<int>(wish_.until); stage > 0; --stage) {
        std::vector<std::string> missing = missingFor(static_cast<BuildStage>(stage), plan.tools);
        if (missing.empty()) {
          break;
        }
        note = missing.front();
        reached = std::min(reached, static_cast<BuildStage>(stage - 1));
      }
    }
    if (reached != wish_.until && wish_.strict) {
      return "--until " + std::string(stageName(wish_.until)) + " cannot be reached: " + note +
             "\nplacid doctor shows what is here";
    }
    until_ = reached;
    if (until_ != BuildStage::Pto) {
      service_ = buildService(context_.environment, wish_.executor);
      return service_->fault();
    }
    return {};
  }

  BuildStage until() const { return until_; }

  /// Runs the tools. Not empty: they could not be used at all.
  std::string run() {
    if (until_ == BuildStage::Pto) {
      return {};
    }
    for (auto &[name, plan] : plans_) {
      plan.until = until_;
      if (std::string wrong = completePlan(plan, context_.environment, *service_, context_.stop); !wrong.empty()) {
        return wrong;
      }
    }
    results_.resize(entries_.size());
    std::atomic<size_t> next = 0;
    auto work = [&] {
      for (size_t at = next++; at < entries_.size() && !context_.stop.stop_requested(); at = next++) {
        results_[at] = one(entries_[at]);
      }
    };
    // Two for each place to run: one that runs, one that prepares or reads what it knows.
    std::vector<std::thread> threads;
    for (size_t i = 1; i < std::min(entries_.size(), 2 * service_->caps().slots); ++i) {
      try {
        threads.emplace_back(work);
      } catch (const std::system_error &) {
        break; // those that there are do it all
      }
    }
    work();
    for (std::thread &thread : threads) {
      thread.join();
    }
    return {};
  }

  const toolchain::Toolchain &toolchainOf(const ManifestEntry &entry) const {
    std::optional<target::Arch> arch = target::parseArch(entry.arch);
    return wish_.toolchain ? *wish_.toolchain : toolchain::deviceToolchain(arch.value_or(target::kDefaultArch));
  }

  const std::vector<KernelFiles> &results() const { return results_; }
  BuildService &service() { return *service_; }

private:
  KernelFiles one(const ManifestEntry &entry) {
    std::optional<target::Arch> arch = target::parseArch(entry.arch);
    const toolchain::Toolchain &chain = toolchainOf(entry);
    const compiler::LoweredKernel &kernel = *entry.kernel;
    KernelUnit unit;
    unit.name = kernel.name;
    unit.pto = kernel.pto;
    unit.arch = *arch;
    unit.core = *toolchain::parseCoreType(kernel.coreType);
    unit.places = {kernel.name + ".pto",
                   folder_ + "/" + kernel.name + ".pto",
                   folder_ + "/" + kernel.name + ".cpp",
                   entry.path,
                   kernel.entry,
                   nullptr};
    events_.emit("kernelStarted", {{"kernel", kernel.name}, {"entry", kernel.entry}, {"toolchain", chain.name}});
    TextOf text = [this](const std::string &path) {
      MutexLock lock(textsMutex_);
      return texts_.find(path);
    };
    return buildKernel(unit, plans_.at(std::string(chain.name)), *service_, events_, text, context_.stop);
  }

  std::vector<ManifestEntry> &entries_;
  const Wish &wish_;
  const CommandContext &context_;
  BuildEvents &events_;
  Texts &texts_;
  std::string folder_;
  Mutex textsMutex_;
  std::map<std::string, BuildPlan> plans_;
  std::shared_ptr<BuildService> service_;
  std::vector<KernelFiles> results_;
  BuildStage until_ = BuildStage::Pto;
};

/// One `build` from its arguments to its result.
class Build {
public:
  Build(const Arguments &arguments, const CommandContext &context) : arguments_(arguments), context_(context) {}

  CommandResult run() {
    if (std::string wrong = readCommonOptions(arguments_, options_); !wrong.empty()) {
      return usageError("build", wrong);
    }
    if (std::string wrong = readWish(arguments_, wish_); !wrong.empty()) {
      return usageError("build", wrong);
    }
    if (arguments_.positional.empty()) {
      return usageError("build", "expected at least one PATH");
    }
    format_ = arguments_.has("--format") ? arguments_.value("--format") : "text";
    if (format_ != "text" && format_ != "sarif" && format_ != "github" && format_ != "junit") {
      return usageError("build", "unknown format `" + format_ + "`: there are text, sarif, github and junit");
    }
    if (format_ != "text" && (arguments_.has("--remote") || arguments_.value("--events") == "-")) {
      return usageError("build", "--format " + format_ + " is for builds here, and has standard output for itself");
    }
    sources_ = readSources(arguments_.positional, context_.importsPl);
    if (!sources_.errors.empty()) {
      for (const std::string &error : sources_.errors) {
        result_.err += "placid: " + error + "\n";
      }
      result_.exitCode = ExitCode::kUsage;
      return std::move(result_);
    }
    if (std::string wrong = openEventStream(); !wrong.empty()) {
      return usageError("build", wrong);
    }
    texts_.emplace(sources_.texts);
    events_->emit("buildStarted", {{"placid", context_.version}, {"paths", arguments_.positional}});
    const char *status = work();
    if (format_ != "text") {
      result_.out = report();
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
  std::string openEventStream() {
    BuildEvents::Sink sink;
    if (arguments_.has("--events")) {
      std::string wrong;
      std::string target = arguments_.value("--events");
      ownOutput_ = target == "-";
      if (ownOutput_ && !context_.stream) {
        return "--events - is not available here";
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
    } else {
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
    }
    unusedText_ = unused.text();
  }

  /// Built elsewhere. Nothing: it could not be, and is to be built here.
  std::optional<const char *> workRemotely() {
    compiler::Options options = options_;
    allowImports(arguments_.positional, options);
    RemoteResult made = buildRemotely({arguments_, context_, options, sources_, *events_, folder_});
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
    modules_.insert(made.modules.begin(), made.modules.end());
    kernels_ = made.kernels;
    errors_ = made.errors;
    warnings_ = made.warnings;
    if (made.status != "succeeded") {
      return made.status == "cancelled" ? "cancelled" : made.status == "failed" ? "failed" : "internal";
    }
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      return fail(ExitCode::kUsage, "cannot make " + folder_ + ": " + error.message());
    }
    FolderLock lock(folder_, context_.stop);
    std::filesystem::remove(folder_ + "/manifest.json", error);
    for (const auto &[name, bytes] : made.files) {
      if (context_.stop.stop_requested()) {
        return cancelled();
      }
      bool manifest = name == "manifest.json";
      std::string wrong = manifest ? writeAtomically(folder_ + "/" + name, bytes)
                                   : writeFile(name.substr(0, name.rfind('.')), name, bytes);
      if (!wrong.empty()) {
        return fail(ExitCode::kDiagnostics, wrong);
      }
    }
    built_ = kernels_;
    sayWrote();
    return "succeeded";
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
    CheckReport whole{reported_, files, lookup, summary, context_.version};
    return format_ == "sarif" ? checkSarif(whole) : format_ == "github" ? checkGithub(whole) : checkJunit(whole);
  }

  void sayWrote() {
    std::string said = "wrote " + std::to_string(kernels_) + (kernels_ == 1 ? " kernel" : " kernels") +
                       " and manifest.json to " + folder_ + "\n";
    (ownOutput_ || format_ != "text" ? result_.err : result_.out) += said;
  }

  const char *work() {
    folder_ = arguments_.has("--out") ? arguments_.value("--out") : "placid-out";
    if (arguments_.has("--remote")) {
      if (std::optional<const char *> status = workRemotely()) {
        return *status;
      }
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
    const char *status = write();
    if (bad && status == kSucceeded) {
      result_.exitCode = ExitCode::kDiagnostics;
      result_.err += "placid: the manifest names " + std::to_string(elsewhere_.size()) +
                     (elsewhere_.size() == 1 ? " kernel" : " kernels") + " with another route\n";
      return bad;
    }
    return status;
  }

  /// What was lowered, through the tools and into the folder.
  const char *write() {
    nameApart(all_);
    if (std::string fault = nameFault(all_); !fault.empty()) {
      return fail(ExitCode::kDiagnostics, fault);
    }
    for (const Lowered &file : all_) {
      for (const compiler::LoweredKernel &kernel : file.result.kernels) {
        entries_.push_back({file.path, file.result.arch, &kernel});
        events_->emit("kernelQueued", {{"kernel", kernel.name}, {"entry", kernel.entry}, {"source", file.path}});
      }
    }
    ToolRunner tools(entries_, wish_, context_, *events_, *texts_, folder_);
    std::string note;
    if (std::string wrong = tools.plan(note); !wrong.empty()) {
      return fail(ExitCode::kUsage, wrong);
    }
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      return fail(ExitCode::kUsage, "cannot make " + folder_ + ": " + error.message());
    }
    FolderLock lock(folder_, context_.stop);
    if (context_.stop.stop_requested()) {
      return cancelled();
    }
    // From here on the folder holds no build until the manifest is there again.
    std::filesystem::remove(folder_ + "/manifest.json", error);
    for (const ManifestEntry &entry : entries_) {
      if (std::string wrong = writeFile(entry.kernel->name, entry.kernel->name + ".pto", entry.kernel->pto);
          !wrong.empty()) {
        return fail(ExitCode::kDiagnostics, wrong);
      }
    }
    if (const char *status = runTools(tools)) {
      return status;
    }
    if (std::string wrong =
            writeAtomically(folder_ + "/manifest.json", manifestJson(entries_, context_.version, elsewhere_));
        !wrong.empty()) {
      return fail(ExitCode::kDiagnostics, wrong);
    }
    sayWrote();
    if (tools.until() != wish_.until && !entries_.empty()) {
      result_.err += "placid: stopped after " + std::string(stageName(tools.until())) + ": " + note + "\n";
    }
    return kSucceeded;
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
    size_t failed = 0;
    for (size_t i = 0; i < tools.results().size(); ++i) {
      const KernelFiles &made = tools.results()[i];
      diagnostics_.insert(diagnostics_.end(), made.diagnostics.begin(), made.diagnostics.end());
      failed += made.good ? 0 : 1;
      if (!made.note.empty()) {
        notes.insert(made.note);
      }
      for (const auto &[name, digest] : made.files) {
        StoreResult<std::string> bytes = tools.service().store().get(digest);
        std::string wrong = bytes ? writeFile(entries_[i].kernel->name, name, *bytes) : bytes.error().detail;
        if (!wrong.empty()) {
          return fail(ExitCode::kDiagnostics, wrong);
        }
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
    built_ = tools.results().size();
    return nullptr;
  }

  /// What went wrong, or empty.
  std::string writeFile(const std::string &kernel, const std::string &name, const std::string &bytes) {
    std::string wrong = writeAtomically(folder_ + "/" + name, bytes);
    if (wrong.empty() && events_->wanted()) {
      events_->emit("artifact", {{"kernel", kernel},
                                 {"path", folder_ + "/" + name},
                                 {"digest", digestOf(bytes).hex},
                                 {"size", bytes.size()}});
    }
    return wrong;
  }

  const Arguments &arguments_;
  const CommandContext &context_;
  compiler::Options options_;
  Wish wish_;
  Sources sources_;
  std::optional<Texts> texts_;
  std::optional<BuildEvents> events_;
  std::set<std::string> modules_; ///< That were read besides the sources.
  std::string format_ = "text";
  std::vector<diag::Diagnostic> reported_; ///< All of them, where a report follows.
  bool ownOutput_ = false;                 ///< Standard output belongs to the events.
  std::vector<Lowered> all_;
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
