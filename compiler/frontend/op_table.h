// SPDX-License-Identifier: Apache-2.0
// The operations of PL as data (ops.def), and the binding of a call's arguments to an operation's parameters.
#pragma once

#include "compiler/syntax/ast.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace placid::frontend {

/// How the front end treats a call; one enumerator per handler named in ops.def.
enum class OpHandler : uint8_t {
  Unmodelled,
  LikeFirst,
  Hint,
  Ignore,
  Load,
  Store,
  Matmul,
  MatmulAcc,
  BatchMatmul,
  BatchMatmulAcc,
  TransposeView,
  Reshape,
  Slice,
  CreateTensor,
  Create,
  CreateTile,
  Min,
  Max,
  BlockIdx,
  BlockNum,
  SubblockIdx,
  Cast,
  Read,
  Dim,
  Assemble,
  View,
  ReinterpretView,
  Move,
  NoDep,
};

enum class OpPlace : uint8_t { Unified, Tensor, Tile, Namespaced, Qualified };

struct OpRow {
  std::string_view name;
  OpPlace place;
  const char *tensorForm; ///< Null when there is none.
  const char *tileForm;
  OpHandler handler;
};

/// The row of a path such as "pl.load", "pl.tile.load" or "pl.system.syncall"; null when PL has no such operation.
/// `form` tells which form the path fixes: 'T' tensor, 't' tile, 0 when the first operand decides.
const OpRow *findOp(std::string_view path, char &form);

/// Every path a user can write, sorted: for "did you mean".
const std::vector<std::string> &opPaths();

struct BoundArguments {
  std::map<std::string, const syntax::Expr *, std::less<>> values; ///< By parameter name.
  std::vector<const syntax::Expr *> inOrder;                       ///< Every argument expression, as written.
  std::string fault; ///< Words that follow the op's name; empty when the call fits the form.
  source::ByteRange faultAt;

  const syntax::Expr *get(std::string_view name) const {
    auto found = values.find(name);
    return found != values.end() ? found->second : nullptr;
  }
};

BoundArguments bindArguments(const syntax::Expr &call, std::string_view form);

} // namespace placid::frontend
