// SPDX-License-Identifier: Apache-2.0
// One statement of SQLite, with values bound and rows handed over: what the index of the store and the journal of
// builds share. Knows no table. Any thread that may use the connection.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace placid::server {

/// Binds `text` (as bytes), then `numbers`, to ?1, ?2, …; each row goes to `row`. False when the database refused, or
/// is null.
bool runSql(sqlite3 *database, const char *sql, const std::vector<std::string> &text,
            const std::vector<int64_t> &numbers, const std::function<void(sqlite3_stmt *)> &row = {});

/// A column as bytes; empty for NULL.
std::string columnText(sqlite3_stmt *row, int column);

} // namespace placid::server
