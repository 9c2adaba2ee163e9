// SPDX-License-Identifier: Apache-2.0
#include "server/build/executor/reapi/cas_client.h"

#include <algorithm>
#include <random>

namespace placid::server {

namespace {

namespace bs = google::bytestream;

constexpr size_t kUsualBatch = size_t{4} << 20;
constexpr size_t kSmallestBatch = size_t{4} << 10;
/// Of a message around each blob and around all of them.
constexpr size_t kFrame = 200;
constexpr size_t kEnvelope = 2048;
constexpr size_t kChunk = size_t{256} << 10;
constexpr int kDigestsAtOnce = 10000;
constexpr const char *kEndedEarly = "the stream ended early";
/// Slower than this nobody waits for a large blob.
constexpr int64_t kSlowestBytesPerMs = 64;

std::chrono::milliseconds timeFor(int64_t bytes, std::chrono::milliseconds least) {
  return least + std::chrono::milliseconds(bytes / kSlowestBytesPerMs);
}

/// A name for one upload, so that it can go on after a break.
std::string uploadName() {
  std::random_device random;
  std::string hex = digestOf(std::to_string(random()) + std::to_string(random()) + std::to_string(random())).hex;
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-4" + hex.substr(13, 3) + "-a" + hex.substr(17, 3) + "-" +
         hex.substr(20, 12);
}

std::string nameOf(const rx::Digest &digest) {
  return "blobs/" + digest.hash() + "/" + std::to_string(digest.size_bytes());
}

Fetched judged(const rx::Digest &digest, std::string bytes) {
  Fetched out;
  bool good = static_cast<int64_t>(bytes.size()) == digest.size_bytes() && digestOf(bytes).hex == digest.hash();
  out.kind = good ? Fetched::Kind::Good : Fetched::Kind::Damaged;
  if (good) {
    out.bytes = std::move(bytes);
  }
  return out;
}

Fetched failed(const grpc::Status &status) {
  Fetched out;
  bool gone = status.error_code() == grpc::StatusCode::NOT_FOUND;
  out.kind = gone ? Fetched::Kind::Gone : Fetched::Kind::Failed;
  out.status = status;
  return out;
}

} // namespace

std::string CasClient::prefix() const {
  const std::string &instance = connection_.options().instance;
  return instance.empty() ? instance : instance + "/";
}

void CasClient::setBatchLimit(int64_t bytes) {
  size_t limit = bytes <= 0 ? kUsualBatch : std::min(static_cast<size_t>(bytes), kUsualBatch);
  batchLimit_ = std::max(limit, kSmallestBatch);
}

grpc::Status CasClient::findMissing(const Caller &caller, const RemoteAction &action,
                                    std::vector<std::string> &hashes) {
  auto next = action.blobs.begin();
  while (next != action.blobs.end()) {
    rx::FindMissingBlobsRequest request;
    request.set_instance_name(connection_.options().instance);
    for (; next != action.blobs.end() && request.blob_digests_size() < kDigestsAtOnce; ++next) {
      *request.add_blob_digests() = next->second.digest;
    }
    rx::FindMissingBlobsResponse response;
    grpc::Status status = connection_.call(caller, connection_.options().callTime, [&](grpc::ClientContext &context) {
      return connection_.storage->FindMissingBlobs(&context, request, &response);
    });
    if (!status.ok()) {
      return status;
    }
    for (const rx::Digest &digest : response.missing_blob_digests()) {
      hashes.push_back(digest.hash());
    }
  }
  std::sort(hashes.begin(), hashes.end());
  return grpc::Status::OK;
}

grpc::Status CasClient::upload(const Caller &caller, const RemoteAction &action, bool all, std::string &lost) {
  std::vector<std::string> missing;
  if (!all) {
    if (grpc::Status status = findMissing(caller, action, missing); !status.ok()) {
      return status;
    }
  }
  const size_t limit = batchLimit_ - std::min<size_t>(kEnvelope, batchLimit_ / 2);
  std::vector<const RemoteBlob *> batch;
  size_t size = 0;
  auto flush = [&] {
    grpc::Status status = batch.empty() ? grpc::Status::OK : sendTogether(caller, batch);
    batch.clear();
    size = 0;
    return status;
  };
  for (const auto &[hash, blob] : action.blobs) {
    if (!all && !std::binary_search(missing.begin(), missing.end(), hash)) {
      continue;
    }
    bool held = blob.bytes.size() == static_cast<size_t>(blob.digest.size_bytes());
    if (held && blob.bytes.size() + kFrame <= limit) {
      if (size + blob.bytes.size() + kFrame > limit) {
        if (grpc::Status status = flush(); !status.ok()) {
          return status;
        }
      }
      batch.push_back(&blob);
      size += blob.bytes.size() + kFrame;
      continue;
    }
    if (grpc::Status status = sendStream(caller, blob, lost); !status.ok()) {
      return status;
    }
  }
  return flush();
}

grpc::Status CasClient::sendTogether(const Caller &caller, const std::vector<const RemoteBlob *> &batch) {
  rx::BatchUpdateBlobsRequest request;
  request.set_instance_name(connection_.options().instance);
  for (const RemoteBlob *blob : batch) {
    rx::BatchUpdateBlobsRequest::Request *one = request.add_requests();
    *one->mutable_digest() = blob->digest;
    one->set_data(blob->bytes);
  }
  // The whole again when one of them failed: sending a blob twice does no harm.
  return connection_.call(caller, connection_.options().callTime, [&](grpc::ClientContext &context) {
    rx::BatchUpdateBlobsResponse response;
    grpc::Status status = connection_.storage->BatchUpdateBlobs(&context, request, &response);
    for (const rx::BatchUpdateBlobsResponse::Response &one : response.responses()) {
      if (status.ok() && one.status().code() != 0) {
        status = grpc::Status(static_cast<grpc::StatusCode>(one.status().code()),
                              "blob " + one.digest().hash().substr(0, 12) + ": " + one.status().message());
      }
    }
    return status;
  });
}

grpc::Status CasClient::sendStream(const Caller &caller, const RemoteBlob &blob, std::string &lost) {
  const std::string resource = prefix() + "uploads/" + uploadName() + "/" + nameOf(blob.digest);
  const auto whole = static_cast<size_t>(blob.digest.size_bytes());
  const bool held = blob.bytes.size() == whole;
  StoreResult<std::unique_ptr<ReapiReader>> reader = held ? nullptr : blobs_.open(*blob.stored);
  auto gone = [&](const StoreFault &fault) {
    lost = fault.detail;
    return grpc::Status(grpc::StatusCode::NOT_FOUND, "an input is gone from the store");
  };
  if (!reader) {
    return gone(reader.error());
  }
  auto piece = [&](size_t at) -> StoreResult<std::string> {
    return held ? blob.bytes.substr(at, kChunk) : (*reader)->read(at, kChunk);
  };
  bool broken = false, resumes = true;
  auto committed = [&]() -> size_t {
    bs::QueryWriteStatusRequest request;
    request.set_resource_name(resource);
    bs::QueryWriteStatusResponse response;
    grpc::ClientContext context;
    connection_.prepare(context, caller);
    context.set_deadline(std::chrono::system_clock::now() + connection_.options().callTime);
    grpc::Status status = connection_.byteStream->QueryWriteStatus(&context, request, &response);
    bool usable =
        status.ok() && response.committed_size() >= 0 && response.committed_size() <= static_cast<int64_t>(whole);
    return usable ? static_cast<size_t>(response.committed_size()) : 0;
  };
  return connection_.call(
      caller, timeFor(blob.digest.size_bytes(), connection_.options().callTime), [&](grpc::ClientContext &context) {
        size_t at = broken && resumes ? committed() : 0;
        bool resumed = at != 0;
        broken = true;
        bs::WriteResponse response;
        std::unique_ptr<grpc::ClientWriter<bs::WriteRequest>> writer =
            connection_.byteStream->Write(&context, &response);
        bs::WriteRequest request;
        request.set_resource_name(resource);
        do {
          StoreResult<std::string> bytes = piece(at);
          if (!bytes) {
            context.TryCancel();
            writer->WritesDone();
            (void)writer->Finish();
            return gone(bytes.error());
          }
          request.set_write_offset(static_cast<int64_t>(at));
          at += bytes->size();
          request.set_data(std::move(*bytes));
          request.set_finish_write(at == whole);
          // A server that has the blob already answers before the end; then the rest is not wanted.
          if (!writer->Write(request)) {
            break;
          }
          request.clear_resource_name();
        } while (at < whole);
        writer->WritesDone();
        grpc::Status status = writer->Finish();
        if (status.ok() && response.committed_size() != blob.digest.size_bytes() && response.committed_size() != -1) {
          return grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server kept " +
                                                                 std::to_string(response.committed_size()) + " of " +
                                                                 std::to_string(blob.digest.size_bytes()) + " bytes");
        }
        if (!status.ok() && resumed && status.error_code() == grpc::StatusCode::INVALID_ARGUMENT) {
          resumes = false; // it says how far it is and takes nothing from there on
          return grpc::Status(grpc::StatusCode::UNAVAILABLE, status.error_message());
        }
        return status;
      });
}

