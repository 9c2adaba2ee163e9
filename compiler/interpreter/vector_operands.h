// SPDX-License-Identifier: Apache-2.0
// What the operations of the vector unit share: their operands in order, tiles in Vec and scalars, and results that are
// computed before any of them is written. Apart because the operations fill several files. One thread.
#pragma once

#include "compiler/interpreter/core.h"

#include <string>
#include <vector>

namespace placid::interp {

/// The tiles among the operands, in order, then the result; scalars go to `scalars`.
struct VectorOperands {
  std::vector<std::shared_ptr<TileValue>> tiles;
  std::vector<Number> scalars;
  std::shared_ptr<TileValue> dst;
};

inline std::string validText(const TileValue &tile) {
  return std::to_string(tile.validRows) + " x " + std::to_string(tile.validCols);
}

inline std::string collect(Core &core, const Statement &statement, size_t tiles, size_t scalars, VectorOperands &out) {
  for (int slot : statement.ins) {
    Value &given = core.value(slot);
    if (given.kind == Value::Kind::Tile) {
      out.tiles.push_back(given.tile);
    } else if (given.kind == Value::Kind::Scalar) {
      out.scalars.push_back(given.number);
    } else {
      return "has " + core.name(slot) + ", which is neither a tile nor a scalar";
    }
  }
  if (out.tiles.size() < tiles || out.scalars.size() < scalars || statement.outs.empty()) {
    return "has too few operands";
  }
  if (std::string wrong = core.tile(statement.outs[0], out.dst); !wrong.empty()) {
    return wrong;
  }
  for (const std::shared_ptr<TileValue> &tile : out.tiles) {
    if (tile->type.space != Space::Vec) {
      return "works on a tile that is not in Vec";
    }
  }
  return out.dst->type.space == Space::Vec ? "" : "makes a tile that is not in Vec";
}

inline std::string covers(const TileValue &src, const TileValue &dst) {
  return src.validRows < dst.validRows || src.validCols < dst.validCols
             ? "makes " + validText(dst) + " of a tile of " + validText(src)
             : "";
}

/// Computes every element of the result before any is written, as tiles may share a buffer.
template <class F> std::string fill(Core &core, const TileValue &dst, int64_t rows, int64_t cols, F element) {
  std::vector<Number> values(rows * cols);
  Origins *origins = core.origins();
  std::vector<uint64_t> ofAll;                  // what was read before any element
  std::vector<std::vector<uint64_t>> ofElement; // and for each
  if (origins != nullptr) {
    ofAll = origins->handOver();
    ofElement.resize(values.size());
  }
  for (int64_t i = 0; i < rows * cols; ++i) {
    if (std::string wrong = element(i / cols, i % cols, values[i]); !wrong.empty()) {
      return wrong;
    }
    if (origins != nullptr) {
      ofElement[i] = origins->handOver();
    }
  }
  for (int64_t i = 0; i < rows * cols; ++i) {
    if (origins != nullptr) {
      origins->derive(ofAll, ofElement[i]);
    }
    if (std::string wrong = core.write(dst, i / cols, i % cols, values[i]); !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

} // namespace placid::interp
