// SPDX-License-Identifier: Apache-2.0
#include "server/commands/build_tools.h"

#include "compiler/support/suggest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>

namespace placid::server {

std::string readBuildWish(const Arguments &arguments, BuildWish &wish) {
  if (arguments.has("--remote-fallback") && !arguments.has("--remote")) {
    return "--remote-fallback says what to do when --remote NAME cannot be reached";
  }
  if (arguments.has("--until")) {
    std::string name = arguments.value("--until");
    std::optional<BuildStage> stage = parseStage(name);
    if (!stage) {
      return "unknown stage `" + name + "`: expected pl, pto, cpp, object or link";
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

std::string ToolRunner::plan(std::string &note) {
  if (wish_.until == BuildStage::Pto || entries_.empty()) {
    return {};
  }
  for (const ManifestEntry &entry : entries_) {
    std::optional<target::Arch> arch = target::parseArch(entry.arch);
    const toolchain::Toolchain &chain = toolchainOf(entry);
    if (!arch || !toolchain::buildsFor(chain, *arch)) {
      return "toolchain `" + std::string(chain.name) + "` does not build for " + entry.arch + ", which " + entry.path +
             " is for";
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
    for (int stage = static_cast<int>(wish_.until); stage > static_cast<int>(BuildStage::Pto); --stage) {
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

std::string ToolRunner::run() {
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
  Mutex mutex;
  std::exception_ptr fault; // the first; whoever runs the command hears of it, as if one thread had done it all
  auto work = [&] {
    try {
      for (size_t at = next++; at < entries_.size() && !context_.stop.stop_requested(); at = next++) {
        results_[at] = one(entries_[at]);
      }
    } catch (...) {
      next = entries_.size();
      MutexLock lock(mutex);
      fault = fault ? fault : std::current_exception();
    }
  };
  {
    // Two for each place to run: one that runs, one that prepares or reads what it knows.
    std::vector<std::jthread> threads;
    size_t most = std::min(entries_.size(), 2 * service_->caps().slots);
    threads.reserve(most);
    for (size_t i = 1; i < most; ++i) {
      try {
        threads.emplace_back(work);
      } catch (const std::system_error &) {
        break; // those that there are do it all
      }
    }
    work();
  }
  if (fault) {
    std::rethrow_exception(fault);
  }
  return {};
}

const toolchain::Toolchain &ToolRunner::toolchainOf(const ManifestEntry &entry) const {
  std::optional<target::Arch> arch = target::parseArch(entry.arch);
  return wish_.toolchain ? *wish_.toolchain : toolchain::deviceToolchain(arch.value_or(target::kDefaultArch));
}

KernelFiles ToolRunner::one(const ManifestEntry &entry) {
  std::optional<target::Arch> arch = target::parseArch(entry.arch);
  const toolchain::Toolchain &chain = toolchainOf(entry);
  const compiler::LoweredKernel &kernel = *entry.kernel;
  KernelUnit unit;
  unit.name = kernel.name;
  unit.pto = kernel.pto;
  unit.arch = *arch;
  unit.planner = target::parsePlanner(kernel.planner).value_or(target::kDefaultPlanner);
  unit.cores = toolchain::coresOf(kernel.coreType);
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
  KernelFiles made = buildKernel(unit, plans_.at(std::string(chain.name)), *service_, events_, text, context_.stop);
  events_.emit("kernelFinished", {{"kernel", kernel.name}, {"status", made.good ? "succeeded" : "failed"}});
  return made;
}

} // namespace placid::server
