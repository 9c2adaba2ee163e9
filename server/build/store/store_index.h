// SPDX-License-Identifier: Apache-2.0
// The index of the store in SQLite: sizes and times of use of blobs, results by key, digests of files by their inode.
// It only ever saves work: the blobs themselves are files, and an index that is damaged is begun anew; one that cannot
// be opened now is left alone. Several processes may have it open. Calls are serialised by the caller.
#pragma once

#include "server/build/store/digest.h"
#include "server/build/store/sql.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

/// What tells one state of a file from another without reading it.
struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified = 0, changed = 0; ///< Nanoseconds.
  bool operator==(const FileStamp &) const = default;
};

class StoreIndex {
public:
  /// Opens or begins the index at `path`. Without one (`ok()` is false) every question has no answer.
  explicit StoreIndex(std::string path);
  ~StoreIndex();
  StoreIndex(const StoreIndex &) = delete;
  StoreIndex &operator=(const StoreIndex &) = delete;
  bool ok() const { return db_ != nullptr; }
  /// The index was empty or damaged: blobs that are there have to be told to it.
  bool fresh() const { return fresh_; }

  void blobAdded(const Digest &digest, uint64_t size, int64_t now);
  void blobUsed(const Digest &digest, int64_t now);
  /// All of them in one transaction.
  void blobsUsed(std::span<const Digest> digests, int64_t now);
  void blobGone(const Digest &digest);
  uint64_t totalBytes();
  struct Old {
    Digest digest;
    uint64_t size = 0;
  };
  /// The `most` blobs that were used longest ago, oldest first.
  std::vector<Old> oldest(size_t most);

  struct Result {
    std::string value;
    int64_t expires = 0; ///< 0: never.
  };
  bool setResult(const std::string &key, std::string_view value, int64_t expires, int64_t now);
  /// That it was used is written when it was not within `grain`.
  std::optional<Result> result(const std::string &key, int64_t now, int64_t grain = 0);
  void forgetResult(const std::string &key);
  /// Leaves the `most` results that were used last.
  void trimResults(size_t most);

  void setFileDigest(const std::string &path, const FileStamp &stamp, const Digest &digest);
  std::optional<Digest> fileDigest(const std::string &path, const FileStamp &stamp);

private:
  enum class Opened : uint8_t { Good, Damaged, Unusable };
  Opened open();
  void close();
  /// Runs one statement; each row goes to `row`. False when the database refused.
  bool run(const char *sql, const std::vector<std::string> &text, const std::vector<int64_t> &numbers,
           const std::function<void(sqlite3_stmt *)> &row = {});

  std::string path_;
  sqlite3 *db_ = nullptr;
  SqlStatements statements_;
  bool fresh_ = false;
};

} // namespace placid::server