std::vector<Fetched> CasClient::fetch(const Caller &caller, const std::vector<rx::Digest> &digests) {
  std::vector<Fetched> out(digests.size());
  std::vector<size_t> batch;
  size_t size = 0;
  const size_t limit = batchLimit_ - std::min<size_t>(kEnvelope, batchLimit_ / 2);
  std::vector<bool> done(digests.size());
  auto flush = [&] {
    // One alone is as quick as a stream, and that every server has.
    if (batch.size() > 1 && readsTogether_) {
      fetchTogether(caller, digests, batch, out);
      for (size_t at : batch) {
        done[at] = out[at].kind != Fetched::Kind::Failed;
      }
    }
    batch.clear();
    size = 0;
  };
  for (size_t i = 0; i < digests.size(); ++i) {
    if (digests[i].size_bytes() == 0) {
      out[i] = judged(digests[i], {});
      done[i] = true;
      continue;
    }
    size_t wanted = static_cast<size_t>(digests[i].size_bytes()) + kFrame;
    if (wanted > limit) {
      continue;
    }
    if (size + wanted > limit) {
      flush();
    }
    batch.push_back(i);
    size += wanted;
  }
  flush();
  for (size_t i = 0; i < digests.size(); ++i) {
    if (!done[i]) {
      bool large = static_cast<uint64_t>(digests[i].size_bytes()) >= Store::kLarge;
      out[i] = large ? fetchLarge(caller, digests[i]) : fetchStream(caller, digests[i]);
    } else if (out[i].kind == Fetched::Kind::Damaged) {
      out[i] = fetchStream(caller, digests[i]); // it may have happened on the way
    }
  }
  return out;
}

