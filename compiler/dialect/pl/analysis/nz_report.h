// SPDX-License-Identifier: Apache-2.0
// What BlockNzTensorViews made of every tensor and NZ access, as plain facts for people: filled when a pass is given a
// report, never read by a pass. Locations belong to the module's context and are valid as long as it lives.
#pragma once

#include "mlir/IR/Location.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace placid::pl {

/// A coordinate or extent: a number when constant, else the source's spelling.
using NzExpr = std::variant<int64_t, std::string>;

struct NzTensorFact {
  std::string name;
  std::string function;          ///< `pl.entry` of the declaring function, else its symbol name.
  mlir::LocationAttr annotation; ///< The NZ annotation, else the argument's location.
  std::string layout;            ///< "NZ", "ND" …
  std::string dtype;             ///< "FP16" …
  std::vector<NzExpr> logical;
  int64_t c0 = 0;              ///< Elements in a 32-byte line; 0 when not NZ.
  std::vector<NzExpr> blocked; ///< Empty when not NZ or rejected.
  std::vector<NzExpr> strides; ///< In elements; empty when not NZ or rejected.
  std::string rejected;        ///< Slug.
};

struct NzProofFact {
  int axis = 0;       ///< -2 rows, -1 columns.
  int64_t factor = 0; ///< 16 or c0.
  std::string expr;
  std::string multiple;
  std::string nonNegative; ///< Empty where no sign is asked for (a valid extent).
};

struct NzAccessFact {
  std::string op; ///< "load", "store", "slice", "reshape".
  std::string tensor;
  std::string result; ///< The tile's name; for a store the stored tile's. May be empty.
  mlir::LocationAttr range;
  std::vector<NzExpr> offsets; ///< Blocked, rank 5; empty when rejected.
  std::vector<NzExpr> sizes;
  std::vector<NzExpr> tile;         ///< Rows and columns of the tile.
  std::optional<int64_t> gapBlocks; ///< In 32-byte blocks, worst case; absent where it does not apply.
  std::vector<NzProofFact> proof;
  std::string rejected; ///< Slug.
};

struct NzReport {
  std::vector<NzTensorFact> tensors;
  std::vector<NzAccessFact> accesses;
};

} // namespace placid::pl
