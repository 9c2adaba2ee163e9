// SPDX-License-Identifier: Apache-2.0
// A server of the Remote Execution API for tests: it really runs what it is asked to run, on this machine, and
// misbehaves in each way that servers do, so often as a test says. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace placid::server {

/// What can go wrong; a farm does each as many times as it is told.
enum class Fault : uint8_t {
  Unavailable,       ///< Any call but Execute and WaitExecution.
  ExecuteInternal,   ///< Execute fails before it has said a word.
  Exhausted,         ///< Execute fails: too much to do.
  MissingNotFound,   ///< The answer says NOT_FOUND although the inputs are there.
  MissingViolation,  ///< The same as the protocol wants it: FAILED_PRECONDITION that names the blob.
  StatusInternal,    ///< The answer's status.
  StatusUnavailable, ///< The same.
  DropExecute,       ///< The stream breaks after its first word.
  DropWait,          ///< The same of WaitExecution.
  Forget,            ///< WaitExecution knows nothing of it: NOT_FOUND.
  ForgetInternal,    ///< The same, said as INTERNAL.
  EndWithoutAnswer,  ///< The stream ends as if all were well.
  CorruptRead,       ///< Bytes of a blob come back changed.
  LoseRead,          ///< A blob is gone when it is asked for.
  CutRead,           ///< A stream of a blob breaks half way.
  CutWrite,          ///< The same on the way there; what came is kept.
  WrongDigest,       ///< A result names an output that nobody has.
  LoseInputs,        ///< The inputs are dropped just before they are needed.
  Count
};

struct FarmTraits {
  bool stages = true;           ///< Operations say how far they are.
  bool times = true;            ///< Results say when and where.
  bool inlineLogs = false;      ///< Streams come with the result.
  bool readsTogether = true;    ///< Has BatchReadBlobs.
  bool resumes = true;          ///< Has QueryWriteStatus, and takes an offset.
  bool keepsResults = true;     ///< Has an action cache.
  bool looksItself = false;     ///< Execute looks into it, unless told not to.
  bool cancels = true;          ///< Has CancelOperation.
  bool keepsTime = true;        ///< Ends what runs longer than the action says.
  bool findsAll = false;        ///< FindMissingBlobs says that nothing is missing.
  bool executes = true;         ///< Otherwise it is a cache alone.
  bool queuesForEver = false;   ///< No worker ever comes.
  bool refusesPlatform = false; ///< FAILED_PRECONDITION without a violation: no worker of that kind.
  int version = 2;              ///< Of the protocol.
  bool sha256 = true;
  int64_t maxBatch = int64_t{4} << 20;
  size_t workers = 4;
  std::string token;            ///< Wanted of each call.
  std::string certificate, key; ///< PEM: speaks TLS.
  uint64_t faultSeed = 0;       ///< Not 0: faults come by chance instead of at once, `faultPercent` of the time.
  int faultPercent = 0;
};

struct FarmCounts {
  std::atomic<int> executions = 0, calls = 0, uploads = 0, reads = 0, cancelled = 0, withoutMetadata = 0, resumed = 0;
};

class Farm {
public:
  /// `address`: "unix:/PATH" or "127.0.0.1:0". Throws nothing; `port()` is 0 when it could not start.
  explicit Farm(const std::string &address, FarmTraits traits = {});
  ~Farm();
  Farm(const Farm &) = delete;
  Farm &operator=(const Farm &) = delete;

  int port() const;
  void plan(Fault fault, int times);
  int left(Fault fault) const;
  /// Ends it, with all that it knew of executions, and starts it again. Blobs stay, as on a disk.
  void restart();
  void stop();
  /// Changes the stored bytes of each blob that is not an input of ours to send again.
  void damageResults();
  size_t results() const;
  const FarmCounts &counts() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace placid::server
