// SPDX-License-Identifier: Apache-2.0
// PTO IR text as data: functions, statements with their operands resolved to slots, and types. What the parser makes
// and the machine runs. Knows nothing of the compiler's dialects: it describes text, whoever printed it. Values.
#pragma once

#include "compiler/interpreter/dtype.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace placid::interp {

inline constexpr int64_t kDynamic = -1;

/// PTO IR spells the last three alike: fractals of 32 bytes are the scales of an operand, by their order of Left or
/// Right.
enum class Space : uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling, LeftScale, RightScale };
enum class Layout : uint8_t { ND, DN, NZ };

/// Extents are elements, `fractal` bytes.
struct TileType {
  Space space = Space::Vec;
  DType dtype = DType::F32;
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t validRows = 0; ///< kDynamic: an operand of alloc_tile.
  int64_t validCols = 0;
  bool blockColMajor = false; ///< Order of the boxes; of the elements where there are no boxes.
  bool boxed = false;
  bool boxColMajor = false; ///< Order inside a box.
  int64_t fractal = 512;
  int64_t pad = 0; ///< 0 none, 1 zero, 2 max, 3 min.
};

struct Type {
  enum class Kind : uint8_t { None, Scalar, Ptr, View, Partition, Tile, Other } kind = Kind::None;
  DType dtype = DType::I64;
  std::vector<int64_t> shape; ///< Of views; kDynamic for `?`.
  TileType tile;
  std::string text;
};

struct Statement;
struct Block {
  std::vector<int> arguments; ///< Slots that whoever enters the block fills.
  std::vector<Statement> body;
};

/// `attributes` holds raw text: `#pto.layout<nz>` under `layout`.
struct Statement {
  std::string op;
  int line = 0;         ///< In the PTO IR text, from 1.
  std::string location; ///< "file:line:column" of a trailing loc(), or empty.
  std::vector<int> results;
  std::vector<int> operands; ///< Those outside ins(), outs() and lists, in order.
  std::vector<int> ins, outs;
  std::vector<Type> insTypes, outsTypes;
  std::vector<Type> types;       ///< After `:`.
  std::vector<Type> resultTypes; ///< After `->`.
  std::map<std::string, std::vector<int>> lists;
  std::map<std::string, std::string> attributes;
  std::vector<std::string> words; ///< Literals and bare words: the value of a constant, a predicate, a callee.
  std::vector<Block> regions;
};

struct Function {
  std::string name;
  int line = 0;
  std::string kind; ///< "cube", "vector" or empty.
  std::vector<Type> arguments;
  std::vector<std::string> argumentNames; ///< Without `%`.
  std::string argumentLabel(size_t index) const;
  int slots = 0;
  Block body;
  std::vector<std::string> slotNames; ///< For messages.
};

struct Program {
  std::string arch; ///< Of the first module that says one.
  std::vector<Function> functions;
  const Function *find(const std::string &name) const;
};

struct Fault {
  int line = 0; ///< 0: of no line.
  std::string location;
  std::string message;
};

} // namespace placid::interp
