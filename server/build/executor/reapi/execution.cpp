// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/execution.h"

#include <algorithm>
#include <optional>

namespace placid::server {

namespace {

using Clock = std::chrono::steady_clock;
using google::longrunning::Operation;

/// A call on behalf of somebody who has left already.
constexpr std::chrono::milliseconds kFarewell{2000};
/// A server that was silent for so long is asked again, in case that the way to it broke without a word.
constexpr std::chrono::minutes kSilence{5};
/// A stream that held so long was one.
constexpr std::chrono::seconds kUseful{2};

/// The answers to Execute or WaitExecution, read one at a time with a time to wait for each.
class OperationStream {
public:
  OperationStream(Connection &connection, const Caller &caller) : stop_(caller.stop, Cancel{this}) {
    connection.prepare(context_, caller);
  }
  ~OperationStream() {
    if (!finished_) {
      context_.TryCancel();
      if (pending_) {
        (void)await(std::nullopt);
      }
      finish();
    }
    queue_.Shutdown();
    void *tag = nullptr;
    bool good = false;
    while (queue_.Next(&tag, &good)) {
    }
  }
  OperationStream(const OperationStream &) = delete;
  OperationStream &operator=(const OperationStream &) = delete;

  void begin(rx::Execution::Stub &stub, const rx::ExecuteRequest &request) {
    reader_ = stub.AsyncExecute(&context_, request, &queue_, this);
    pending_ = opening_ = true;
  }
  void begin(rx::Execution::Stub &stub, const rx::WaitExecutionRequest &request) {
    reader_ = stub.AsyncWaitExecution(&context_, request, &queue_, this);
    pending_ = opening_ = true;
  }

  enum class Next : uint8_t { Got, Late, End };
  /// After End `status` is known.
  Next next(Operation &out, Clock::time_point until) {
    for (;;) {
      if (!pending_) {
        reader_->Read(&read_, this);
        pending_ = true;
      }
      std::optional<bool> good = await(until);
      if (!good) {
        return Next::Late;
      }
      if (!*good) {
        finish();
        return Next::End;
      }
      if (!std::exchange(opening_, false)) {
        out = read_;
        return Next::Got;
      }
    }
  }
  const grpc::Status &status() const { return status_; }

private:
  struct Cancel {
    OperationStream *stream;
    void operator()() const { stream->context_.TryCancel(); }
  };

  /// Whether what was asked for succeeded; nothing when it takes longer.
  std::optional<bool> await(std::optional<Clock::time_point> until) {
    void *tag = nullptr;
    bool good = false;
    if (until) {
      auto left = std::max(std::chrono::milliseconds(0),
                           std::chrono::duration_cast<std::chrono::milliseconds>(*until - Clock::now()));
      auto end = std::chrono::system_clock::now() + left;
      if (queue_.AsyncNext(&tag, &good, end) == grpc::CompletionQueue::TIMEOUT) {
        return std::nullopt;
      }
    } else {
      (void)queue_.Next(&tag, &good);
    }
    pending_ = false;
    return good;
  }

  void finish() {
    if (reader_) {
      reader_->Finish(&status_, this);
      (void)await(std::nullopt);
    }
    finished_ = true;
  }

  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::ClientAsyncReader<Operation>> reader_;
  Operation read_;
  grpc::Status status_;
  bool pending_ = false, opening_ = false, finished_ = false;
  std::stop_callback<Cancel> stop_; // last: gone before what it cancels
};

class Watch {
public:
  Watch(Connection &connection, const Caller &caller, const rx::ExecuteRequest &request, const ActionLimits &limits,
        const std::function<void()> &started)
      : connection_(connection), caller_(caller), request_(request), limits_(limits), started_(started),
        asked_(Clock::now()) {}

  ExecutionEnd run() {
    bool waits = false; // the server has given a name to wait for
    Clock::time_point broken;
    for (int tries = 0;; ++tries) {
      grpc::Status status;
      const Clock::time_point attached = Clock::now();
      if (std::optional<ExecutionEnd> end = follow(waits, status)) {
        return std::move(*end);
      }
      if (caller_.stop.stop_requested()) {
        return farewell(ExecutionEnd::Kind::Cancelled);
      }
      const grpc::StatusCode code = status.error_code();
      bool wasWaiting = waits;
      waits = !name_.empty();
      if (!waits) {
        return refused(status); // whether it was taken is not known: the caller looks for a result first
      }
      // After a restart some say that they do not know it, others that something is wrong in them.
      if (wasWaiting && (code == grpc::StatusCode::NOT_FOUND || code == grpc::StatusCode::UNIMPLEMENTED ||
                         code == grpc::StatusCode::INTERNAL || code == grpc::StatusCode::UNKNOWN)) {
        return {ExecutionEnd::Kind::Forgotten, {}, status};
      }
      if (!status.ok() && !isPassing(code)) {
        return refused(status);
      }
      // A stream that was of use is the end of what was before it.
      if (std::exchange(heard_, false) || Clock::now() - attached >= kUseful) {
        broken = Clock::now();
        tries = 0;
      }
      if (Clock::now() - broken >= connection_.patience()) {
        return refused(status);
      }
      if (!connection_.pause(caller_, tries)) {
        return farewell(ExecutionEnd::Kind::Cancelled);
      }
    }
  }

private:
  static ExecutionEnd refused(const grpc::Status &status) { return {ExecutionEnd::Kind::Refused, {}, status}; }

