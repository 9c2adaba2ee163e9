// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/connection.h"

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <mutex>
#include <random>

namespace placid::server {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char *kMetadataHeader = "build.bazel.remote.execution.v2.requestmetadata-bin";
constexpr int kKeepAliveMs = 60000;
constexpr int kKeepAliveAnswerMs = 20000;
constexpr int kMostReconnectMs = 2000;
constexpr int kMostMessage = 64 << 20;
constexpr size_t kMostCredential = size_t{1} << 20;
constexpr std::chrono::milliseconds kLongestPause{5000};
/// Of codes that mean a broken connection as often as a server that will not do it.
constexpr int kDoubtfulTries = 3;

bool readFile(const std::string &path, std::string &out, std::string &wrong) {
  std::ifstream file(path, std::ios::binary);
  out.assign(std::istreambuf_iterator<char>(file), {});
  if (!file || out.empty() || out.size() > kMostCredential) {
    wrong = path + " cannot be read";
    return false;
  }
  return true;
}

std::string trimmed(std::string text) {
  auto space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  while (!text.empty() && space(text.back())) {
    text.pop_back();
  }
  return text.substr(static_cast<size_t>(std::find_if_not(text.begin(), text.end(), space) - text.begin()));
}

bool isLoopback(std::string_view target) {
  std::string_view host = target.substr(0, target.rfind(':'));
  bool numbers = host.find_first_not_of("0123456789.") == std::string_view::npos; // and no name that begins like them
  return (numbers && host.starts_with("127.")) || host == "localhost" || host == "[::1]";
}

bool isDoubtful(grpc::StatusCode code) {
  return code == grpc::StatusCode::INTERNAL || code == grpc::StatusCode::UNKNOWN;
}

std::string codeText(grpc::StatusCode code) {
  static constexpr const char *kNames[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
      "DATA_LOSS", "UNAUTHENTICATED"};
  auto at = static_cast<size_t>(code);
  return at < std::size(kNames) ? kNames[at] : "code " + std::to_string(at);
}

} // namespace

bool isPassing(grpc::StatusCode code) {
  switch (code) {
  case grpc::StatusCode::UNAVAILABLE:
  case grpc::StatusCode::RESOURCE_EXHAUSTED:
  case grpc::StatusCode::ABORTED:
  case grpc::StatusCode::DEADLINE_EXCEEDED:
  case grpc::StatusCode::CANCELLED: // by the other side: whoever asks looks at his own wish first
    return true;
  default:
    return isDoubtful(code);
  }
}

std::string textOf(const grpc::Status &status) {
  constexpr size_t kMost = 500;
  std::string text = status.error_message().substr(0, kMost);
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, ' ');
  return codeText(status.error_code()) + (text.empty() ? "" : ": " + text);
}

InfraFailure failureOf(const grpc::Status &status, const std::string &what) {
  return {InfraFailure::Code::Remote, what + ": " + textOf(status), isPassing(status.error_code())};
}