void CasClient::fetchTogether(const Caller &caller, const std::vector<rx::Digest> &digests,
                              const std::vector<size_t> &batch, std::vector<Fetched> &out) {
  rx::BatchReadBlobsRequest request;
  request.set_instance_name(connection_.options().instance);
  for (size_t at : batch) {
    *request.add_digests() = digests[at];
  }
  rx::BatchReadBlobsResponse response;
  grpc::Status status = connection_.call(caller, connection_.options().callTime, [&](grpc::ClientContext &context) {
    return connection_.storage->BatchReadBlobs(&context, request, &response);
  });
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) {
    readsTogether_ = false;
  }
  // What is not among the answers stays Failed and is asked for alone.
  for (const rx::BatchReadBlobsResponse::Response &one : response.responses()) {
    for (size_t at : batch) {
      if (digests[at].hash() == one.digest().hash()) {
        bool gone = one.status().code() == static_cast<int>(grpc::StatusCode::NOT_FOUND);
        out[at] = one.status().code() == 0 ? judged(digests[at], one.data()) : Fetched();
        out[at].kind = gone ? Fetched::Kind::Gone : out[at].kind;
      }
    }
  }
}

grpc::Status CasClient::readStream(const Caller &caller, const rx::Digest &digest,
                                   const std::function<uint64_t()> &have,
                                   const std::function<bool(std::string &&)> &take, bool &resumed) {
  return connection_.call(
      caller, timeFor(digest.size_bytes(), connection_.options().callTime), [&](grpc::ClientContext &context) {
        bs::ReadRequest request;
        request.set_resource_name(prefix() + nameOf(digest));
        request.set_read_offset(static_cast<int64_t>(have()));
        resumed = resumed || have() != 0;
        std::unique_ptr<grpc::ClientReader<bs::ReadResponse>> reader = connection_.byteStream->Read(&context, request);
        bs::ReadResponse part;
        while (reader->Read(&part)) {
          if (!take(std::move(*part.mutable_data()))) {
            context.TryCancel();
            while (reader->Read(&part)) {
            }
            (void)reader->Finish();
            return grpc::Status::OK;
          }
        }
        grpc::Status status = reader->Finish();
        if (status.ok() && have() < static_cast<uint64_t>(digest.size_bytes())) {
          return grpc::Status(grpc::StatusCode::UNAVAILABLE, kEndedEarly);
        }
        return status;
      });
}

