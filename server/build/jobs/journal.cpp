// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/journal.h"

#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace placid::server {

namespace {

constexpr int kBusyMilliseconds = 10000;
constexpr int64_t kMostGrants = 500000;

// What was accepted survives the process with NORMAL; a power failure may lose the last moments, never the file.
constexpr const char *kSchema = R"sql(
PRAGMA journal_mode=WAL;
PRAGMA synchronous=NORMAL;
CREATE TABLE IF NOT EXISTS builds(id TEXT PRIMARY KEY, client TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL,
  state TEXT NOT NULL, result TEXT NOT NULL, created INTEGER NOT NULL, owner TEXT NOT NULL, UNIQUE(client,key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS builds_created ON builds(created);
CREATE INDEX IF NOT EXISTS builds_state ON builds(state);
CREATE TABLE IF NOT EXISTS events(id TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY(id,number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS grants(client TEXT NOT NULL, digest TEXT NOT NULL, used INTEGER NOT NULL, PRIMARY KEY(client,digest)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owners(name TEXT PRIMARY KEY, seen INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wishes(id TEXT PRIMARY KEY, cancel INTEGER NOT NULL, lease INTEGER NOT NULL) WITHOUT ROWID;
)sql";

/// Field 22 of /proc/PID/stat: when it started, in ticks since the machine did. Empty when there is no such process.
std::string startOf(const std::string &pid) {
  std::ifstream file("/proc/" + pid + "/stat", std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  size_t at = text.rfind(')'); // the name before it may hold anything
  if (at == std::string::npos || text.size() < at + 3 || text[at + 2] == 'Z' || text[at + 2] == 'X') {
    return {};
  }
  for (int field = 2; field < 21 && at != std::string::npos; ++field) {
    at = text.find(' ', at + 1);
  }
  size_t from = at == std::string::npos ? at : text.find(' ', at + 1);
  return from == std::string::npos ? std::string() : text.substr(from + 1, text.find(' ', from + 1) - from - 1);
}

/// "boot.namespace.": within it a number and a start name one process.
std::string placeOf() {
  std::ifstream file("/proc/sys/kernel/random/boot_id", std::ios::binary);
  std::string boot(std::istreambuf_iterator<char>(file), {});
  auto keep = [](std::string &text) { std::erase_if(text, [](unsigned char c) { return std::isalnum(c) == 0; }); };
  keep(boot);
  std::array<char, 64> link{};
  ssize_t length = ::readlink("/proc/self/ns/pid", link.data(), link.size());
  std::string space(link.data(), length > 0 ? static_cast<size_t>(length) : 0);
  keep(space);
  return boot + "." + space + ".";
}

} // namespace

std::string processName() {
  std::string pid = std::to_string(::getpid());
  return placeOf() + pid + "-" + startOf(pid);
}

bool isElsewhere(const std::string &name) {
  size_t last = name.rfind('.');
  // Names had no place once.
  return last != std::string::npos && name.find('.') != last && name.substr(0, last + 1) != placeOf();
}

bool processAlive(const std::string &full) {
  std::string place = placeOf();
  if (full.find('.') != std::string::npos && !full.starts_with(place)) {
    return false;
  }
  std::string name = full.starts_with(place) ? full.substr(place.size()) : full;
  size_t dash = name.find('-');
  std::string start = dash == std::string::npos ? std::string() : startOf(name.substr(0, dash));
  return !start.empty() && name.substr(dash + 1) == start;
}

Journal::Journal(std::string path) : path_(std::move(path)) {
  if (open()) {
    return;
  }
  bool damaged = false;
  if (db_) {
    int code = sqlite3_errcode(db_) & 0xff;
    damaged = code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
  }
  close();
  if (!damaged) {
    return;
  }
  for (const char *suffix : {"-wal", "-shm"}) {
    ::unlink((path_ + suffix).c_str());
  }
  std::rename(path_.c_str(), (path_ + ".damaged").c_str());
  if (!open()) {
    close();
  }
}

Journal::~Journal() { close(); }

void Journal::close() {
  statements_.clear();
  if (db_) {
    sqlite3_close_v2(db_);
    db_ = nullptr;
  }
}

bool Journal::open() {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
  if (sqlite3_open_v2(path_.c_str(), &db_, flags, nullptr) != SQLITE_OK) {
    return false;
  }
  sqlite3_busy_timeout(db_, kBusyMilliseconds);
  return sqlite3_exec(db_, kSchema, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool Journal::run(const char *sql, const std::vector<std::string> &text, const std::vector<int64_t> &numbers,
                  const std::function<void(sqlite3_stmt *)> &row) {
  return statements_.run(db_, sql, text, numbers, row);
}

bool Journal::accept(const JournalBuild &build, const std::string &owner) {
  return run("INSERT INTO builds VALUES(?1,?2,?3,?4,?5,X'',?7,?6)",
             {build.id, build.client, build.key, build.request, "accepted", owner}, {build.created});
}

bool Journal::append(const std::string &id, const std::string &owner, uint64_t number, std::string_view line) {
  return run("INSERT INTO events SELECT ?1,?5,?2 FROM builds WHERE id=?1 AND state=?3 AND owner=?4",
             {id, std::string(line), "accepted", owner}, {static_cast<int64_t>(number)}) &&
         sqlite3_changes(db_) == 1;
}

bool Journal::finish(const std::string &id, const std::string &owner, const std::string &state, std::string_view result,
                     uint64_t number, std::string_view line) {
  if (!run("BEGIN IMMEDIATE", {}, {})) {
    return false;
  }
  bool good = append(id, owner, number, line) &&
              run("UPDATE builds SET state=?2,result=?3 WHERE id=?1 AND state=?4 AND owner=?5",
                  {id, state, std::string(result), "accepted", owner}, {}) &&
              sqlite3_changes(db_) == 1;
  return run(good ? "COMMIT" : "ROLLBACK", {}, {}) && good;
}

std::vector<JournalBuild> Journal::builds(const std::string &where, const std::vector<std::string> &text,
                                          const std::vector<int64_t> &numbers, bool brief) {
  std::vector<JournalBuild> out;
  std::string sql = std::string("SELECT id,client,key,") + (brief ? "X'',state,X''" : "request,state,result") +
                    ",created,"
                    "(SELECT COALESCE(MAX(number)+1,0) FROM events WHERE events.id=builds.id) FROM builds " +
                    where;
  run(sql.c_str(), text, numbers, [&](sqlite3_stmt *row) {
    out.push_back({columnText(row, 0), columnText(row, 1), columnText(row, 2), columnText(row, 3), columnText(row, 4),
                   columnText(row, 5), sqlite3_column_int64(row, 6),
                   static_cast<uint64_t>(sqlite3_column_int64(row, 7))});
  });
  return out;
}

std::optional<JournalBuild> Journal::find(const std::string &id) {
  std::vector<JournalBuild> found = builds("WHERE id=?1", {id}, {});
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::optional<JournalBuild> Journal::find(const std::string &client, const std::string &key) {
  std::vector<JournalBuild> found = builds("WHERE client=?1 AND key=?2", {client, key}, {});
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<JournalBuild> Journal::list(size_t most) {
  return builds("ORDER BY created DESC,id LIMIT ?1", {}, {static_cast<int64_t>(most)}, true);
}

std::vector<JournalBuild> Journal::listOf(const std::string &client, size_t most) {
  return builds("WHERE client=?1 ORDER BY created DESC,id LIMIT ?2", {client}, {static_cast<int64_t>(most)}, true);
}

std::vector<std::string> Journal::events(const std::string &id, uint64_t from, size_t most) {
  std::vector<std::string> out;
  run("SELECT line FROM events WHERE id=?1 AND number>=?2 ORDER BY number LIMIT ?3", {id},
      {static_cast<int64_t>(from), static_cast<int64_t>(most)},
      [&](sqlite3_stmt *row) { out.push_back(columnText(row, 0)); });
  return out;
}

std::vector<std::string> Journal::eventsWith(const std::string &id, const std::string &text,
                                             const std::string &otherText, size_t most) {
  std::vector<std::string> out;
  run("SELECT line FROM events WHERE id=?1 AND (instr(line,?2)>0 OR instr(line,?3)>0) ORDER BY number LIMIT ?4",
      {id, text, otherText}, {static_cast<int64_t>(most)},
      [&](sqlite3_stmt *row) { out.push_back(columnText(row, 0)); });
  return out;
}

std::vector<JournalBuild> Journal::adopt(const std::string &owner,
                                         const std::function<bool(const std::string &)> &alive) {
  std::vector<std::string> owners;
  run("SELECT DISTINCT owner FROM builds WHERE state=?1", {"accepted"}, {},
      [&](sqlite3_stmt *row) { owners.push_back(columnText(row, 0)); });
  std::vector<JournalBuild> out;
  for (const std::string &one : owners) {
    if (one == owner || alive(one)) {
      continue;
    }
    std::vector<JournalBuild> theirs = builds("WHERE owner=?1 AND state=?2 ORDER BY created,id", {one, "accepted"}, {});
    for (JournalBuild &build : theirs) {
      // Of two who try, one changes the row.
      if (run("UPDATE builds SET owner=?2 WHERE id=?1 AND owner=?3 AND state=?4", {build.id, owner, one, "accepted"},
              {}) &&
          sqlite3_changes(db_) == 1) {
        out.push_back(std::move(build));
      }
    }
  }
  return out;
}

bool Journal::isOthers(const std::string &id, const std::string &owner) {
  bool mine = false;
  // A journal that cannot be read says nothing.
  return run("SELECT 1 FROM builds WHERE id=?1 AND state=?2 AND owner=?3", {id, "accepted", owner}, {},
             [&](sqlite3_stmt *) { mine = true; }) &&
         !mine;
}

void Journal::beat(const std::string &owner, int64_t now) {
  run("INSERT INTO owners VALUES(?1,?2) ON CONFLICT(name) DO UPDATE SET seen=?2", {owner}, {now});
}

std::optional<int64_t> Journal::beatOf(const std::string &owner) {
  std::optional<int64_t> out;
  run("SELECT seen FROM owners WHERE name=?1", {owner}, {},
      [&](sqlite3_stmt *row) { out = sqlite3_column_int64(row, 0); });
  return out;
}

bool Journal::wish(const std::string &id, int64_t leaseMs, bool cancel) {
  return run("INSERT INTO wishes VALUES(?1,?2,?3) ON CONFLICT(id) DO UPDATE SET cancel=MAX(cancel,?2),lease=?3", {id},
             {cancel ? 1 : 0, leaseMs});
}

std::vector<JournalWish> Journal::takeWishes(const std::string &owner) {
  std::vector<JournalWish> out;
  run("SELECT id,cancel,lease FROM wishes WHERE id IN (SELECT id FROM builds WHERE owner=?1)", {owner}, {},
      [&](sqlite3_stmt *row) {
        out.push_back({columnText(row, 0), sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 1) != 0});
      });
  for (const JournalWish &one : out) {
    // A cancellation that came meanwhile is taken the next time.
    run("DELETE FROM wishes WHERE id=?1 AND cancel=?2", {one.id}, {one.cancel ? 1 : 0});
  }
  return out;
}

void Journal::trim(size_t most) {
  if (run("BEGIN IMMEDIATE", {}, {})) { // so that both mean the same builds
    bool good = true;
    for (const char *table : {"events", "builds"}) {
      std::string sql =
          std::string("DELETE FROM ") + table +
          " WHERE id IN (SELECT id FROM builds WHERE state<>?1 ORDER BY created DESC,id LIMIT -1 OFFSET ?2)";
      good = good && run(sql.c_str(), {"accepted"}, {static_cast<int64_t>(most)});
    }
    run(good ? "COMMIT" : "ROLLBACK", {}, {});
  }
  run("DELETE FROM wishes WHERE id NOT IN (SELECT id FROM builds WHERE state=?1)", {"accepted"}, {});
  run("DELETE FROM owners WHERE name NOT IN (SELECT owner FROM builds WHERE state=?1) AND "
      "seen<(SELECT MAX(seen) FROM owners)-86400000000000",
      {"accepted"}, {});
  run("DELETE FROM grants WHERE used<(SELECT used FROM grants ORDER BY used DESC LIMIT 1 OFFSET ?1)", {},
      {kMostGrants});
}

void Journal::grant(const std::string &client, const Digest &digest, int64_t now) {
  run("INSERT INTO grants VALUES(?1,?2,?3) ON CONFLICT(client,digest) DO UPDATE SET used=?3", {client, digest.hex},
      {now});
}

bool Journal::granted(const std::string &client, const Digest &digest) {
  bool found = false;
  run("SELECT 1 FROM grants WHERE client=?1 AND digest=?2", {client, digest.hex}, {},
      [&](sqlite3_stmt *) { found = true; });
  return found;
}

} // namespace placid::server