std::unique_ptr<Connection> Connection::open(const ReapiOptions &options, std::string &wrong) {
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  std::string target;
  bool open = false; // anybody on the way can read along
  if (options.address.starts_with("grpcs://")) {
    target = options.address.substr(8);
    grpc::SslCredentialsOptions tls;
    if ((!options.caFile.empty() && !readFile(options.caFile, tls.pem_root_certs, wrong)) ||
        (!options.certificateFile.empty() && !readFile(options.certificateFile, tls.pem_cert_chain, wrong)) ||
        (!options.keyFile.empty() && !readFile(options.keyFile, tls.pem_private_key, wrong))) {
      return nullptr;
    }
    credentials = grpc::SslCredentials(tls);
  } else if (options.address.starts_with("grpc://")) {
    target = options.address.substr(7);
    open = !isLoopback(target);
    credentials = grpc::InsecureChannelCredentials();
  } else if (options.address.starts_with("unix:/")) {
    target = options.address;
    credentials = grpc::InsecureChannelCredentials();
  } else {
    wrong = "`" + options.address + "` is no address: grpcs://HOST:PORT, grpc://HOST:PORT or unix:/PATH";
    return nullptr;
  }
  if (open && !options.tokenFile.empty()) {
    wrong = "a token is not sent to " + options.address + " in the clear: use grpcs://";
    return nullptr;
  }
  std::unique_ptr<Connection> out(new Connection(options));
  if (!options.tokenFile.empty()) {
    std::string token;
    if (!readFile(options.tokenFile, token, wrong)) {
      return nullptr;
    }
    MutexLock lock(out->mutex_);
    out->token_ = trimmed(token);
  }
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepAliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepAliveAnswerMs);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kMostReconnectMs);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0); // they are made here, where it is known what may be repeated
  arguments.SetMaxReceiveMessageSize(kMostMessage);
  arguments.SetUserAgentPrefix("placid/" + options.version);
  std::shared_ptr<grpc::Channel> channel = grpc::CreateCustomChannel(target, credentials, arguments);
  out->capabilities = rx::Capabilities::NewStub(channel);
  out->actionCache = rx::ActionCache::NewStub(channel);
  out->storage = rx::ContentAddressableStorage::NewStub(channel);
  out->execution = rx::Execution::NewStub(channel);
  out->byteStream = google::bytestream::ByteStream::NewStub(channel);
  out->operations = google::longrunning::Operations::NewStub(channel);
  std::random_device random;
  out->invocation_ = digestOf(std::to_string(random()) + "-" + std::to_string(random())).hex.substr(0, 32);
  return out;
}

std::string Connection::token() {
  MutexLock lock(mutex_);
  return token_;
}

bool Connection::readTokenAgain() {
  std::string token, wrong;
  if (options_.tokenFile.empty() || !readFile(options_.tokenFile, token, wrong)) {
    return false;
  }
  MutexLock lock(mutex_);
  std::string before = std::exchange(token_, trimmed(token));
  return before != token_;
}

void Connection::prepare(grpc::ClientContext &context, const Caller &caller) {
  rx::RequestMetadata metadata;
  metadata.mutable_tool_details()->set_tool_name("placid");
  metadata.mutable_tool_details()->set_tool_version(options_.version);
  metadata.set_action_id(caller.actionId);
  metadata.set_action_mnemonic(caller.step);
  metadata.set_tool_invocation_id(invocation_);
  context.AddMetadata(kMetadataHeader, metadata.SerializeAsString());
  if (std::string bearer = token(); !bearer.empty()) {
    context.AddMetadata("authorization", "Bearer " + bearer);
  }
}

bool Connection::pause(const Caller &caller, int tries) const {
  std::chrono::milliseconds time = options_.firstPause * (1 << std::min(tries, 10));
  // Not all at the same time: the action spreads them.
  time += time * (caller.actionId.empty() ? 0 : caller.actionId[0] % 8) / 16;
  std::mutex mutex;
  std::condition_variable_any condition;
  std::unique_lock<std::mutex> lock(mutex);
  condition.wait_for(lock, caller.stop, std::min(time, kLongestPause), [] { return false; });
  return !caller.stop.stop_requested();
}

grpc::Status Connection::call(const Caller &caller, std::chrono::milliseconds time,
                              const std::function<grpc::Status(grpc::ClientContext &)> &once) {
  const Clock::time_point began = Clock::now();
  bool tokenRead = false;
  for (int tries = 0;; ++tries) {
    grpc::ClientContext context;
    prepare(context, caller);
    context.set_deadline(std::chrono::system_clock::now() + time);
    grpc::Status status;
    {
      std::stop_callback cancel(caller.stop, [&] { context.TryCancel(); });
      status = once(context);
    }
    if (status.ok()) {
      reached_ = true;
      return status;
    }
    if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED && !std::exchange(tokenRead, true) &&
        readTokenAgain()) {
      continue;
    }
    // Anything but these two is an answer of a server.
    reached_ = reached_ || (status.error_code() != grpc::StatusCode::UNAVAILABLE &&
                            status.error_code() != grpc::StatusCode::DEADLINE_EXCEEDED);
    bool atEnd = isDoubtful(status.error_code()) ? tries + 1 >= kDoubtfulTries : Clock::now() - began >= patience();
    if (caller.stop.stop_requested() || !isPassing(status.error_code()) || atEnd || !pause(caller, tries)) {
      return status;
    }
  }
}

} // namespace placid::server
