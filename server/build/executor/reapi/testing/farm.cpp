// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/testing/farm.h"

#include "server/build/executor/reapi/testing/farm_worker.h"
#include "server/build/store/digest.h"
#include "server/support/sync.h"

#include <build/bazel/remote/execution/v2/remote_execution.grpc.pb.h>
#include <google/bytestream/bytestream.grpc.pb.h>
#include <google/longrunning/operations.grpc.pb.h>
#include <google/protobuf/util/time_util.h>
#include <google/rpc/error_details.pb.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

namespace placid::server {

namespace {

namespace bs = google::bytestream;
namespace lr = google::longrunning;
using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;

constexpr size_t kFaults = static_cast<size_t>(Fault::Count);
constexpr const char *kUnix = "unix:";
constexpr const char *kMetadataHeader = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// One execution.
struct Job {
  std::string name;
  rx::Digest action;
  std::stop_source stop;
  bool running = false, done = false;
  rx::ExecuteResponse response;
  std::thread thread;
};

} // namespace

struct Farm::State : rx::Capabilities::Service,
                     rx::Execution::Service,
                     rx::ActionCache::Service,
                     rx::ContentAddressableStorage::Service,
                     bs::ByteStream::Service,
                     lr::Operations::Service {
  State(std::string where, FarmTraits how)
      : address(std::move(where)), traits(std::move(how)), random(traits.faultSeed) {}

  bool hit(Fault fault) {
    std::atomic<int> &left = planned[static_cast<size_t>(fault)];
    if (left <= 0) {
      return false;
    }
    if (traits.faultPercent != 0) {
      MutexLock lock(mutex);
      if (static_cast<int>(random() % 100) >= traits.faultPercent) {
        return false;
      }
    }
    return left-- > 0;
  }

  /// Of any call: whether it may come in.
  Status enter(ServerContext &context, bool mayFail = true) {
    ++counts.calls;
    const auto &headers = context.client_metadata();
    auto metadata = headers.find(kMetadataHeader);
    rx::RequestMetadata parsed;
    if (metadata == headers.end() ||
        !parsed.ParseFromArray(metadata->second.data(), static_cast<int>(metadata->second.size()))) {
      ++counts.withoutMetadata;
      return {StatusCode::INVALID_ARGUMENT, "no request metadata"};
    }
    auto bearer = headers.find("authorization");
    if (!traits.token.empty() &&
        (bearer == headers.end() ||
         std::string_view(bearer->second.data(), bearer->second.size()) != "Bearer " + traits.token)) {
      return {StatusCode::UNAUTHENTICATED, "no such token"};
    }
    return mayFail && hit(Fault::Unavailable) ? Status(StatusCode::UNAVAILABLE, "busy") : Status::OK;
  }

  Status GetCapabilities(ServerContext *context, const rx::GetCapabilitiesRequest *,
                         rx::ServerCapabilities *out) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    auto function = traits.sha256 ? rx::DigestFunction::SHA256 : rx::DigestFunction::SHA1;
    out->mutable_cache_capabilities()->add_digest_function(function);
    out->mutable_cache_capabilities()->set_max_batch_total_size_bytes(traits.maxBatch);
    if (traits.executes) {
      out->mutable_execution_capabilities()->set_digest_function(function);
      out->mutable_execution_capabilities()->set_exec_enabled(true);
    }
    out->mutable_low_api_version()->set_major(traits.version);
    out->mutable_high_api_version()->set_major(traits.version);
    return Status::OK;
  }

