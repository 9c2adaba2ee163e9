// SPDX-License-Identifier: Apache-2.0
// The operations of pypto_pro as data (ops.def): parameters, core and effect of each. Standard library only; immutable:
// any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace placid::pro {

enum class Core : uint8_t { Any, Cube, Vector };

/// What an operation does to the tiles among its arguments.
enum class Effect : uint8_t {
  Writes, ///< The first parameter is written, the others are read.
  Reads,
  None,
  Scalar, ///< None, and its result is a number of run time.
  Orders, ///< Synchronisation: pending transfers are done afterwards.
};

struct Parameter {
  std::string_view name;
  bool optional = false;
  bool keywordOnly = false;
  bool variadic = false; ///< Takes all positional arguments that are left.
};

struct OpRow {
  std::string_view path; ///< After `pl.`: "load", "system.bar_all", "Vf.add" for `vf.add`.
  std::vector<Parameter> parameters;
  Core core = Core::Any;
  Effect effect = Effect::None;
  std::string_view doc;
  bool open = false;    ///< Its parameters are not known.
  unsigned results = 0; ///< Of `vf`: the registers that a statement has to bind.

  bool isVf() const { return path.starts_with("Vf."); }
};

std::span<const OpRow> ops();
/// Null for a path without a row.
const OpRow *findOp(std::string_view path);
/// "dst_tile, src_tensor, offsets, *, order?": as messages and editors show it.
std::string signatureOf(const OpRow &row);

} // namespace placid::pro
