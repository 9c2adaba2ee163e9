// SPDX-License-Identifier: Apache-2.0
#include "server/build/kernel_build.h"

#include "compiler/toolchain/kernel_cpp.h"
#include "server/build/toolchains/identity.h"

#include <nlohmann/json.hpp>

#include <sys/utsname.h>

#include <charconv>
#include <filesystem>

namespace placid::server {

using Ordered = nlohmann::ordered_json;

namespace {

constexpr int kOldestClang = 15;
constexpr const char *kHostLinker = "/usr/bin/ld";
constexpr int64_t kMostToolSeconds = 7 * 24 * 3600;
constexpr int64_t kMostToolMegabytes = int64_t{1} << 24;
constexpr std::string_view kStages[] = {"pl", "pto", "cpp", "object", "link"};

std::string platform() {
  utsname names{};
  ::uname(&names);
  return "linux-" + std::string(names.machine);
}

ActionResult askVersion(const std::string &name, const std::string &path, const Digest &identity,
                        const ActionLimits &limits, BuildService &service, const std::stop_token &stop) {
  Action ask;
  ask.step = "version";
  ask.argv = {"@" + name + "@", "--version"};
  ask.env = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}};
  ask.tools = {{name, identity}};
  ask.hostPaths = {{name, path}};
  return service.broker().run(ask, limits, stop);
}

/// Not empty: the host's compiler is too old for the simulator's headers. One that does not say its release is taken.
std::string tooOldHost(const BuildPlan &plan, BuildService &service, const std::stop_token &stop) {
  ActionResult result = askVersion("cxx", plan.tools.cxx.path, plan.cxx, plan.compileLimits, service, stop);
  const ToolRun *run = std::get_if<ToolRun>(&result.outcome);
  std::optional<toolchain::Release> release = run ? toolchain::parseRelease(run->out) : std::nullopt;
  bool clang = run && run->out.find("clang") != std::string::npos;
  if (!release || !clang || release->major >= kOldestClang) {
    return {};
  }
  return plan.tools.cxx.path + " is clang " + toolchain::releaseName(*release) + ", and the headers of pto-isa need " +
         std::to_string(kOldestClang) + " or later";
}

/// Of a mixed kernel, what is made for one core bears that core's name.
std::string coreFileOf(const std::string &kernel, const std::vector<toolchain::CoreType> &cores,
                       toolchain::CoreType core, const char *suffix) {
  return cores.size() < 2 ? kernel + suffix : kernel + "." + std::string(toolchain::coreName(core)) + suffix;
}

/// The steps of one kernel, each after the other.
class Steps {
public:
  Steps(const KernelUnit &unit, const BuildPlan &plan, BuildService &service, BuildEvents &events, const TextOf &text,
        const std::stop_token &stop)
      : unit_(unit), plan_(plan), service_(service), events_(events), text_(text), stop_(stop), places_(unit.pto),
        names_(unit.places) {
    names_.places = &places_;
  }

  KernelFiles run() {
    out_.good = assemble();
    // What one core's compiler refuses is told with what the other's does.
    if (out_.good && plan_.until >= BuildStage::Object) {
      for (toolchain::CoreType core : unit_.cores) {
        core_ = core;
        bool good = compile() && (plan_.until < BuildStage::Link || link());
        out_.good = out_.good && good;
      }
    }
    return std::move(out_);
  }

private:
  std::string file(const char *suffix) const { return unit_.name + suffix; }
  /// Of the core that is compiled for.
  std::string coreFile(const char *suffix) const { return coreFileOf(unit_.name, unit_.cores, core_, suffix); }

  Action action(const char *step, const toolchain::Command &command) const {
    Action out;
    out.step = step;
    out.argv = command.argv;
    out.outputs = {command.output};
    out.env = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C"}};
    out.platform = platform();
    out.salt = service_.salt();
    out.hostPaths = {{"ptoas", plan_.tools.ptoas.path}, {"cxx", plan_.tools.cxx.path}, {"isa", plan_.tools.isa.path}};
    return out;
  }

  bool fail(diag::Code code, std::string message, uint32_t line = 0) {
    out_.diagnostics.push_back(atUnitLine(code, std::move(message), line, names_, text_));
    return false;
  }

  /// The last step said that it had succeeded, and had not.
  bool useless(const std::string &name, const std::string &why) {
    service_.broker().forget(lastKey_);
    return fail(diag::ToolOutput.code, diag::message(diag::ToolOutput, name, why));
  }

