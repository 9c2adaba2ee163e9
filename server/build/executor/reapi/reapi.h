// SPDX-License-Identifier: Apache-2.0
// What the server and the remote execution module have in common: where the other side is, how blobs of the store are
// reached, and the two symbols that the module exports. No gRPC in here. Plain values; ReapiBlobs is called from any
// thread.
#pragma once

#include "server/build/executor/executor.h"
#include "server/build/store/store.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace placid::server {

struct ReapiOptions {
  std::string address;                           ///< "grpcs://HOST:PORT", "grpc://HOST:PORT", "unix:/PATH".
  std::string instance;                          ///< Of the server's name space; may be empty.
  std::string caFile, certificateFile, keyFile;  ///< PEM. Empty: the system's authorities, no client certificate.
  std::string tokenFile;                         ///< Holds a bearer token, read again when the server refuses it.
  std::map<std::string, std::string> properties; ///< Of the platform that the worker must have.
  bool toolProperties = false;                   ///< Adds "placid-NAME" = digest for each tool of an action.
  std::map<std::string, std::string> paths;      ///< Where a worker has the tool NAME; not named: where it is here.
  std::string salt;                              ///< Another one disowns all results that the server knows.
  size_t jobs = 32;                              ///< Actions handed over at once.
  std::string version;                           ///< Of placid, for the server's logs.
  std::chrono::milliseconds callTime{30000};     ///< Of one call that moves little.
  std::chrono::milliseconds firstPatience{5000}; ///< With a server that has never answered.
  std::chrono::milliseconds patience{30000};     ///< With one that has.
  std::chrono::milliseconds firstPause{50};      ///< Between two tries; doubled each time.
  std::chrono::milliseconds slack{10000};        ///< For a worker that ends its tools itself, beyond their time.
};

/// A large blob of the store, in pieces: as Store::Reader and Store::Writer have it.
class ReapiReader {
public:
  virtual ~ReapiReader() = default;
  virtual uint64_t size() const = 0;
  virtual StoreResult<std::string> read(uint64_t offset, size_t most) = 0;
};
class ReapiWriter {
public:
  virtual ~ReapiWriter() = default;
  virtual bool add(std::string_view bytes) = 0;
  virtual uint64_t size() const = 0;
  virtual Digest digest() = 0;
  virtual StoreResult<Digest> keep() = 0;
};

/// The daemon's store, as the module sees it.
class ReapiBlobs {
public:
  virtual ~ReapiBlobs() = default;
  virtual StoreResult<std::string> get(const Digest &digest) = 0;
  virtual StoreResult<Digest> put(std::string_view bytes) = 0;
  virtual StoreResult<std::unique_ptr<ReapiReader>> open(const Digest &digest) = 0;
  virtual StoreResult<std::unique_ptr<ReapiWriter>> begin(uint64_t size) = 0;
};

/// What the module was built with; another one than the server's is not used.
inline constexpr std::string_view kReapiForm = "placid-reapi-2";
inline constexpr const char *kReapiFormSymbol = "placidReapiForm";
inline constexpr const char *kReapiMakeSymbol = "placidReapiExecutor";
using ReapiFormFunction = const char *();
/// Null with the reason in `wrong`. Does not wait for the server.
using ReapiMakeFunction = Executor *(const ReapiOptions &options, ReapiBlobs &blobs, std::string &wrong);

} // namespace placid::server
