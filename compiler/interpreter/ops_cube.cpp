// SPDX-License-Identifier: Apache-2.0
// The matrix unit: Left times Right into an accumulator, fresh, added to what is there, or on top of a bias row. Floats
// are added up in single precision in the order of the inner axis; hardware may add in another order. MX products,
// whose operands have a power of two for each 32 elements of the inner axis, are added up in double precision and
// rounded.
#include "compiler/interpreter/core.h"

namespace placid::interp {

namespace {

std::string text(int64_t rows, int64_t cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

bool typesExist(DType lhs, DType rhs, DType acc) {
  if (lhs == DType::I8 && rhs == DType::I8) {
    return acc == DType::I32;
  }
  auto byte = [](DType type) { return type == DType::F8E4M3 || type == DType::F8E5M2; };
  bool known = lhs == DType::F16 || lhs == DType::BF16 || lhs == DType::F32 || lhs == DType::HiF8;
  return acc == DType::F32 && ((lhs == rhs && known) || (byte(lhs) && byte(rhs)));
}

enum class Start : uint8_t { Zero, Accumulator, Bias };

struct Operands {
  std::shared_ptr<TileValue> lhs, rhs, dst, start;
  std::shared_ptr<TileValue> lhsScale, rhsScale; ///< Of an MX product.
};

constexpr int64_t kScaled = 32; ///< Elements that share a scale.

/// The hardware looks for scales at a sixteenth of their operand's address, whatever tile is named.
std::string checkScales(const Operands &t) {
  const TileValue &left = *t.lhsScale;
  const TileValue &right = *t.rhsScale;
  if (left.type.space != Space::LeftScale || right.type.space != Space::RightScale ||
      left.type.dtype != DType::F8E8M0 || right.type.dtype != DType::F8E8M0) {
    return "needs scales of FP8E8M0 in the memories beside Left and Right";
  }
  bool bytes = info(t.lhs->type.dtype).bytes == 1 && info(t.rhs->type.dtype).bytes == 1 &&
               t.lhs->type.dtype != DType::HiF8 && t.lhs->type.dtype != DType::I8;
  if (!bytes || t.lhs->cols % (2 * kScaled) != 0) {
    return "scales FP8 over whole pairs of 32 elements";
  }
  if (left.address != t.lhs->address / 16 || right.address != t.rhs->address / 16) {
    return "has its scales at " + std::to_string(left.address) + " and " + std::to_string(right.address) +
           ", they are read at " + std::to_string(t.lhs->address / 16) + " and " + std::to_string(t.rhs->address / 16);
  }
  int64_t groups = (t.lhs->validCols + kScaled - 1) / kScaled;
  if (left.validRows < t.lhs->validRows || left.validCols < groups || right.validRows < groups ||
      right.validCols < t.rhs->validCols || left.cols * kScaled != t.lhs->cols || right.rows * kScaled != t.rhs->rows) {
    return "scales " + text(t.lhs->validRows, t.lhs->validCols) + " by " + text(left.validRows, left.validCols) +
           " and " + text(t.rhs->validRows, t.rhs->validCols) + " by " + text(right.validRows, right.validCols);
  }
  return {};
}

std::string check(Core &core, const Statement &statement, Start start, bool scaled, Operands &t) {
  size_t first = start == Start::Accumulator ? 1 : 0;
  size_t each = scaled ? 2 : 1;
  size_t count = 2 * each + (start == Start::Zero ? 0 : 1);
  if (statement.ins.size() != count || statement.outs.size() != 1) {
    return "needs " + std::to_string(count) + " operands and one result";
  }
  std::string wrong = core.tile(statement.ins[first], t.lhs);
  wrong = wrong.empty() ? core.tile(statement.ins[first + each], t.rhs) : wrong;
  if (scaled) {
    wrong = wrong.empty() ? core.tile(statement.ins[first + 1], t.lhsScale) : wrong;
    wrong = wrong.empty() ? core.tile(statement.ins[first + 3], t.rhsScale) : wrong;
  }
  wrong = wrong.empty() ? core.tile(statement.outs[0], t.dst) : wrong;
  if (wrong.empty() && start != Start::Zero) {
    wrong = core.tile(statement.ins[start == Start::Accumulator ? 0 : 2], t.start);
  }
  if (!wrong.empty()) {
    return wrong;
  }
  if (t.lhs->type.space != Space::Left || t.rhs->type.space != Space::Right || t.dst->type.space != Space::Acc) {
    return "needs operands in Left and Right and a result in Acc";
  }
  if (!typesExist(t.lhs->type.dtype, t.rhs->type.dtype, t.dst->type.dtype)) {
    return "of these element types does not exist";
  }
  if (t.lhs->validCols != t.rhs->validRows) {
    return "multiplies " + text(t.lhs->validRows, t.lhs->validCols) + " by " + text(t.rhs->validRows, t.rhs->validCols);
  }
  if (t.lhs->validRows < 1 || t.lhs->validCols < 1 || t.rhs->validCols < 1) {
    return "multiplies " + text(t.lhs->validRows, t.lhs->validCols) + " by " +
           text(t.rhs->validRows, t.rhs->validCols) + ", and the chip multiplies one element at least";
  }
  if (t.dst->validRows != t.lhs->validRows || t.dst->validCols != t.rhs->validCols) {
    return "makes " + text(t.lhs->validRows, t.rhs->validCols) + " into a tile of " +
           text(t.dst->validRows, t.dst->validCols);
  }
  if (start == Start::Accumulator && (t.start->address != t.dst->address || t.start->type.space != Space::Acc ||
                                      t.start->type.rows != t.dst->type.rows)) {
    return "adds to one accumulator and writes another";
  }
  if (scaled) {
    if (std::string why = checkScales(t); !why.empty()) {
      return why;
    }
  }
  if (start == Start::Bias && (t.start->validCols != t.dst->validCols || t.start->validRows != 1)) {
    return "adds a bias of " + text(t.start->validRows, t.start->validCols) + " to " +
           std::to_string(t.dst->validCols) + " columns";
  }
  return {};
}

template <class T>
void multiply(const std::vector<double> &lhs, const std::vector<double> &rhs, std::vector<double> &acc, int64_t rows,
              int64_t inner, int64_t cols) {
  std::vector<T> row(cols);
  std::vector<T> right(rhs.begin(), rhs.end());
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < cols; ++c) {
      row[c] = static_cast<T>(acc[r * cols + c]);
    }
    for (int64_t k = 0; k < inner; ++k) {
      auto factor = static_cast<T>(lhs[r * inner + k]);
      const T *line = right.data() + k * cols;
      for (int64_t c = 0; c < cols; ++c) {
        row[c] += factor * line[c];
      }
    }
    for (int64_t c = 0; c < cols; ++c) {
      acc[r * cols + c] = static_cast<double>(row[c]);
    }
  }
}

/// Multiplies each element by its scale, which is exact.
std::string applyScales(Core &core, const Operands &t, std::vector<double> &lhs, std::vector<double> &rhs) {
  int64_t rows = t.dst->validRows;
  int64_t cols = t.dst->validCols;
  int64_t inner = t.lhs->validCols;
  int64_t groups = (inner + kScaled - 1) / kScaled;
  std::vector<double> left;
  std::vector<double> right;
  std::string wrong = core.readAll(*t.lhsScale, rows, groups, left);
  wrong = wrong.empty() ? core.readAll(*t.rhsScale, groups, cols, right) : wrong;
  for (int64_t i = 0; wrong.empty() && i < rows * inner; ++i) {
    lhs[i] *= left[i / inner * groups + i % inner / kScaled];
  }
  for (int64_t i = 0; wrong.empty() && i < inner * cols; ++i) {
    rhs[i] *= right[i / cols / kScaled * cols + i % cols];
  }
  return wrong;
}

template <Start S, bool Scaled = false> std::string matmul(Core &core, const Statement &statement) {
  Operands t;
  if (std::string wrong = check(core, statement, S, Scaled, t); !wrong.empty()) {
    return wrong;
  }
  int64_t rows = t.dst->validRows;
  int64_t cols = t.dst->validCols;
  int64_t inner = t.lhs->validCols;
  std::vector<double> lhs;
  std::vector<double> rhs;
  std::vector<double> acc(rows * cols, 0.0);
  std::string wrong = core.readAll(*t.lhs, rows, inner, lhs);
  wrong = wrong.empty() ? core.readAll(*t.rhs, inner, cols, rhs) : wrong;
  if (wrong.empty() && Scaled) {
    wrong = applyScales(core, t, lhs, rhs);
  }
  if (wrong.empty() && S == Start::Accumulator) {
    wrong = core.readAll(*t.start, rows, cols, acc);
  }
  if (wrong.empty() && S == Start::Bias) {
    std::vector<double> bias;
    wrong = core.readAll(*t.start, 1, cols, bias);
    for (int64_t i = 0; wrong.empty() && i < rows * cols; ++i) {
      acc[i] = bias[i % cols];
    }
  }
  if (!wrong.empty()) {
    return wrong;
  }
  bool isFloat = info(t.dst->type.dtype).isFloat;
  if (Scaled) {
    multiply<double>(lhs, rhs, acc, rows, inner, cols); // a scaled factor may lie outside of single precision
  } else if (isFloat) {
    multiply<float>(lhs, rhs, acc, rows, inner, cols);
  } else {
    multiply<int64_t>(lhs, rhs, acc, rows, inner, cols);
  }
  for (int64_t i = 0; wrong.empty() && i < rows * cols; ++i) {
    Number element = isFloat ? Number::ofFloat(acc[i]) : Number::ofInt(static_cast<int64_t>(acc[i]));
    wrong = core.write(*t.dst, i / cols, i % cols, element);
  }
  return wrong;
}

} // namespace

void addCubeOperations(OperationTable &table) {
  table["pto.tmatmul"] = matmul<Start::Zero>;
  table["pto.tmatmul.acc"] = matmul<Start::Accumulator>;
  table["pto.tmatmul.bias"] = matmul<Start::Bias>;
  table["pto.tmatmul.mx"] = matmul<Start::Zero, true>;
  table["pto.tmatmul.mx.acc"] = matmul<Start::Accumulator, true>;
  for (const char *name : {"pto.tgemv", "pto.tgemv.acc", "pto.tgemv.bias"}) {
    std::string full = name;
    table[full] = table["pto.tmatmul" + full.substr(9)];
  }
}

} // namespace placid::interp
