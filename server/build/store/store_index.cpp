// SPDX-License-Identifier: Apache-2.0
#include "server/build/store/store_index.h"

#include <sqlite3.h>
#include <unistd.h>

namespace placid::server {

namespace {

constexpr int kBusyMilliseconds = 2000;
constexpr int kVersion = 1;

// A lost row costs a miss, so nothing waits for the disk.
constexpr const char *kSchema = R"sql(
PRAGMA journal_mode=WAL;
PRAGMA synchronous=OFF;
CREATE TABLE IF NOT EXISTS blobs(digest TEXT PRIMARY KEY, size INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS blobs_used ON blobs(used);
CREATE TABLE IF NOT EXISTS results(key TEXT PRIMARY KEY, value BLOB NOT NULL, expires INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files(path TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID;
)sql";

std::string stampText(const FileStamp &stamp) {
  return std::to_string(stamp.device) + " " + std::to_string(stamp.inode) + " " + std::to_string(stamp.size) + " " +
         std::to_string(stamp.modified) + " " + std::to_string(stamp.changed);
}

} // namespace

StoreIndex::StoreIndex(std::string path) : path_(std::move(path)) {
  Opened opened = open();
  if (opened != Opened::Damaged) {
    if (opened == Opened::Unusable) {
      close(); // busy, no descriptor, no room: what is there stays for those who can use it
    }
    return;
  }
  // Damaged, or of another version: begin anew. Other processes that have it open go on with the deleted file.
  close();
  for (const char *suffix : {"", "-wal", "-shm"}) {
    ::unlink((path_ + suffix).c_str());
  }
  if (open() != Opened::Good) {
    close();
  }
}

StoreIndex::~StoreIndex() { close(); }

void StoreIndex::close() {
  statements_.clear();
  if (db_) {
    sqlite3_close_v2(db_);
    db_ = nullptr;
  }
}

StoreIndex::Opened StoreIndex::open() {
  auto because = [this] {
    int code = db_ ? sqlite3_errcode(db_) & 0xff : SQLITE_NOMEM;
    return code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? Opened::Damaged : Opened::Unusable;
  };
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  if (sqlite3_open_v2(path_.c_str(), &db_, flags, nullptr) != SQLITE_OK) {
    return because();
  }
  sqlite3_busy_timeout(db_, kBusyMilliseconds);
  if (sqlite3_exec(db_, kSchema, nullptr, nullptr, nullptr) != SQLITE_OK) {
    // A table of another form under one of our names is another version's.
    return (sqlite3_errcode(db_) & 0xff) == SQLITE_ERROR ? Opened::Damaged : because();
  }
  int version = -1;
  if (!run("PRAGMA user_version", {}, {}, [&](sqlite3_stmt *row) { version = sqlite3_column_int(row, 0); })) {
    return because();
  }
  if (version == 0) {
    fresh_ = true;
    return sqlite3_exec(db_, "PRAGMA user_version=1", nullptr, nullptr, nullptr) == SQLITE_OK ? Opened::Good
                                                                                              : because();
  }
  return version == kVersion ? Opened::Good : Opened::Damaged;
}

bool StoreIndex::run(const char *sql, const std::vector<std::string> &text, const std::vector<int64_t> &numbers,
                     const std::function<void(sqlite3_stmt *)> &row) {
  return statements_.run(db_, sql, text, numbers, row);
}

void StoreIndex::blobAdded(const Digest &digest, uint64_t size, int64_t now) {
  run("INSERT INTO blobs VALUES(?1,?2,?3) ON CONFLICT(digest) DO UPDATE SET used=?3", {digest.hex},
      {static_cast<int64_t>(size), now});
}

void StoreIndex::blobUsed(const Digest &digest, int64_t now) {
  run("UPDATE blobs SET used=?2 WHERE digest=?1", {digest.hex}, {now});
}

void StoreIndex::blobsUsed(std::span<const Digest> digests, int64_t now) {
  if (digests.empty() || !run("BEGIN IMMEDIATE", {}, {})) {
    return;
  }
  for (const Digest &digest : digests) {
    blobUsed(digest, now);
  }
  run("COMMIT", {}, {});
}

void StoreIndex::blobGone(const Digest &digest) { run("DELETE FROM blobs WHERE digest=?1", {digest.hex}, {}); }

uint64_t StoreIndex::totalBytes() {
  uint64_t total = 0;
  run("SELECT COALESCE(SUM(size),0) FROM blobs", {}, {},
      [&](sqlite3_stmt *row) { total = static_cast<uint64_t>(sqlite3_column_int64(row, 0)); });
  return total;
}

std::vector<StoreIndex::Old> StoreIndex::oldest(size_t most) {
  std::vector<Old> out;
  run("SELECT digest,size FROM blobs ORDER BY used,digest LIMIT ?1", {}, {static_cast<int64_t>(most)},
      [&](sqlite3_stmt *row) {
        out.push_back({{columnText(row, 0)}, static_cast<uint64_t>(sqlite3_column_int64(row, 1))});
      });
  return out;
}

bool StoreIndex::setResult(const std::string &key, std::string_view value, int64_t expires, int64_t now) {
  return run("INSERT OR REPLACE INTO results VALUES(?1,?2,?3,?4)", {key, std::string(value)}, {expires, now});
}

std::optional<StoreIndex::Result> StoreIndex::result(const std::string &key, int64_t now, int64_t grain) {
  std::optional<Result> out;
  int64_t used = 0;
  run("SELECT value,expires,used FROM results WHERE key=?1", {key}, {}, [&](sqlite3_stmt *row) {
    out = Result{columnText(row, 0), sqlite3_column_int64(row, 1)};
    used = sqlite3_column_int64(row, 2);
  });
  if (out && out->expires != 0 && out->expires <= now) {
    forgetResult(key);
    return std::nullopt;
  }
  if (out && (now < used || now - used >= grain)) { // or the clock has gone back
    run("UPDATE results SET used=?2 WHERE key=?1", {key}, {now});
  }
  return out;
}

void StoreIndex::forgetResult(const std::string &key) { run("DELETE FROM results WHERE key=?1", {key}, {}); }

void StoreIndex::trimResults(size_t most) {
  run("DELETE FROM results WHERE key IN (SELECT key FROM results ORDER BY used DESC,key LIMIT -1 OFFSET ?1)", {},
      {static_cast<int64_t>(most)});
}

void StoreIndex::setFileDigest(const std::string &path, const FileStamp &stamp, const Digest &digest) {
  run("INSERT OR REPLACE INTO files VALUES(?1,?2,?3)", {path, stampText(stamp), digest.hex}, {});
}

std::optional<Digest> StoreIndex::fileDigest(const std::string &path, const FileStamp &stamp) {
  std::optional<Digest> out;
  run("SELECT digest FROM files WHERE path=?1 AND stamp=?2", {path, stampText(stamp)}, {},
      [&](sqlite3_stmt *row) { out = parseDigest(columnText(row, 0)); });
  return out;
}

} // namespace placid::server