  std::optional<Digest> keep(std::string_view bytes) {
    StoreResult<Digest> kept = service_.store().put(bytes);
    if (!kept) {
      fail(diag::BuildInfrastructure.code, diag::message(diag::BuildInfrastructure, "the build", kept.error().detail));
      return std::nullopt;
    }
    hold(*kept);
    return *kept;
  }

  /// Not evicted before the build has written it.
  void hold(const Digest &digest) {
    out_.pins.push_back(std::make_shared<Store::Pin>(service_.store(), std::vector<Digest>{digest}));
  }

  /// Of a blob that may be large, as much as tells an object from something else.
  StoreResult<std::string> beginOf(const Digest &digest) {
    constexpr size_t kHead = 64;
    StoreResult<std::unique_ptr<Store::Reader>> reader = service_.store().open(digest);
    return reader ? (*reader)->read(0, kHead) : reader.error();
  }

  /// The output's bytes when the tool did its work; of an object the first ones.
  std::optional<std::string> carryOut(const Action &what, Tool tool, const std::string &name,
                                      const ActionLimits &limits) {
    Broker::Log log;
    if (events_.wanted()) {
      log = [&](Stream stream, uint64_t offset, std::string_view bytes) {
        events_.emit("log", {{"kernel", unit_.name},
                             {"step", what.step},
                             {"stream", stream == Stream::Out ? "stdout" : "stderr"},
                             {"offset", offset},
                             {"text", std::string(bytes)}});
      };
    }
    ActionResult result = service_.broker().run(what, limits, stop_, log);
    report(what, result);
    lastKey_ = result.key;
    std::vector<diag::Diagnostic> said = toolDiagnostics(tool, name, result.outcome, names_, text_);
    out_.diagnostics.insert(out_.diagnostics.end(), said.begin(), said.end());
    const ToolRun *run = std::get_if<ToolRun>(&result.outcome);
    if (!run || run->signal != 0 || run->exitCode != 0) {
      return std::nullopt;
    }
    const std::string &wanted = what.outputs.front();
    auto made = run->outputs.find(wanted);
    if (made == run->outputs.end()) {
      fail(diag::ToolOutput.code, diag::message(diag::ToolOutput, name, "it did not write " + wanted));
      return std::nullopt;
    }
    StoreResult<std::string> bytes = tool == Tool::Ptoas ? service_.store().get(made->second) : beginOf(made->second);
    if (!bytes) {
      fail(diag::BuildInfrastructure.code, diag::message(diag::BuildInfrastructure, name, bytes.error().detail));
      return std::nullopt;
    }
    if (bytes->empty()) {
      useless(name, wanted + " is empty");
      return std::nullopt;
    }
    lastDigest_ = made->second;
    hold(lastDigest_);
    return std::move(*bytes);
  }

  void report(const Action &what, const ActionResult &result) {
    Ordered fields = {{"kernel", unit_.name}, {"step", what.step}, {"key", result.key.hex}};
    if (result.from == ActionResult::From::Cache) {
      events_.emit("cacheHit", fields);
      return;
    }
    fields["from"] = fromName(result.from);
    fields["executor"] = service_.caps().name;
    fields["attempts"] = result.attempts;
    fields["command"] = what.argv;
    if (const ToolRun *run = std::get_if<ToolRun>(&result.outcome)) {
      fields["outcome"] = "ended";
      fields["exit"] = run->exitCode;
      fields["signal"] = run->signal;
      fields["queueMs"] = run->queueMs;
      fields["runMs"] = run->runMs;
      fields["peakBytes"] = run->peakBytes;
      if (!run->worker.empty()) {
        fields["worker"] = run->worker;
      }
    } else if (std::holds_alternative<ToolStopped>(result.outcome)) {
      fields["outcome"] = "stopped";
    } else if (const InfraFailure *failure = std::get_if<InfraFailure>(&result.outcome)) {
      fields["outcome"] = "infrastructure";
      fields["code"] = codeName(failure->code);
    } else {
      fields["outcome"] = "cancelled";
    }
    events_.emit("passFinished", fields);
  }

  void made(const std::string &name, const Digest &digest) { out_.files.emplace_back(name, digest); }

