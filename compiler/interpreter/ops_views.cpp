// SPDX-License-Identifier: Apache-2.0
// Operations that show the bytes of a tile in another way: shape, element type, a window, what of it is valid. No
// element moves. Apart from ops_data.cpp, which moves them. One thread.
#include "compiler/interpreter/core.h"

#include <algorithm>

namespace placid::interp {

namespace {

std::string text(int64_t rows, int64_t cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

/// The same bytes as another tile.
std::string reshape(Core &core, const Statement &statement) {
  std::shared_ptr<TileValue> from;
  if (statement.operands.empty() || statement.resultTypes.empty() ||
      statement.resultTypes[0].kind != Type::Kind::Tile) {
    return "needs a tile and a type of tile";
  }
  if (std::string wrong = core.tile(statement.operands[0], from); !wrong.empty()) {
    return wrong;
  }
  auto to = std::make_shared<TileValue>();
  to->type = statement.resultTypes[0].tile;
  to->address = from->address;
  to->rows = to->type.rows;
  to->cols = to->type.cols;
  to->validRows = to->type.validRows == kDynamic ? from->validRows : to->type.validRows;
  to->validCols = to->type.validCols == kDynamic ? from->validCols : to->type.validCols;
  if (to->bytes() != from->bytes() || to->type.space != from->type.space) {
    return "makes " + std::to_string(to->bytes()) + " bytes of " + std::to_string(from->bytes());
  }
  core.set(statement, Value::ofTile(std::move(to)));
  return {};
}

std::string subview(Core &core, const Statement &statement) {
  std::shared_ptr<TileValue> from;
  std::vector<int64_t> offsets;
  if (statement.operands.empty()) {
    return "needs a tile";
  }
  std::string wrong = core.tile(statement.operands[0], from);
  if (auto listed = statement.lists.find("offsets"); listed != statement.lists.end()) {
    for (int slot : listed->second) {
      offsets.emplace_back();
      wrong = wrong.empty() ? core.scalar(slot, offsets.back()) : wrong;
    }
  }
  for (size_t i = 1; wrong.empty() && offsets.size() < 2 && i < statement.operands.size(); ++i) {
    offsets.emplace_back();
    wrong = core.scalar(statement.operands[i], offsets.back());
  }
  if (!wrong.empty()) {
    return wrong;
  }
  if (offsets.size() != 2 || statement.resultTypes.empty() || statement.resultTypes[0].kind != Type::Kind::Tile) {
    return "needs two offsets and a type of tile";
  }
  const TileType &stated = statement.resultTypes[0].tile;
  auto to = std::make_shared<TileValue>(*from);
  to->firstRow += offsets[0];
  to->firstCol += offsets[1];
  to->rows = stated.validRows == kDynamic ? stated.rows : std::min(stated.rows, from->rows);
  to->cols = stated.validCols == kDynamic ? stated.cols : std::min(stated.cols, from->cols);
  to->validRows = stated.validRows == kDynamic ? from->validRows : stated.validRows;
  to->validCols = stated.validCols == kDynamic ? from->validCols : stated.validCols;
  // Behind source and offsets: how much of the window is valid, which the type may say as well.
  for (auto [at, given, type] : {std::tuple(size_t{3}, &to->validRows, stated.validRows),
                                 std::tuple(size_t{4}, &to->validCols, stated.validCols)}) {
    if (statement.operands.size() == 5 && statement.lists.empty()) {
      wrong = wrong.empty() ? core.scalar(statement.operands[at], *given) : wrong;
      if (wrong.empty() && type != kDynamic && *given != type) {
        wrong = "says that " + std::to_string(*given) + " are valid, and its type " + std::to_string(type);
      }
    }
  }
  if (!wrong.empty()) {
    return wrong;
  }
  if (offsets[0] < 0 || offsets[1] < 0 || to->firstRow + to->validRows > to->type.rows ||
      to->firstCol + to->validCols > to->type.cols) {
    return "takes " + text(to->validRows, to->validCols) + " from " + std::to_string(offsets[0]) + ", " +
           std::to_string(offsets[1]) + " of a tile of " + text(from->rows, from->cols);
  }
  core.set(statement, Value::ofTile(std::move(to)));
  return {};
}

std::string setValidShape(Core &core, const Statement &statement) {
  std::shared_ptr<TileValue> tile;
  int64_t rows = 0;
  int64_t cols = 0;
  if (statement.operands.size() != 3) {
    return "needs a tile and two extents";
  }
  std::string wrong = core.tile(statement.operands[0], tile);
  wrong = wrong.empty() ? core.scalar(statement.operands[1], rows) : wrong;
  wrong = wrong.empty() ? core.scalar(statement.operands[2], cols) : wrong;
  if (wrong.empty() && (rows < 0 || cols < 0 || rows > tile->rows || cols > tile->cols)) {
    wrong = "makes " + text(rows, cols) + " of a tile of " + text(tile->rows, tile->cols) + " valid";
  }
  if (wrong.empty()) {
    tile->validRows = rows;
    tile->validCols = cols;
  }
  return wrong;
}

} // namespace

void addViewOperations(OperationTable &table) {
  table["pto.treshape"] = reshape;
  table["pto.bitcast"] = reshape; // the same, and what else it asks for is the assembler's to say
  table["pto.subview"] = subview;
  table["pto.set_validshape"] = setValidShape;
}

} // namespace placid::interp
