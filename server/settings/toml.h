// SPDX-License-Identifier: Apache-2.0
// TOML as far as settings need it: every value with its place in the text, so that a wrong one can be pointed at. Dates
// and numbers other than integers are kept as text. Knows no setting. Pure; any thread; never throws.
#pragma once

#include "compiler/source/text.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace placid::server {

struct TomlEntry;

struct TomlValue {
  enum class Kind : uint8_t { String, Integer, Boolean, Array, Table, Other };
  Kind kind = Kind::Other;
  std::string text; ///< A string's contents; of other scalars what is written.
  source::ByteRange range;
  std::vector<TomlValue> items;
  std::vector<TomlEntry> members; ///< Of an inline table.
};

struct TomlEntry {
  std::vector<std::string> path; ///< Table and dotted key; inside an inline table the key alone.
  source::ByteRange keyRange;
  TomlValue value;
};

struct TomlFault {
  source::ByteRange range;
  std::string message;
  std::vector<std::string> table; ///< In which it stands.
};

struct TomlText {
  std::vector<TomlEntry> entries; ///< In text order.
  std::vector<TomlFault> faults;  ///< After one, reading goes on with the next line.
};

TomlText parseToml(std::string_view text);

} // namespace placid::server
