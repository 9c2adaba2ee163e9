// SPDX-License-Identifier: Apache-2.0
// Blobs to and from the server's content-addressed storage: only what is missing goes there, and nothing that comes
// back is believed before its digest fits. Small ones together, large ones as streams that go on where they broke.
// Any thread.
#pragma once

#include "server/build/executor/reapi/connection.h"
#include "server/build/executor/reapi/merkle.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace placid::server {

/// What came of asking for a blob.
struct Fetched {
  enum class Kind : uint8_t {
    Good,
    Gone,    ///< The server does not have it.
    Damaged, ///< It gives other bytes under that digest.
    Failed   ///< Nobody knows: see `status`.
  };
  Kind kind = Kind::Failed;
  std::string bytes;
  std::optional<Digest> stored;     ///< A large one is in the store, and not in `bytes`.
  std::optional<StoreFault> unkept; ///< It came, and there was no room for it here.
  grpc::Status status;
};

class CasClient {
public:
  CasClient(Connection &connection, ReapiBlobs &blobs) : connection_(connection), blobs_(blobs) {}

  /// As the server says; 0: it sets no limit.
  void setBatchLimit(int64_t bytes);

  /// Sends what the server lacks, or all of it to a server that does not know what it has. A store that no longer has
  /// an input is NOT_FOUND with the text of `lost`.
  grpc::Status upload(const Caller &caller, const RemoteAction &action, bool all, std::string &lost);

  /// In the order asked for.
  std::vector<Fetched> fetch(const Caller &caller, const std::vector<rx::Digest> &digests);

private:
  grpc::Status findMissing(const Caller &caller, const RemoteAction &action, std::vector<std::string> &hashes);
  grpc::Status sendTogether(const Caller &caller, const std::vector<const RemoteBlob *> &batch);
  grpc::Status sendStream(const Caller &caller, const RemoteBlob &blob, std::string &lost);
  void fetchTogether(const Caller &caller, const std::vector<rx::Digest> &digests, const std::vector<size_t> &batch,
                     std::vector<Fetched> &out);
  Fetched fetchStream(const Caller &caller, const rx::Digest &digest);
  /// Into the store, in pieces.
  Fetched fetchLarge(const Caller &caller, const rx::Digest &digest);
  /// From `have()` on; `take` is given what comes and says false when it is too much.
  grpc::Status readStream(const Caller &caller, const rx::Digest &digest, const std::function<uint64_t()> &have,
                          const std::function<bool(std::string &&)> &take, bool &resumed);
  std::string prefix() const;

  Connection &connection_;
  ReapiBlobs &blobs_;
  std::atomic<size_t> batchLimit_ = size_t{4} << 20;
  std::atomic<bool> readsTogether_ = true; ///< Until the server says that it does not.
};

} // namespace placid::server
