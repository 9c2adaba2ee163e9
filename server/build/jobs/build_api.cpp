// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/build_api.h"

#include "protocol/jsonrpc/message.h"
#include "server/build/jobs/base64.h"
#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <exception>

namespace placid::server {

using protocol::ErrorCode;
using protocol::Json;
using protocol::RpcError;

namespace {

constexpr int64_t kMostListed = 1000;

const Json *member(const Json &params, const char *name) {
  auto found = params.is_object() ? params.find(name) : params.end();
  return params.is_object() && found != params.end() && !found->is_null() ? &*found : nullptr;
}

std::string textOf(const Json &params, const char *name) {
  const Json *value = member(params, name);
  return value && value->is_string() ? value->get<std::string>() : std::string();
}

/// Nothing when it is there and no number from `least` to `most`.
std::optional<int64_t> numberOf(const Json &params, const char *name, int64_t least, int64_t most, int64_t missing) {
  const Json *value = member(params, name);
  if (!value) {
    return missing;
  }
  bool good = value->is_number_integer() && (!value->is_number_unsigned() || value->get<uint64_t>() <= INT64_MAX) &&
              value->get<int64_t>() >= least && value->get<int64_t>() <= most;
  return good ? std::optional(value->get<int64_t>()) : std::nullopt;
}

RpcError invalid(const std::string &what) { return {ErrorCode::InvalidParams, what}; }

RpcError noBuild(const std::string &id) {
  return {ErrorCode::NotFound, "there is no build `" + id.substr(0, 80) + "`"};
}

RpcError faultOf(const StoreFault &fault) {
  return {fault.kind == StoreFault::Kind::Missing ? ErrorCode::NotFound
          : fault.kind == StoreFault::Kind::Full  ? ErrorCode::StoreFull
                                                  : ErrorCode::InternalError,
          fault.detail};
}

Json statusJson(const JobStatus &status) {
  return {{"id", status.id},
          {"client", status.client},
          {"state", status.state},
          {"created", status.created / 1000000},
          {"events", status.events}};
}

} // namespace

ApiAnswer BuildApi::call(const std::shared_ptr<BuildSession> &session, const std::string &method, const Json &params) {
  using Method = ApiAnswer (BuildApi::*)(const std::shared_ptr<BuildSession> &, const Json &);
  static const std::map<std::string, Method, std::less<>> table = {
      {"build/submit", &BuildApi::submit}, {"build/renew", &BuildApi::renew},
      {"build/cancel", &BuildApi::cancel}, {"build/status", &BuildApi::status},
      {"build/result", &BuildApi::result}, {"build/list", &BuildApi::list},
      {"build/events", &BuildApi::events}, {"build/server", &BuildApi::serverStatus},
      {"build/drain", &BuildApi::drain},   {"blob/missing", &BuildApi::missing},
      {"blob/put", &BuildApi::put},        {"blob/get", &BuildApi::get},
  };
  auto found = table.find(method);
  if (found == table.end()) {
    return RpcError{ErrorCode::MethodNotFound, "`" + method.substr(0, 80) + "` is not a request of this role"};
  }
  try {
    return (this->*found->second)(session, params);
  } catch (const std::exception &fault) { // such as no memory: the others go on
    log(LogLevel::Error, "builds", method + ": " + fault.what());
    return RpcError{ErrorCode::InternalError, "internal error"};
  }
}

ApiAnswer BuildApi::submit(const std::shared_ptr<BuildSession> &session, const Json &params) {
  protocol::Result<BuildRequest> request = buildRequestFromJson(params);
  if (!request) {
    return request.error();
  }
  // One that is known stays accepted, whatever tools have gone since.
  bool known = jobs_.isKnown(session->client, request->idempotencyKey);
  if (std::string never = known ? std::string() : neverMet(request->labels, offer_()); !never.empty()) {
    return RpcError{ErrorCode::Unsatisfiable, never};
  }
  protocol::Result<JobTable::Submitted> submitted = jobs_.submit(session->client, *request);
  if (!submitted) {
    return submitted.error();
  }
  return Json{{"id", submitted->id}, {"new", submitted->isNew}};
}

ApiAnswer BuildApi::renew(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::string id = textOf(params, "id");
  std::optional<int64_t> lease = numberOf(params, "leaseMs", 1, RequestLimits::kMostMs, 0);
  if (!lease) {
    return invalid("build/renew: expected {id, leaseMs}");
  }
  bool renewed = jobs_.renew(session->client, id, *lease);
  std::optional<JobStatus> known = renewed ? std::nullopt : jobs_.status(session->client, id);
  return renewed || known ? ApiAnswer(Json{{"ended", !renewed}}) : ApiAnswer(noBuild(id));
}

ApiAnswer BuildApi::cancel(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::string id = textOf(params, "id");
  return jobs_.cancel(session->client, id) ? ApiAnswer(Json::object()) : ApiAnswer(noBuild(id));
}

ApiAnswer BuildApi::status(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::optional<JobStatus> status = jobs_.status(session->client, textOf(params, "id"));
  return status ? ApiAnswer(statusJson(*status)) : ApiAnswer(noBuild(textOf(params, "id")));
}

ApiAnswer BuildApi::result(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::optional<JobStatus> status = jobs_.status(session->client, textOf(params, "id"));
  if (!status) {
    return noBuild(textOf(params, "id"));
  }
  Json out = Json::parse(status->result, nullptr, /*allow_exceptions=*/false);
  if (!out.is_object()) {
    return RpcError{ErrorCode::RequestFailed, "the build is " + status->state + ": it has no result yet"};
  }
  out["id"] = status->id;
  return out;
}

ApiAnswer BuildApi::list(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::optional<int64_t> most = numberOf(params, "most", 1, kMostListed, 100);
  if (!most) {
    return invalid("build/list: expected {most}, at most " + std::to_string(kMostListed));
  }
  Json builds = Json::array();
  for (const JobStatus &status : jobs_.list(session->client, static_cast<size_t>(*most))) {
    builds.push_back(statusJson(status));
  }
  return Json{{"builds", std::move(builds)}};
}

ApiAnswer BuildApi::events(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::string id = textOf(params, "id");
  std::optional<int64_t> from = numberOf(params, "from", 0, INT64_MAX, 0);
  std::optional<JobStatus> status = jobs_.status(session->client, id);
  if (!from) {
    return invalid("build/events: expected {id, from}");
  }
  if (!status) {
    return noBuild(id);
  }
  // After the answer. A client that comes back asks for what it has not seen.
  loop_.post([this, weak = std::weak_ptr(session), id, start = static_cast<uint64_t>(*from)] {
    std::shared_ptr<BuildSession> listening = weak.lock();
    if (!listening) {
      return;
    }
    jobs_.listen(listening->client, id, start, [weak](uint64_t, const std::string &line) {
      std::shared_ptr<BuildSession> self = weak.lock();
      return self && self->send(protocol::notificationMessage("build/event",
                                                              Json::parse(line, nullptr, /*allow_exceptions=*/false)));
    });
  });
  return Json{{"events", status->events}};
}

Json BuildApi::server() const {
  JobCounters counters = jobs_.counters();
  BrokerCounters actions = jobs_.broker().counters();
  LabelOffer offer = offer_();
  return {{"placid", version_},
          {"queued", jobs_.queued()},
          {"running", jobs_.running()},
          {"builds",
           {{"accepted", counters.accepted},
            {"resumed", counters.resumed},
            {"succeeded", counters.succeeded},
            {"failed", counters.failed},
            {"cancelled", counters.cancelled},
            {"internal", counters.internal}}},
          {"actions",
           {{"hits", actions.hits}, {"runs", actions.runs}, {"merged", actions.merged}, {"retries", actions.retries}}},
          {"executor", {{"name", jobs_.executor().name}, {"slots", jobs_.executor().slots}}},
          {"storeBytes", jobs_.store().bytes()},
          {"labels", {{"tc", offer.toolchains}, {"arch", Json::array({offer.machine})}, {"class", {"compile"}}}}};
}

ApiAnswer BuildApi::serverStatus(const std::shared_ptr<BuildSession> &, const Json &) { return server(); }

ApiAnswer BuildApi::drain(const std::shared_ptr<BuildSession> &session, const Json &) {
  if (session->client != JobTable::kLocal) {
    return RpcError{ErrorCode::Unauthorized, "only this machine may drain its daemon"};
  }
  jobs_.drain();
  return Json{{"queued", jobs_.queued()}, {"running", jobs_.running()}};
}

bool BuildApi::mayRead(const BuildSession &session, const Digest &digest) {
  return (session.client == JobTable::kLocal || jobs_.journal().granted(session.client, digest)) &&
         jobs_.store().has(digest);
}

ApiAnswer BuildApi::missing(const std::shared_ptr<BuildSession> &session, const Json &params) {
  const Json *digests = member(params, "digests");
  if (!digests || !digests->is_array() || digests->size() > BlobLimits::kDigests) {
    return invalid("blob/missing: expected {digests}, at most " + std::to_string(BlobLimits::kDigests));
  }
  Json out = Json::array();
  for (const Json &one : *digests) {
    std::optional<Digest> digest = one.is_string() ? parseDigest(one.get_ref<const std::string &>()) : std::nullopt;
    if (!digest) {
      return invalid("blob/missing: a digest is 64 hexadecimal digits in lower case");
    }
    if (!mayRead(*session, *digest)) {
      out.push_back(digest->hex);
    }
  }
  return Json{{"missing", std::move(out)}};
}

ApiAnswer BuildApi::put(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::optional<Digest> digest = parseDigest(textOf(params, "digest"));
  std::optional<int64_t> size = numberOf(params, "size", 0, static_cast<int64_t>(BlobLimits::kBlob), -1);
  std::optional<int64_t> offset = numberOf(params, "offset", 0, static_cast<int64_t>(BlobLimits::kBlob), 0);
  const Json *text = member(params, "base64");
  if (!digest || !size || *size < 0 || !offset || !text || !text->is_string()) {
    return invalid("blob/put: expected {digest, size, offset, base64}, at most " + std::to_string(BlobLimits::kBlob) +
                   " bytes");
  }
  std::optional<std::string> bytes;
  if (text->get_ref<const std::string &>().size() <= (BlobLimits::kChunk + 2) / 3 * 4) {
    bytes = fromBase64(text->get_ref<const std::string &>());
  }
  if (!bytes) {
    return invalid("blob/put: `base64` is not that, or has more than " + std::to_string(BlobLimits::kChunk) + " bytes");
  }
  if (*offset == 0) {
    session->drop(digest->hex); // begun anew
  }
  auto begun = session->uploads_.find(digest->hex);
  uint64_t next = begun == session->uploads_.end() ? 0 : begun->second.size();
  if (next != static_cast<uint64_t>(*offset)) {
    return invalid("blob/put: the next byte is number " + std::to_string(next));
  }
  if (std::optional<RpcError> wrong = receive(*session, *digest, static_cast<uint64_t>(*size), *bytes)) {
    return *wrong;
  }
  next += bytes->size();
  if (next < static_cast<uint64_t>(*size)) {
    return Json{{"received", next}, {"complete", false}};
  }
  return complete(*session, *digest);
}

void BuildSession::drop(const std::string &digest) {
  if (auto found = uploads_.find(digest); found != uploads_.end()) {
    pending_ -= found->second.bytes.size();
    uploads_.erase(found);
  }
}

std::optional<RpcError> BuildApi::receive(BuildSession &session, const Digest &digest, uint64_t size,
                                          std::string_view bytes) {
  auto begun = session.uploads_.find(digest.hex);
  bool large = size >= Store::kLarge;
  if (begun == session.uploads_.end()) {
    size_t onDisk = 0;
    for (const auto &[name, upload] : session.uploads_) {
      onDisk += upload.writer ? 1 : 0;
    }
    if (session.uploads_.size() >= BlobLimits::kUploads || (large && onDisk >= BlobLimits::kLargeUploads)) {
      return RpcError{ErrorCode::Quota, "there are " + std::to_string(large ? onDisk : session.uploads_.size()) +
                                            " blobs that are not complete: finish those first"};
    }
    BuildSession::Upload upload;
    if (large) {
      StoreResult<std::unique_ptr<Store::Writer>> writer = jobs_.store().begin(size);
      if (!writer) {
        return faultOf(writer.error());
      }
      upload.store = jobs_.sharedStore();
      upload.writer = std::move(*writer);
    }
    begun = session.uploads_.emplace(digest.hex, std::move(upload)).first;
  }
  BuildSession::Upload &upload = begun->second;
  if (!upload.writer && session.pending_ + bytes.size() > BlobLimits::kPending) {
    return RpcError{ErrorCode::Quota, "there are " + std::to_string(session.pending_) +
                                          " bytes of blobs that are not complete: finish those first"};
  }
  if (upload.writer && !upload.writer->add(bytes)) {
    StoreFault fault = *upload.writer->fault();
    session.drop(digest.hex);
    return faultOf(fault);
  }
  if (!upload.writer) {
    upload.bytes += bytes;
    session.pending_ += bytes.size();
  }
  return std::nullopt;
}

ApiAnswer BuildApi::complete(BuildSession &session, const Digest &digest) {
  BuildSession::Upload upload = std::move(session.uploads_[digest.hex]);
  session.pending_ -= upload.bytes.size();
  session.uploads_.erase(digest.hex);
  const uint64_t size = upload.size();
  if ((upload.writer ? upload.writer->digest() : digestOf(upload.bytes)) != digest) {
    return invalid("blob/put: what has come is not " + digest.hex);
  }
  StoreResult<Digest> kept = upload.writer ? upload.writer->keep() : jobs_.store().put(upload.bytes);
  if (!kept) {
    return faultOf(kept.error());
  }
  auto now = std::chrono::system_clock::now().time_since_epoch();
  jobs_.journal().grant(session.client, *kept, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return Json{{"received", size}, {"complete", true}};
}

ApiAnswer BuildApi::get(const std::shared_ptr<BuildSession> &session, const Json &params) {
  std::optional<Digest> digest = parseDigest(textOf(params, "digest"));
  std::optional<int64_t> offset = numberOf(params, "offset", 0, INT64_MAX, 0);
  std::optional<int64_t> length =
      numberOf(params, "length", 1, static_cast<int64_t>(BlobLimits::kChunk), static_cast<int64_t>(BlobLimits::kChunk));
  if (!digest || !offset || !length) {
    return invalid("blob/get: expected {digest, offset, length}, at most " + std::to_string(BlobLimits::kChunk) +
                   " bytes at once");
  }
  if (!mayRead(*session, *digest)) {
    return RpcError{ErrorCode::NotFound, "no blob " + digest->hex};
  }
  if (session->read_ != digest->hex) {
    StoreResult<std::unique_ptr<Store::Reader>> reader = jobs_.store().open(*digest);
    if (!reader) {
      return faultOf(reader.error());
    }
    session->read_ = digest->hex;
    session->reader_ = std::move(*reader);
    session->store_ = jobs_.sharedStore();
  }
  const uint64_t size = session->reader_->size();
  const uint64_t at = std::min(size, static_cast<uint64_t>(*offset));
  StoreResult<std::string> part = session->reader_->read(at, static_cast<size_t>(*length));
  if (!part || at + part->size() == size) { // the last one
    session->read_.clear();
    session->reader_.reset();
  }
  if (!part) {
    return faultOf(part.error());
  }
  return Json{{"size", size}, {"offset", at}, {"base64", toBase64(*part)}};
}

} // namespace placid::server
