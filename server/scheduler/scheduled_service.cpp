// SPDX-License-Identifier: Apache-2.0
#include "server/scheduler/scheduled_service.h"

#include "server/support/sync.h"

#include <memory>
#include <utility>

namespace placid::server {

namespace {

/// Shared by the waiting thread and the job; a job that is destroyed without having run counts as ended.
class Ticket {
public:
  void end() {
    {
      MutexLock lock(mutex_);
      ended_ = true;
    }
    wake_.notifyAll();
  }
  void wait() {
    MutexLock lock(mutex_);
    while (!ended_) {
      wake_.wait(mutex_);
    }
  }

private:
  Mutex mutex_;
  Condition wake_;
  bool ended_ PLACID_GUARDED_BY(mutex_) = false;
};

/// Ends its ticket when the last copy goes.
class Holder {
public:
  explicit Holder(std::shared_ptr<Ticket> ticket) : ticket_(std::move(ticket)) {}
  ~Holder() { ticket_->end(); }
  Holder(const Holder &) = delete;
  Holder &operator=(const Holder &) = delete;

private:
  std::shared_ptr<Ticket> ticket_;
};

compiler::CheckResult &checkOf(compiler::CheckResult &result) { return result; }
template <class R> compiler::CheckResult &checkOf(R &result) { return result.check; }

/// What a call that never ran gives.
template <class R> R stopped() {
  R result;
  checkOf(result).stopped = true;
  return result;
}

} // namespace

bool ScheduledService::onLane(std::function<void(compiler::CompilerService &, std::stop_token)> work) const {
  auto ticket = std::make_shared<Ticket>();
  auto ran = std::make_shared<bool>(false);
  auto holder = std::make_shared<Holder>(ticket);
  RequestJob job;
  job.client = client_;
  job.stop = stop_;
  job.work = [work = std::move(work), ran, ticket, holder](compiler::CompilerService &compiler, std::stop_token given) {
    work(compiler, std::move(given));
    *ran = true;
    ticket->end();
  };
  job.done = [] {};
  holder.reset(); // the job's alone from here
  loop_.post([this, job = std::make_shared<RequestJob>(std::move(job))] { scheduler_.batch(std::move(*job)); });
  ticket->wait();
  return *ran;
}

compiler::CheckResult ScheduledService::check(const source::SourcePtr &text, const compiler::Options &options,
                                              std::stop_token) {
  auto out = std::make_shared<compiler::CheckResult>();
  bool ran = onLane([=](compiler::CompilerService &compiler, std::stop_token stop) {
    *out = compiler.check(text, options, std::move(stop));
  });
  return ran ? std::move(*out) : stopped<compiler::CheckResult>();
}

compiler::InspectResult ScheduledService::inspect(const source::SourcePtr &text, const compiler::Options &options,
                                                  std::stop_token) {
  auto out = std::make_shared<compiler::InspectResult>();
  bool ran = onLane([=](compiler::CompilerService &compiler, std::stop_token stop) {
    *out = compiler.inspect(text, options, std::move(stop));
  });
  return ran ? std::move(*out) : stopped<compiler::InspectResult>();
}

compiler::IrResult ScheduledService::ir(const source::SourcePtr &text, const compiler::Options &options,
                                        const compiler::IrRequest &request, std::stop_token) {
  auto out = std::make_shared<compiler::IrResult>();
  bool ran = onLane([=](compiler::CompilerService &compiler, std::stop_token stop) {
    *out = compiler.ir(text, options, request, std::move(stop));
  });
  return ran ? std::move(*out) : stopped<compiler::IrResult>();
}

compiler::LowerResult ScheduledService::lower(const source::SourcePtr &text, const compiler::Options &options,
                                              std::stop_token) {
  auto out = std::make_shared<compiler::LowerResult>();
  bool ran = onLane([=](compiler::CompilerService &compiler, std::stop_token stop) {
    *out = compiler.lower(text, options, std::move(stop));
  });
  return ran ? std::move(*out) : stopped<compiler::LowerResult>();
}

index::Index ScheduledService::index(const source::SourcePtr &text) {
  auto out = std::make_shared<index::Index>();
  onLane([=](compiler::CompilerService &compiler, std::stop_token) { *out = compiler.index(text); });
  return std::move(*out);
}

std::vector<index::OpInfo> ScheduledService::ops() const {
  auto out = std::make_shared<std::vector<index::OpInfo>>();
  onLane([=](compiler::CompilerService &compiler, std::stop_token) { *out = compiler.ops(); });
  return std::move(*out);
}

std::vector<std::string> ScheduledService::passNames() const {
  auto out = std::make_shared<std::vector<std::string>>();
  onLane([=](compiler::CompilerService &compiler, std::stop_token) { *out = compiler.passNames(); });
  return std::move(*out);
}

} // namespace placid::server