  Status GetActionResult(ServerContext *context, const rx::GetActionResultRequest *request,
                         rx::ActionResult *out) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    MutexLock lock(mutex);
    auto found = results.find(request->action_digest().hash());
    if (found == results.end()) {
      return {StatusCode::NOT_FOUND, "no such result"};
    }
    *out = found->second;
    return Status::OK;
  }

  Status FindMissingBlobs(ServerContext *context, const rx::FindMissingBlobsRequest *request,
                          rx::FindMissingBlobsResponse *out) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    MutexLock lock(mutex);
    for (const rx::Digest &digest : request->blob_digests()) {
      if (!traits.findsAll && blobs.count(digest.hash()) == 0) {
        *out->add_missing_blob_digests() = digest;
      }
    }
    return Status::OK;
  }

  /// Whether the bytes are what they are said to be.
  bool keep(const rx::Digest &digest, const std::string &bytes) {
    ++counts.uploads;
    bool good = digestOf(bytes).hex == digest.hash() && digest.size_bytes() == static_cast<int64_t>(bytes.size());
    if (good) {
      MutexLock lock(mutex);
      blobs[digest.hash()] = bytes;
    }
    return good;
  }

  Status BatchUpdateBlobs(ServerContext *context, const rx::BatchUpdateBlobsRequest *request,
                          rx::BatchUpdateBlobsResponse *out) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    if (request->ByteSizeLong() > static_cast<size_t>(traits.maxBatch)) {
      return {StatusCode::INVALID_ARGUMENT, "the batch is too large"};
    }
    for (const auto &one : request->requests()) {
      auto *answer = out->add_responses();
      *answer->mutable_digest() = one.digest();
      if (!keep(one.digest(), one.data())) {
        answer->mutable_status()->set_code(StatusCode::INVALID_ARGUMENT);
      }
    }
    return Status::OK;
  }

  /// The bytes as they are sent, which need not be those that were kept.
  bool give(const std::string &hash, std::string &bytes) {
    ++counts.reads;
    {
      MutexLock lock(mutex);
      auto found = blobs.find(hash);
      if (found == blobs.end()) {
        return false;
      }
      bytes = found->second;
    }
    if (hit(Fault::LoseRead)) {
      return false;
    }
    if (!bytes.empty() && hit(Fault::CorruptRead)) {
      bytes[bytes.size() / 2] ^= 1;
    }
    return true;
  }

  Status BatchReadBlobs(ServerContext *context, const rx::BatchReadBlobsRequest *request,
                        rx::BatchReadBlobsResponse *out) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    if (!traits.readsTogether) {
      return {StatusCode::UNIMPLEMENTED, "not here"};
    }
    for (const rx::Digest &digest : request->digests()) {
      auto *answer = out->add_responses();
      *answer->mutable_digest() = digest;
      if (!give(digest.hash(), *answer->mutable_data())) {
        answer->mutable_status()->set_code(StatusCode::NOT_FOUND);
      }
    }
    return Status::OK;
  }

  static std::string hashOf(const std::string &resource) {
    size_t at = resource.find("blobs/");
    return at == std::string::npos ? std::string() : resource.substr(at + 6, 64);
  }

  Status Read(ServerContext *context, const bs::ReadRequest *request,
              grpc::ServerWriter<bs::ReadResponse> *writer) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    std::string bytes;
    if (!give(hashOf(request->resource_name()), bytes)) {
      return {StatusCode::NOT_FOUND, "no such blob"};
    }
    const size_t begin = traits.resumes ? static_cast<size_t>(request->read_offset()) : 0;
    bool cut = hit(Fault::CutRead);
    size_t end = cut ? begin + (bytes.size() - begin) / 2 : bytes.size();
    constexpr size_t kPiece = 50000;
    for (size_t at = begin; at < end; at += kPiece) {
      bs::ReadResponse part;
      part.set_data(bytes.substr(at, std::min(kPiece, end - at)));
      writer->Write(part);
    }
    return cut ? Status(StatusCode::UNAVAILABLE, "cut") : Status::OK;
  }

  Status Write(ServerContext *context, grpc::ServerReader<bs::WriteRequest> *reader, bs::WriteResponse *out) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    bs::WriteRequest part;
    std::string resource;
    bool cut = hit(Fault::CutWrite), finished = false;
    std::string bytes;
    while (reader->Read(&part)) {
      if (resource.empty()) {
        resource = part.resource_name();
        MutexLock lock(mutex);
        bytes = part.write_offset() == 0 ? std::string() : partial[resource];
        counts.resumed += part.write_offset() == 0 ? 0 : 1;
      }
      if (static_cast<size_t>(part.write_offset()) != bytes.size()) {
        return {StatusCode::INVALID_ARGUMENT, "wrong offset"};
      }
      bytes += part.data();
      finished = part.finish_write();
      if (cut) {
        MutexLock lock(mutex);
        partial[resource] = traits.resumes ? bytes : std::string();
        return {StatusCode::UNAVAILABLE, "cut"};
      }
    }
    rx::Digest digest;
    digest.set_hash(hashOf(resource));
    digest.set_size_bytes(static_cast<int64_t>(bytes.size()));
    if (!finished || !keep(digest, bytes)) {
      return {StatusCode::INVALID_ARGUMENT, "not what it was said to be"};
    }
    out->set_committed_size(digest.size_bytes());
    return Status::OK;
  }

  Status QueryWriteStatus(ServerContext *context, const bs::QueryWriteStatusRequest *request,
                          bs::QueryWriteStatusResponse *out) override {
    if (Status status = enter(*context); !status.ok()) {
      return status;
    }
    MutexLock lock(mutex);
    auto found = partial.find(request->resource_name());
    if (!traits.resumes || found == partial.end()) {
      return {traits.resumes ? StatusCode::NOT_FOUND : StatusCode::UNIMPLEMENTED, ""};
    }
    out->set_committed_size(static_cast<int64_t>(found->second.size()));
    return Status::OK;
  }

  Status CancelOperation(ServerContext *context, const lr::CancelOperationRequest *request,
                         google::protobuf::Empty *) override {
    if (Status status = enter(*context, false); !status.ok()) {
      return status;
    }
    if (!traits.cancels) {
      return {StatusCode::UNIMPLEMENTED, ""};
    }
    MutexLock lock(mutex);
    if (auto found = jobs.find(request->name()); found != jobs.end()) {
      ++counts.cancelled;
      found->second->stop.request_stop();
    }
    return Status::OK;
  }

  void carryOut(Job &job) {
    rx::ExecuteResponse response;
    if (hit(Fault::LoseInputs)) {
      MutexLock lock(mutex);
      for (const std::string &hash : inputsOf(job.action, blobs)) {
        blobs.erase(hash);
      }
    }
    std::map<std::string, std::string> ground;
    {
      MutexLock lock(mutex);
      while ((running >= traits.workers || traits.queuesForEver) && !job.stop.stop_requested()) {
        changed.waitUntil(mutex, std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
      }
      ++running;
      job.running = true;
      ground = blobs;
      changed.notifyAll();
    }
    std::map<std::string, std::string> made;
    if (!job.stop.stop_requested()) {
      ++counts.executions;
      response = runOnWorker(job.action, ground, traits.keepsTime, job.stop.get_token(), made);
    }
    finishResponse(response);
    MutexLock lock(mutex);
    for (auto &[hash, bytes] : made) {
      blobs[hash] = std::move(bytes); // again, in case the kept one was damaged
    }
    if (traits.keepsResults && response.status().code() == 0 && response.result().exit_code() == 0) {
      results[job.action.hash()] = response.result();
    }
    --running;
    job.response = response;
    job.done = true;
    changed.notifyAll();
  }

  void finishResponse(rx::ExecuteResponse &response) {
    rx::ActionResult &result = *response.mutable_result();
    if (traits.times) {
      auto now = google::protobuf::util::TimeUtil::GetCurrentTime();
      result.mutable_execution_metadata()->set_worker("worker-1");
      *result.mutable_execution_metadata()->mutable_queued_timestamp() = now;
      *result.mutable_execution_metadata()->mutable_worker_start_timestamp() = now;
    }
    if (!traits.inlineLogs) {
      result.clear_stdout_raw();
      result.clear_stderr_raw();
    }
    if (hit(Fault::WrongDigest) && result.output_files_size() > 0) {
      result.mutable_output_files(0)->mutable_digest()->set_hash(digestOf("of nothing that there is").hex);
    }
    google::rpc::Status &status = *response.mutable_status();
    auto say = [&](StatusCode code) {
      status.set_code(code);
      status.set_message("said by a test");
      response.clear_result();
    };
    if (status.code() != 0) {
      return;
    }
    if (hit(Fault::MissingNotFound)) {
      say(StatusCode::NOT_FOUND);
    } else if (hit(Fault::MissingViolation)) {
      say(StatusCode::FAILED_PRECONDITION);
      google::rpc::PreconditionFailure failure;
      google::rpc::PreconditionFailure::Violation *violation = failure.add_violations();
      violation->set_type("MISSING");
      violation->set_subject("blobs/0/0");
      status.add_details()->PackFrom(failure);
    } else if (hit(Fault::StatusInternal)) {
      say(StatusCode::INTERNAL);
    } else if (hit(Fault::StatusUnavailable)) {
      say(StatusCode::UNAVAILABLE);
    } else if (traits.refusesPlatform) {
      say(StatusCode::FAILED_PRECONDITION);
    }
  }

  /// Sends what is known of a job until it is done.
  Status watch(ServerContext &context, const std::shared_ptr<Job> &job, grpc::ServerWriter<lr::Operation> &writer,
               bool drop) {
    bool saidRunning = false, first = true;
    for (;;) {
      lr::Operation operation;
      bool done = false, say = std::exchange(first, false);
      {
        MutexLock lock(mutex);
        if (!say && !job->done && job->running == saidRunning) {
          changed.waitUntil(mutex, std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
        }
        done = job->done && !drop; // what is to break has to begin
        say = say || done || job->running != saidRunning;
        saidRunning = job->running;
        if (done) {
          operation.mutable_response()->PackFrom(job->response);
        }
      }
      if (context.IsCancelled() || stopping) {
        return {StatusCode::CANCELLED, "left"};
      }
      if (!say) {
        continue;
      }
      operation.set_name(job->name);
      operation.set_done(done);
      if (traits.stages) {
        rx::ExecuteOperationMetadata metadata;
        metadata.set_stage(done          ? rx::ExecutionStage::COMPLETED
                           : saidRunning ? rx::ExecutionStage::EXECUTING
                                         : rx::ExecutionStage::QUEUED);
        operation.mutable_metadata()->PackFrom(metadata);
      }
      if (done && hit(Fault::EndWithoutAnswer)) {
        return Status::OK;
      }
      writer.Write(operation);
      if (done) {
        return Status::OK;
      }
      if (drop) {
        return {StatusCode::UNAVAILABLE, "dropped"};
      }
    }
  }

  Status Execute(ServerContext *context, const rx::ExecuteRequest *request,
                 grpc::ServerWriter<lr::Operation> *writer) override {
    if (Status status = enter(*context, false); !status.ok()) {
      return status;
    }
    if (hit(Fault::ExecuteInternal)) {
      return {StatusCode::INTERNAL, "an input is not there"};
    }
    if (hit(Fault::Exhausted)) {
      return {StatusCode::RESOURCE_EXHAUSTED, "too much to do"};
    }
    auto job = std::make_shared<Job>();
    job->action = request->action_digest();
    bool known = false;
    {
      MutexLock lock(mutex);
      job->name = "operations/" + std::to_string(++madeJobs);
      jobs[job->name] = job;
      auto result = results.find(job->action.hash());
      known = traits.looksItself && !request->skip_cache_lookup() && result != results.end();
      if (known) {
        *job->response.mutable_result() = result->second;
        job->response.set_cached_result(true);
        job->done = true;
      }
    }
    if (!known) {
      job->thread = std::thread([this, job] { carryOut(*job); });
    }
    return watch(*context, job, *writer, hit(Fault::DropExecute));
  }

  Status WaitExecution(ServerContext *context, const rx::WaitExecutionRequest *request,
                       grpc::ServerWriter<lr::Operation> *writer) override {
    if (Status status = enter(*context, false); !status.ok()) {
      return status;
    }
    std::shared_ptr<Job> job;
    {
      MutexLock lock(mutex);
      auto found = jobs.find(request->name());
      job = found == jobs.end() ? nullptr : found->second;
    }
    if (!job || hit(Fault::Forget)) {
      return {StatusCode::NOT_FOUND, "no such operation"};
    }
    if (hit(Fault::ForgetInternal)) {
      return {StatusCode::INTERNAL, "not found in internal cache"};
    }
    return watch(*context, job, *writer, hit(Fault::DropWait));
  }

  /// Where it listens. A socket's file is removed some time after its server has ended, whoever it is by then: each
  /// has a file of its own, and the name is a link to the latest.
  std::string place() { return address.starts_with(kUnix) ? address + "." + std::to_string(++begun) : address; }
  void moveName() {
    if (address.starts_with(kUnix)) {
      std::string name = address.substr(std::string_view(kUnix).size());
      std::error_code error;
      std::filesystem::remove(name + ".new", error);
      std::filesystem::create_symlink(name + "." + std::to_string(begun), name + ".new", error);
      std::filesystem::rename(name + ".new", name, error);
    }
  }

  void begin() {
    stopping = false;
    std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials();
    if (!traits.certificate.empty()) {
      grpc::SslServerCredentialsOptions tls;
      tls.pem_key_cert_pairs.push_back({traits.key, traits.certificate});
      credentials = grpc::SslServerCredentials(tls);
    }
    grpc::ServerBuilder builder;
    builder.AddListeningPort(place(), credentials, &port);
    builder.RegisterService(static_cast<rx::Capabilities::Service *>(this));
    builder.RegisterService(static_cast<rx::ActionCache::Service *>(this));
    builder.RegisterService(static_cast<rx::ContentAddressableStorage::Service *>(this));
    builder.RegisterService(static_cast<bs::ByteStream::Service *>(this));
    builder.RegisterService(static_cast<lr::Operations::Service *>(this));
    builder.RegisterService(static_cast<rx::Execution::Service *>(this));
    builder.SetMaxReceiveMessageSize(16 << 20);
    server = builder.BuildAndStart();
    moveName();
    if (!address.starts_with(kUnix) && port != 0) {
      address = "127.0.0.1:" + std::to_string(port); // the same one after a restart
    }
  }

  void end() {
    stopping = true;
    if (server) {
      server->Shutdown(std::chrono::system_clock::now());
      server->Wait();
      server.reset();
    }
    std::map<std::string, std::shared_ptr<Job>> all;
    {
      MutexLock lock(mutex);
      all.swap(jobs);
    }
    for (auto &[name, job] : all) {
      job->stop.request_stop();
      if (job->thread.joinable()) {
        job->thread.join();
      }
    }
  }

  std::string address;
  size_t begun = 0; ///< How often.
  const FarmTraits traits;
  FarmCounts counts;
  std::array<std::atomic<int>, kFaults> planned{};
  std::atomic<bool> stopping = false;
  int port = 0;
  std::unique_ptr<grpc::Server> server;
  Mutex mutex;
  Condition changed;
  std::mt19937_64 random;
  std::map<std::string, std::string> blobs, partial;
  std::map<std::string, rx::ActionResult> results;
  std::map<std::string, std::shared_ptr<Job>> jobs;
  size_t running = 0, madeJobs = 0;
};

Farm::Farm(const std::string &address, FarmTraits traits)
    : state_(std::make_unique<State>(address, std::move(traits))) {
  state_->begin();
}
Farm::~Farm() { state_->end(); }

int Farm::port() const { return state_->port; }
void Farm::plan(Fault fault, int times) { state_->planned[static_cast<size_t>(fault)] = times; }
int Farm::left(Fault fault) const { return state_->planned[static_cast<size_t>(fault)]; }
void Farm::stop() { state_->end(); }
void Farm::restart() {
  state_->end();
  state_->begin();
}

void Farm::damageResults() {
  MutexLock lock(state_->mutex);
  for (const auto &[key, result] : state_->results) {
    for (const rx::OutputFile &file : result.output_files()) {
      std::string &bytes = state_->blobs[file.digest().hash()];
      if (!bytes.empty()) {
        bytes[0] ^= 1;
      }
    }
  }
}

size_t Farm::results() const {
  MutexLock lock(state_->mutex);
  return state_->results.size();
}
const FarmCounts &Farm::counts() const { return state_->counts; }

} // namespace placid::server
