// SPDX-License-Identifier: Apache-2.0
// What `build` was asked for, and the part of a build behind PTO IR: all kernels through the tools, as many at once as
// there are places to run. Knows neither the command's output nor its folder's files. One thread calls; it starts
// others.
#pragma once

#include "server/build/kernel_build.h"
#include "server/commands/command.h"
#include "server/commands/report.h"
#include "server/render/json_output.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace placid::server {

/// What was asked for on the command line.
struct BuildWish {
  BuildStage until = BuildStage::Link;
  bool strict = false;                             ///< Said so: what cannot be reached is an error, not a note.
  const toolchain::Toolchain *toolchain = nullptr; ///< Null: that of the kernels' chip.
  std::string executor;                            ///< Empty: that of the user's settings.
};

/// Not empty: what is wrong.
std::string readBuildWish(const Arguments &arguments, BuildWish &wish);

class ToolRunner {
public:
  /// All of these outlive it. `folder` is what events and places of diagnostics name.
  ToolRunner(std::vector<ManifestEntry> &entries, const BuildWish &wish, const CommandContext &context,
             BuildEvents &events, Texts &texts, std::string folder)
      : entries_(entries), wish_(wish), context_(context), events_(events), texts_(texts), folder_(std::move(folder)) {}

  /// Decides how far the kernels are taken. Not empty: a wrong wish. `note` says what is left undone.
  std::string plan(std::string &note);
  BuildStage until() const { return until_; }

  /// Runs the tools. Not empty: they could not be used at all.
  std::string run();
  /// Runs those of one entry again, whose files were lost: after run().
  void again(size_t at) { results_[at] = one(entries_[at]); }
  const toolchain::Toolchain &toolchainOf(const ManifestEntry &entry) const;
  /// One for each entry, once they were run.
  const std::vector<KernelFiles> &results() const { return results_; }
  BuildService &service() { return *service_; }

private:
  KernelFiles one(const ManifestEntry &entry);

  std::vector<ManifestEntry> &entries_;
  const BuildWish &wish_;
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

} // namespace placid::server