  bool assemble() {
    toolchain::Needs needs = toolchain::needsOf(unit_.pto);
    toolchain::Service how = toolchain::serviceOf(plan_.release, needs);
    if (!how.refusal.empty()) {
      return fail(diag::ToolTooOld.code, diag::message(diag::ToolTooOld, how.refusal), needs.line);
    }
    out_.note = how.note;
    if (plan_.toolchain->compiler == toolchain::Compiler::Host && needs.bf16) {
      out_.note += std::string(out_.note.empty() ? "" : "\n") +
                   "the CPU simulator computes BF16 as FP16 where the host's C++ library has no std::bfloat16_t";
    }
    std::vector<std::string> flags = how.flags;
    flags.insert(flags.end(), plan_.settings.ptoasFlags.begin(), plan_.settings.ptoasFlags.end());
    std::optional<Digest> in = keep(unit_.pto);
    if (!in) {
      return false;
    }
    Action step =
        action("ptoas", toolchain::ptoasCommand(file(".pto"), file(".cpp"), unit_.arch, unit_.planner, flags));
    step.inputs = {{file(".pto"), *in}};
    step.tools = {{"ptoas", plan_.ptoas}};
    if (!plan_.ptoasFiles.hex.empty()) {
      step.tools["flags"] = plan_.ptoasFiles;
    }
    std::optional<std::string> generated = carryOut(step, Tool::Ptoas, "ptoas", plan_.ptoasLimits);
    if (!generated) {
      return false;
    }
    toolchain::KernelCpp cpp = toolchain::makeKernelCpp(*generated, unit_.pto, file(".pto"), file(".cpp"));
    if (!cpp.error.empty()) {
      return useless("ptoas", "of the C++ that it wrote, " + cpp.error);
    }
    std::optional<Digest> kept = keep(cpp.text);
    if (kept) {
      cpp_ = *kept;
      made(file(".cpp"), cpp_);
    }
    return kept.has_value();
  }

  std::string compilerName() const { return std::filesystem::path(plan_.tools.cxx.path).filename().string(); }

  bool isObject(const std::string &bytes, const std::string &name) {
    if (bytes.starts_with("\x7f"
                          "ELF")) {
      return true;
    }
    return useless(compilerName(), name + " is no object file");
  }

  bool compile() {
    std::vector<std::string> flags = plan_.settings.cxxFlags;
    flags.insert(flags.end(), {"-MD", "-MF", coreFile(".d")});
    Action step =
        action("compile", toolchain::compileCommand(*plan_.toolchain, core_, file(".cpp"), coreFile(".o"), flags));
    step.inputs = {{file(".cpp"), cpp_}};
    step.tools = {{"cxx", plan_.cxx}, {"isa", plan_.isa}};
    step.depFile = coreFile(".d");
    if (!plan_.cxxFiles.hex.empty()) {
      step.tools["flags"] = plan_.cxxFiles;
    }
    if (plan_.tools.cann) {
      step.hostPaths["cann"] = plan_.tools.cann.path;
      step.env["ASCEND_HOME_PATH"] = "@cann@";
    }
    std::optional<std::string> object = carryOut(step, Tool::Compiler, compilerName(), plan_.compileLimits);
    if (!object || !isObject(*object, coreFile(".o"))) {
      return false;
    }
    object_ = lastDigest_;
    made(coreFile(".o"), object_);
    return true;
  }

  bool link() {
    std::optional<toolchain::Command> command =
        toolchain::linkCommand(*plan_.toolchain, coreFile(".o"), coreFile(".so"));
    if (!command) {
      return true;
    }
    Action step = action("link", *command);
    step.inputs = {{coreFile(".o"), object_}};
    step.tools = {{"cxx", plan_.cxx}};
    std::optional<std::string> library = carryOut(step, Tool::Compiler, compilerName(), plan_.compileLimits);
    if (!library || !isObject(*library, coreFile(".so"))) {
      return false;
    }
    made(coreFile(".so"), lastDigest_);
    return true;
  }

  const KernelUnit &unit_;
  const BuildPlan &plan_;
  BuildService &service_;
  BuildEvents &events_;
  const TextOf &text_;
  const std::stop_token &stop_;
  toolchain::PtoPlaces places_;
  UnitPlaces names_;
  toolchain::CoreType core_ = toolchain::CoreType::Cube;
  Digest cpp_, object_, lastDigest_, lastKey_;
  KernelFiles out_;
};

} // namespace

std::optional<BuildStage> parseStage(std::string_view name) {
  for (size_t i = 0; i < std::size(kStages); ++i) {
    if (kStages[i] == name) {
      return static_cast<BuildStage>(i);
    }
  }
  return std::nullopt;
}

std::string_view stageName(BuildStage stage) { return kStages[static_cast<size_t>(stage)]; }

