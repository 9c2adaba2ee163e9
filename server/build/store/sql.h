// SPDX-License-Identifier: Apache-2.0
// Statements of SQLite, with values bound and rows handed over: what the index of the store and the journal of builds
// share. Knows no table. One thread at a time, that of the connection.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace placid::server {

/// Statements that have been prepared: reading one takes longer than carrying it out.
class SqlStatements {
public:
  SqlStatements() = default;
  ~SqlStatements() { clear(); }
  SqlStatements(const SqlStatements &) = delete;
  SqlStatements &operator=(const SqlStatements &) = delete;
  /// Binds `text` (as bytes), then `numbers`, to ?1, ?2, …; each row goes to `row`. False when the database refused, or
  /// is null.
  bool run(sqlite3 *database, const char *sql, const std::vector<std::string> &text,
           const std::vector<int64_t> &numbers, const std::function<void(sqlite3_stmt *)> &row = {});
  /// Before their database is closed.
  void clear();

private:
  std::map<std::string, sqlite3_stmt *, std::less<>> known_;
};

/// A column as bytes; empty for NULL.
std::string columnText(sqlite3_stmt *row, int column);

} // namespace placid::server