  /// Nothing: the stream broke with `status`.
  std::optional<ExecutionEnd> follow(bool waits, grpc::Status &status) {
    OperationStream stream(connection_, caller_);
    if (waits) {
      rx::WaitExecutionRequest wait;
      wait.set_name(name_);
      stream.begin(*connection_.execution, wait);
    } else {
      stream.begin(*connection_.execution, request_);
    }
    for (;;) {
      Clock::time_point silent = Clock::now() + kSilence;
      std::optional<Clock::time_point> clock = nextClock();
      Operation operation;
      switch (stream.next(operation, clock ? std::min(*clock, silent) : silent)) {
      case OperationStream::Next::Late:
        if (clock && Clock::now() >= *clock) {
          return farewell(begun_ ? ExecutionEnd::Kind::RunClock : ExecutionEnd::Kind::QueueClock);
        }
        if (Clock::now() >= silent) {
          status = grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server says nothing");
          return std::nullopt; // the silence may be the way's: ask
        }
        break;
      case OperationStream::Next::End:
        status = stream.status().ok() ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server stopped speaking")
                                      : stream.status();
        return std::nullopt;
      case OperationStream::Next::Got:
        if (std::optional<ExecutionEnd> end = hear(operation)) {
          return end;
        }
        break;
      }
    }
  }

  std::optional<ExecutionEnd> hear(const Operation &operation) {
    heard_ = true;
    if (!operation.name().empty()) {
      name_ = operation.name();
    }
    rx::ExecuteOperationMetadata metadata;
    if (operation.has_metadata() && operation.metadata().UnpackTo(&metadata) &&
        metadata.stage() != rx::ExecutionStage::UNKNOWN) {
      stageKnown_ = true;
      if (metadata.stage() == rx::ExecutionStage::EXECUTING) {
        begin();
      }
    } else if (!stageKnown_) {
      report(); // taken, and more it will not say
    }
    if (!operation.done()) {
      return std::nullopt;
    }
    begin();
    ExecutionEnd end;
    if (operation.has_error()) {
      end.status = grpc::Status(static_cast<grpc::StatusCode>(operation.error().code()), operation.error().message());
    } else if (operation.has_response() && operation.response().UnpackTo(&end.response)) {
      end.kind = ExecutionEnd::Kind::Answered;
    } else {
      end.status = grpc::Status(grpc::StatusCode::INTERNAL, "the server ended an execution without an answer");
    }
    return end;
  }

  void begin() {
    begun_ = begun_ ? begun_ : Clock::now();
    report();
  }

  void report() {
    if (!std::exchange(reported_, true) && started_) {
      started_();
    }
  }

  /// The moment at which it is given up. A server that does not say when it begins may do so at any time of the wait.
  std::optional<Clock::time_point> nextClock() const {
    const auto end = limits_.run + limits_.grace + connection_.options().slack;
    bool runs = limits_.run.count() != 0, queues = limits_.queue.count() != 0;
    if (begun_) {
      return runs ? std::optional(*begun_ + end) : std::nullopt;
    }
    if (stageKnown_ || name_.empty()) {
      return queues ? std::optional(asked_ + limits_.queue) : std::nullopt;
    }
    return runs ? std::optional(asked_ + limits_.queue + end) : std::nullopt;
  }

  /// Ends it, as far as the server lets itself be told.
  ExecutionEnd farewell(ExecutionEnd::Kind kind) {
    if (!name_.empty()) {
      Caller nobody{caller_.actionId, caller_.step, {}};
      grpc::ClientContext context;
      connection_.prepare(context, nobody);
      context.set_deadline(std::chrono::system_clock::now() + kFarewell);
      google::longrunning::CancelOperationRequest request;
      request.set_name(name_);
      google::protobuf::Empty answer;
      (void)connection_.operations->CancelOperation(&context, request, &answer);
    }
    // It may have run all the time, unseen.
    bool unseen = kind == ExecutionEnd::Kind::QueueClock && !stageKnown_ && !name_.empty();
    return {unseen ? ExecutionEnd::Kind::RunClock : kind, {}, {}};
  }

  Connection &connection_;
  const Caller &caller_;
  const rx::ExecuteRequest &request_;
  const ActionLimits &limits_;
  const std::function<void()> &started_;
  const Clock::time_point asked_;
  std::optional<Clock::time_point> begun_;
  std::string name_;
  bool stageKnown_ = false, heard_ = false, reported_ = false;
};

} // namespace

ExecutionEnd execute(Connection &connection, const Caller &caller, const rx::ExecuteRequest &request,
                     const ActionLimits &limits, const std::function<void()> &started) {
  return Watch(connection, caller, request, limits, started).run();
}

} // namespace placid::server
