// SPDX-License-Identifier: Apache-2.0
// Where each line of a unit of PTO IR comes from in the PL program, read from the locations that the text carries, and
// which line an operation or a value stands on: what turns a tool's complaint into a place that the user wrote. Knows
// the text's form alone, no tool. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace placid::toolchain {

/// 1-based line and 1-based column in characters; line 0: nowhere.
struct Place {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const Place &) const = default;
};

class PtoPlaces {
public:
  explicit PtoPlaces(std::string_view pto);

  /// Of a 1-based line of the text: its own location, else that of the nearest line before it, else of the function.
  Place source(uint32_t line) const;
  /// The first line after `after` that defines `%name` (given without the sign), or 0: functions have names of their
  /// own.
  uint32_t definition(std::string_view name, uint32_t after = 0) const;
  /// The first line after `after` (0: from the start) with the operation `pto.<op>`, or 0.
  uint32_t operation(std::string_view op, uint32_t after) const;
  /// Of the function, or of nothing.
  const Place &function() const { return function_; }
  struct Function {
    std::string name;
    uint32_t line = 0; ///< 1-based, where it begins.
    bool cube = false; ///< For the cube core; else for the vector core.
  };
  /// In the order of the text: one, or of a mixed kernel two.
  const std::vector<Function> &functions() const { return functions_; }

private:
  std::vector<Place> places_;    ///< By line, from 0.
  std::vector<std::string> ops_; ///< By line: "tload"; empty where there is none.
  std::map<std::string, std::vector<uint32_t>, std::less<>> definitions_; ///< Lines in order.
  Place function_;
  std::vector<Function> functions_;
};

/// The place in `loc("file":l:c)` or `loc("name"("file":l:c))` that begins at `text[0]`; nowhere when it has another
/// form. `length` gets the number of characters read.
Place parseLocation(std::string_view text, size_t &length);

} // namespace placid::toolchain