std::vector<std::string> filesOf(const std::string &kernel, const std::vector<toolchain::CoreType> &cores,
                                 BuildStage until) {
  std::vector<std::string> out = {kernel + ".pto"};
  if (until >= BuildStage::Cpp) {
    out.push_back(kernel + ".cpp");
  }
  for (toolchain::CoreType core : cores) {
    if (until >= BuildStage::Object) {
      out.push_back(coreFileOf(kernel, cores, core, ".o"));
    }
    if (until >= BuildStage::Link) {
      out.push_back(coreFileOf(kernel, cores, core, ".so"));
    }
  }
  return out;
}

std::vector<std::string> missingFor(BuildStage stage, const ToolchainTools &tools) {
  std::vector<std::string> out;
  auto need = [&](const FoundTool &tool, const char *name) {
    if (!tool) {
      out.push_back(std::string(name) + ": " + tool.missing);
    }
  };
  if (stage >= BuildStage::Cpp) {
    need(tools.ptoas, "ptoas");
  }
  if (stage >= BuildStage::Object) {
    need(tools.isa, "pto-isa");
    need(tools.cxx, "C++ compiler");
  }
  return out;
}

std::string completePlan(BuildPlan &plan, const ToolEnvironment &environment, BuildService &service,
                         const std::stop_token &stop) {
  auto given = [&](const char *name, int64_t most, int64_t usual) {
    std::string text = environment.get(name);
    int64_t number = 0;
    auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool good = wrong == std::errc() && end == text.data() + text.size() && number > 0 && number <= most;
    return good ? number : usual;
  };
  plan.ptoasLimits.run = std::chrono::seconds(given("PLACID_TOOL_SECONDS", kMostToolSeconds, 60));
  plan.compileLimits.run = std::chrono::seconds(given("PLACID_TOOL_SECONDS", kMostToolSeconds, 600));
  plan.ptoasLimits.memoryBytes = plan.compileLimits.memoryBytes =
      static_cast<uint64_t>(given("PLACID_TOOL_MEMORY", kMostToolMegabytes, 0)) << 20;
  plan.ptoasLimits.queue = plan.compileLimits.queue = std::chrono::minutes(60);
  if (plan.until >= BuildStage::Cpp) {
    Identity ptoas = programIdentity(plan.tools.ptoas.path, service.store());
    if (!ptoas.error.empty()) {
      return ptoas.error;
    }
    plan.ptoas = ptoas.digest;
    ActionResult result = askVersion("ptoas", plan.tools.ptoas.path, plan.ptoas, plan.ptoasLimits, service, stop);
    const ToolRun *run = std::get_if<ToolRun>(&result.outcome);
    std::optional<toolchain::Release> release = run ? toolchain::parseRelease(run->out) : std::nullopt;
    if (!release) {
      const InfraFailure *failure = std::get_if<InfraFailure>(&result.outcome);
      return plan.tools.ptoas.path + " --version does not say which release it is" +
             (failure ? ": " + failure->detail : std::string());
    }
    plan.release = *release;
  }
  if (plan.until >= BuildStage::Object) {
    bool device = plan.toolchain->compiler == toolchain::Compiler::Cce;
    // A device compiler is a driver: what it calls and links lies around it, a few folders of programs and libraries.
    Identity cxx = device ? installationIdentity(plan.tools.cxx.path, service.store())
                          : programIdentity(plan.tools.cxx.path, service.store());
    if (!device && isProgram(kHostLinker)) { // from the action's own PATH
      cxx = combined(cxx, programIdentity(kHostLinker, service.store()));
    }
    Identity isa = folderIdentity(plan.tools.isa.path + "/include", service.store());
    if (!cxx.error.empty() || !isa.error.empty()) {
      return cxx.error.empty() ? isa.error : cxx.error;
    }
    plan.cxx = cxx.digest;
    plan.isa = isa.digest;
    if (!device) {
      if (std::string old = tooOldHost(plan, service, stop); !old.empty()) {
        return old;
      }
    }
  }
  Identity ptoasFiles = flagIdentity(plan.settings.ptoasFlags, service.store());
  Identity cxxFiles = flagIdentity(plan.settings.cxxFlags, service.store());
  if (!ptoasFiles.error.empty() || !cxxFiles.error.empty()) {
    return ptoasFiles.error.empty() ? cxxFiles.error : ptoasFiles.error;
  }
  plan.ptoasFiles = ptoasFiles.digest;
  plan.cxxFiles = cxxFiles.digest;
  return {};
}

KernelFiles buildKernel(const KernelUnit &unit, const BuildPlan &plan, BuildService &service, BuildEvents &events,
                        const TextOf &text, const std::stop_token &stop) {
  return Steps(unit, plan, service, events, text, stop).run();
}

} // namespace placid::server
