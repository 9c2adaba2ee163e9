// SPDX-License-Identifier: Apache-2.0
#include "server/build/store/sql.h"

#include <sqlite3.h>

namespace placid::server {

bool runSql(sqlite3 *database, const char *sql, const std::vector<std::string> &text,
            const std::vector<int64_t> &numbers, const std::function<void(sqlite3_stmt *)> &row) {
  sqlite3_stmt *statement = nullptr;
  if (!database || sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK) {
    return false;
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
  sqlite3_finalize(statement);
  return step == SQLITE_DONE;
}

std::string columnText(sqlite3_stmt *row, int column) {
  const void *bytes = sqlite3_column_blob(row, column);
  auto size = static_cast<size_t>(sqlite3_column_bytes(row, column));
  return bytes ? std::string(static_cast<const char *>(bytes), size) : std::string();
}

} // namespace placid::server
