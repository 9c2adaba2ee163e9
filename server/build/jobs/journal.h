// SPDX-License-Identifier: Apache-2.0
// The truth about accepted builds, in SQLite: the request, every event in order, and how it ended, exactly once. Beside
// the store's index but not in it: that one may be lost, this one may not. Shared by the daemons of a user; each build
// belongs to one live process, and another takes it over when that is gone. Calls are serialised by the caller.
#pragma once

#include "server/build/store/digest.h"
#include "server/build/store/sql.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

struct JournalBuild {
  std::string id, client, key;
  std::string request; ///< JSON.
  std::string state;   ///< "accepted", or how it ended: "succeeded", "failed", "cancelled", "internal".
  std::string result;  ///< JSON, of one that has ended.
  int64_t created = 0; ///< Nanoseconds of the system's clock.
  uint64_t events = 0; ///< How many there are: the next one's number.
};

/// What a client of another daemon wants of a build.
struct JournalWish {
  std::string id;
  int64_t leaseMs = 0; ///< 0: that of the request.
  bool cancel = false;
};

class Journal {
public:
  /// Without a usable file (`ok()` is false) nothing can be accepted. One that is damaged is put aside.
  explicit Journal(std::string path);
  ~Journal();
  Journal(const Journal &) = delete;
  Journal &operator=(const Journal &) = delete;
  bool ok() const { return db_ != nullptr; }

  /// False: it could not be written, and has not been accepted.
  bool accept(const JournalBuild &build, const std::string &owner);
  /// Event number `build.events`. False once the build has ended or is not `owner`'s, or when it cannot be written.
  bool append(const std::string &id, const std::string &owner, uint64_t number, std::string_view line);
  /// The last event and the end, together or not at all. False when it had ended before, or is not `owner`'s.
  bool finish(const std::string &id, const std::string &owner, const std::string &state, std::string_view result,
              uint64_t number, std::string_view line);
  /// The journal shows that it has ended, or that somebody else carries it out.
  bool isOthers(const std::string &id, const std::string &owner);

  std::optional<JournalBuild> find(const std::string &id);
  std::optional<JournalBuild> find(const std::string &client, const std::string &key);
  /// Newest first, without requests and results.
  std::vector<JournalBuild> list(size_t most);
  std::vector<JournalBuild> listOf(const std::string &client, size_t most);
  std::vector<std::string> events(const std::string &id, uint64_t from, size_t most);
  /// The first ones whose line has one of those texts.
  std::vector<std::string> eventsWith(const std::string &id, const std::string &text, const std::string &otherText,
                                      size_t most);

  /// Builds that have not ended and whose owner is not `alive`, oldest first; they are `owner`'s from now on.
  std::vector<JournalBuild> adopt(const std::string &owner, const std::function<bool(const std::string &)> &alive);
  /// `owner` is there; when it last said so.
  void beat(const std::string &owner, int64_t now);
  std::optional<int64_t> beatOf(const std::string &owner);
  /// For the process that carries the build out. False: it cannot be written.
  bool wish(const std::string &id, int64_t leaseMs, bool cancel);
  /// Those for builds of `owner`, each once.
  std::vector<JournalWish> takeWishes(const std::string &owner);
  /// Forgets all but the last `most` that have ended, with their events.
  void trim(size_t most);

  /// Who may read which blob.
  void grant(const std::string &client, const Digest &digest, int64_t now);
  bool granted(const std::string &client, const Digest &digest);

private:
  bool open();
  void close();
  bool run(const char *sql, const std::vector<std::string> &text, const std::vector<int64_t> &numbers,
           const std::function<void(sqlite3_stmt *)> &row = {});
  std::vector<JournalBuild> builds(const std::string &where, const std::vector<std::string> &text,
                                   const std::vector<int64_t> &numbers, bool brief = false);

  std::string path_;
  sqlite3 *db_ = nullptr;
  SqlStatements statements_;
};

/// This process, so that no other is taken for it: "boot.namespace.pid-start".
std::string processName();
/// Whether it names a process of another boot or PID namespace, such as a container's: that cannot be looked for here.
bool isElsewhere(const std::string &name);
/// Whether a process of that name is there; false for one that is elsewhere.
bool processAlive(const std::string &name);

} // namespace placid::server
