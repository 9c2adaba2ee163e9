// SPDX-License-Identifier: Apache-2.0
// The build methods of JSON-RPC (`build/…`, `blob/…`) for one client after another, whatever brought the message:
// names, parameters, limits, who may see what. Knows no socket and no framing. One thread: the job table's.
#pragma once

#include "protocol/jsonrpc/message.h"
#include "server/build/jobs/job_table.h"
#include "server/build/store/store_limits.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace placid::server {

struct BlobLimits {
  static constexpr size_t kChunk = size_t{4} << 20;     ///< Of one message, before base64.
  static constexpr size_t kBlob = kMaxBlob;             ///< Of one blob.
  static constexpr size_t kPending = size_t{128} << 20; ///< Of one session's unfinished blobs in memory.
  static constexpr size_t kLargeUploads = 4;            ///< Of one session: those on the disk, from Store::kLarge on.
  static constexpr size_t kUploads = 256;               ///< Of one session, begun and not complete.
  static constexpr size_t kDigests = 10000;             ///< Of one question.
};

/// A result, or why there is none.
struct ApiAnswer {
  ApiAnswer(protocol::RpcError fault) : error(std::move(fault)) {}
  ApiAnswer(protocol::Json value) : result(std::move(value)) {}
  explicit operator bool() const { return !error; }
  protocol::Json result;
  std::optional<protocol::RpcError> error;
};

/// One client's connection.
class BuildSession {
public:
  /// `notify` sends a message of its own accord; false: the connection is gone.
  BuildSession(std::string who, std::function<bool(const protocol::Json &)> notify)
      : client(std::move(who)), send(std::move(notify)) {}
  const std::string client;
  const std::function<bool(const protocol::Json &)> send;

private:
  friend class BuildApi;
  void drop(const std::string &digest);
  /// What has come so far of a blob: a large one is on the disk already.
  struct Upload {
    std::string bytes;
    std::shared_ptr<Store> store; ///< Outlives the writer.
    std::unique_ptr<Store::Writer> writer;
    uint64_t size() const { return writer ? writer->size() : bytes.size(); }
  };
  std::map<std::string, Upload> uploads_; ///< By digest.
  size_t pending_ = 0;                    ///< Bytes of them in memory.
  std::string read_;                      ///< The blob that is fetched in parts.
  std::shared_ptr<Store> store_;          ///< Outlives the reader.
  std::unique_ptr<Store::Reader> reader_;
};

class BuildApi {
public:
  /// `offer` is asked at every submit: tools come and go.
  BuildApi(JobTable &jobs, EventLoop &loop, std::string version, std::function<LabelOffer()> offer)
      : jobs_(jobs), loop_(loop), version_(std::move(version)), offer_(std::move(offer)) {}

  ApiAnswer call(const std::shared_ptr<BuildSession> &session, const std::string &method, const protocol::Json &params);
  /// Queue, counters, offer, cache: what status pages show.
  protocol::Json server() const;
  JobTable &jobs() { return jobs_; }
  const std::string &version() const { return version_; }

private:
  ApiAnswer submit(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer renew(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer cancel(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer status(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer result(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer list(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer events(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer serverStatus(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer drain(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer missing(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  ApiAnswer put(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  std::optional<protocol::RpcError> receive(BuildSession &session, const Digest &digest, uint64_t size,
                                            std::string_view bytes);
  ApiAnswer complete(BuildSession &session, const Digest &digest);
  ApiAnswer get(const std::shared_ptr<BuildSession> &session, const protocol::Json &params);
  bool mayRead(const BuildSession &session, const Digest &digest);

  JobTable &jobs_;
  EventLoop &loop_;
  std::string version_;
  std::function<LabelOffer()> offer_;
};

} // namespace placid::server
