// SPDX-License-Identifier: Apache-2.0
// One kernel from its PTO IR to what a build writes: ptoas, the C++ with its entry, the object, the library. Each step
// is an action, so that whatever step comes out as before ends the work early. Knows no command and no transport. Any
// thread.
#pragma once

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/toolchain/toolchain.h"
#include "server/build/build_service.h"
#include "server/build/events.h"
#include "server/build/tool_diagnostics.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace placid::server {

enum class BuildStage : uint8_t { Pl, Pto, Cpp, Object, Link };
std::optional<BuildStage> parseStage(std::string_view name);
std::string_view stageName(BuildStage stage);

/// What a build does with each of its kernels.
struct BuildPlan {
  const toolchain::Toolchain *toolchain = nullptr;
  BuildStage until = BuildStage::Link;
  ToolchainTools tools;
  ToolchainSettings settings;
  toolchain::Release release;  ///< Of ptoas.
  Digest ptoas, cxx, isa;      ///< Identities; empty for what the stage does not need.
  Digest ptoasFiles, cxxFiles; ///< Of what the user's flags name; empty where they name nothing.
  ActionLimits ptoasLimits, compileLimits;
};

/// Every file that a build up to `until` may write for such a kernel, its PTO IR among them.
std::vector<std::string> filesOf(const std::string &kernel, const std::vector<toolchain::CoreType> &cores,
                                 BuildStage until);

/// What is missing for `stage`, a line each with how to get it; empty when nothing is.
std::vector<std::string> missingFor(BuildStage stage, const ToolchainTools &tools);

/// Fills in identities and the release, which takes looking at the tools. Not empty: why the plan cannot be carried
/// out.
std::string completePlan(BuildPlan &plan, const ToolEnvironment &environment, BuildService &service,
                         const std::stop_token &stop);

struct KernelUnit {
  std::string name; ///< File stem.
  std::string pto;
  target::Arch arch;
  target::Planner planner = target::kDefaultPlanner;
  std::vector<toolchain::CoreType> cores; ///< Of a mixed kernel both: then each has files of its own.
  UnitPlaces places;                      ///< Without `places.places`, which is made here.
};

struct KernelFiles {
  std::vector<std::pair<std::string, Digest>>
      files; ///< "k.cpp", "k.o", "k.so" (mixed: "k.aic.o" …): in the order in which they were made.
  std::vector<diag::Diagnostic> diagnostics;
  std::vector<std::shared_ptr<Store::Pin>> pins; ///< Keep what was made until it is written.
  bool good = false;
  std::string note; ///< Said once a build: a flag that changes how a tool works.
};

KernelFiles buildKernel(const KernelUnit &unit, const BuildPlan &plan, BuildService &service, BuildEvents &events,
                        const TextOf &text, const std::stop_token &stop);

} // namespace placid::server