Fetched CasClient::fetchStream(const Caller &caller, const rx::Digest &digest) {
  std::string bytes;
  bool resumed = false;
  const auto whole = static_cast<size_t>(digest.size_bytes());
  auto have = [&] { return static_cast<uint64_t>(bytes.size()); };
  auto take = [&](std::string &&part) {
    bool tooMuch = bytes.size() + part.size() > whole;
    if (tooMuch) {
      bytes.resize(whole + 1); // of a digest that does not fit
    } else {
      bytes += part;
    }
    return !tooMuch;
  };
  for (;;) {
    grpc::Status status = readStream(caller, digest, have, take, resumed);
    if (!status.ok()) {
      // Short to the end: other bytes than those under that digest, and no failure that passes.
      bool cut = status.error_message() == kEndedEarly && !caller.stop.stop_requested();
      return cut ? judged(digest, std::move(bytes)) : failed(status);
    }
    Fetched out = judged(digest, std::move(bytes));
    bytes.clear();
    // Some servers begin anew whatever offset was asked for.
    if (out.kind == Fetched::Kind::Good || !std::exchange(resumed, false)) {
      return out;
    }
  }
}

Fetched CasClient::fetchLarge(const Caller &caller, const rx::Digest &digest) {
  bool resumed = false;
  for (;;) {
    StoreResult<std::unique_ptr<ReapiWriter>> writer = blobs_.begin(static_cast<uint64_t>(digest.size_bytes()));
    Fetched out;
    if (!writer) {
      out.unkept = writer.error();
      return out;
    }
    const auto whole = static_cast<uint64_t>(digest.size_bytes());
    bool tooMuch = false, full = false;
    auto have = [&] { return (*writer)->size(); };
    auto take = [&](std::string &&part) {
      tooMuch = have() + part.size() > whole;
      full = !tooMuch && !(*writer)->add(part);
      return !tooMuch && !full;
    };
    grpc::Status status = readStream(caller, digest, have, take, resumed);
    bool cut = status.error_message() == kEndedEarly && !caller.stop.stop_requested();
    if (!status.ok() && !cut) {
      return failed(status);
    }
    if (!tooMuch && !full && have() == whole && (*writer)->digest().hex == digest.hash()) {
      StoreResult<Digest> kept = (*writer)->keep();
      full = !kept;
      out.stored = kept ? std::optional(*kept) : std::nullopt;
    }
    if (full) {
      out.unkept = (*writer)->keep().error();
      return out;
    }
    out.kind = out.stored ? Fetched::Kind::Good : Fetched::Kind::Damaged;
    // Some servers begin anew whatever offset was asked for.
    if (out.stored || !std::exchange(resumed, false)) {
      return out;
    }
  }
}

} // namespace placid::server
