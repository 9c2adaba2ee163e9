// SPDX-License-Identifier: Apache-2.0
// A CompilerService for a thread of its own: each call becomes a batch job of the scheduler and waits for it. So the
// commands of clients share the lanes with editors, file by file. Its thread only, which must not be the io thread.
#pragma once

#include "server/scheduler/scheduler.h"

#include <functional>

namespace placid::server {

class ScheduledService final : public compiler::CompilerService {
public:
  ScheduledService(Scheduler &scheduler, EventLoop &loop, ClientId client, std::stop_token stop)
      : scheduler_(scheduler), loop_(loop), client_(client), stop_(std::move(stop)) {}

  compiler::CheckResult check(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  compiler::InspectResult inspect(const source::SourcePtr &text, const compiler::Options &options,
                                  std::stop_token stop) override;
  compiler::IrResult ir(const source::SourcePtr &text, const compiler::Options &options,
                        const compiler::IrRequest &request, std::stop_token stop) override;
  compiler::LowerResult lower(const source::SourcePtr &text, const compiler::Options &options,
                              std::stop_token stop) override;
  index::Index index(const source::SourcePtr &text) override;
  std::vector<index::OpInfo> ops() const override;
  std::vector<std::string> passNames() const override;

private:
  /// Runs `work` on a lane and waits. False when it was dropped.
  bool onLane(std::function<void(compiler::CompilerService &, std::stop_token)> work) const;

  Scheduler &scheduler_;
  EventLoop &loop_;
  ClientId client_;
  std::stop_token stop_;
};

} // namespace placid::server
