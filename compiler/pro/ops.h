// SPDX-License-Identifier: Apache-2.0
// The operations of pypto_pro as data (ops.def): parameters, core and effect of each. Standard library only; immutable:
// any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace placid::pro {

enum class Core : uint8_t { Any, Cube, Vector };

/// What an operation does to the tiles among its arguments.
enum class Effect : uint8_t {
  Writes, ///< The first parameter is written, the others are read.
  Reads,
  None,
  Orders, ///< Synchronisation: pending transfers are done afterwards.
};

struct Parameter {
  std::string_view name;
  bool optional = false;
  bool keywordOnly = false;
};

struct OpRow {
  std::string_view path; ///< After `pl.`: "load", "system.bar_all".
  std::vector<Parameter> parameters;
  Core core = Core::Any;
  Effect effect = Effect::None;
  std::string_view doc;
};

std::span<const OpRow> ops();
/// Null for a path without a row.
const OpRow *findOp(std::string_view path);

} // namespace placid::pro
