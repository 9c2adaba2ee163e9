// SPDX-License-Identifier: Apache-2.0
#include "server/build/store/sql.h"

#include <sqlite3.h>

namespace placid::server {

bool SqlStatements::run(sqlite3 *database, const char *sql, const std::vector<std::string> &text,
                        const std::vector<int64_t> &numbers, const std::function<void(sqlite3_stmt *)> &row) {
  if (!database) {
    return false;
  }
  sqlite3_stmt *statement = nullptr;
  auto known = known_.find(std::string_view(sql));
  bool kept = known == known_.end() || sqlite3_stmt_busy(known->second) == 0;
  if (known != known_.end() && kept) {
    statement = known->second;
  } else if (sqlite3_prepare_v3(database, sql, -1, kept ? SQLITE_PREPARE_PERSISTENT : 0, &statement, nullptr) !=
             SQLITE_OK) {
    return false;
  } else if (kept) {
    known_.emplace(sql, statement);
  }
  int at = 0;
  for (const std::string &one : text) {
    sqlite3_bind_blob64(statement, ++at, one.data(), one.size(), SQLITE_STATIC);
  }
  for (int64_t one : numbers) {
    sqlite3_bind_int64(statement, ++at, one);
  }
  int step = SQLITE_ROW;
  while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
    if (row) {
      row(statement);
    }
  }
  if (kept) {
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement); // what they point to goes
  } else {
    sqlite3_finalize(statement); // its own row has asked the same
  }
  return step == SQLITE_DONE;
}

void SqlStatements::clear() {
  for (const auto &[sql, statement] : known_) {
    sqlite3_finalize(statement);
  }
  known_.clear();
}

std::string columnText(sqlite3_stmt *row, int column) {
  const void *bytes = sqlite3_column_blob(row, column);
  auto size = static_cast<size_t>(sqlite3_column_bytes(row, column));
  return bytes ? std::string(static_cast<const char *>(bytes), size) : std::string();
}

} // namespace placid::server
