// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/fixpipe.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace placid::interp {

namespace {

constexpr uint32_t kKeptOfRow = 0xFFFFE000;
constexpr int kOffsetShift = 37;
constexpr int kSignedShift = 46;

bool isByte(DType type) { return type == DType::I8 || type == DType::U8; }

/// What a scale turns the elements of an accumulator into.
bool scalesTo(DType from, DType to) {
  return isByte(to) || to == DType::F16 || to == DType::BF16 || (from == DType::F32 && to == DType::F32);
}

double largest(DType type) {
  return type == DType::F16 ? 65504.0 : type == DType::BF16 ? std::ldexp(255.0, 120) : std::ldexp(16777215.0, 104);
}

} // namespace

std::string Fixpipe::read(Core &core, const Statement &statement, const TileValue &from, DType to) {
  to_ = to;
  auto relu = statement.attributes.find("reluPreMode");
  relu_ = relu != statement.attributes.end() && relu->second.find("normal_relu") != std::string::npos;
  for (size_t i = 1; i < statement.ins.size(); ++i) {
    const Value &given = core.value(statement.ins[i]);
    std::string wrong;
    if (given.kind == Value::Kind::Tile) {
      wrong = readScales(core, *given.tile, from.validCols);
    } else {
      int64_t word = 0;
      wrong = core.scalar(statement.ins[i], word);
      one_ = static_cast<uint64_t>(word);
    }
    if (!wrong.empty()) {
      return wrong;
    }
  }
  bool scales = one_ || !columns_.empty();
  if (from.type.space != Space::Acc) {
    return scales || relu_ ? "scales, or cuts at zero, what is not in Acc" : "";
  }
  DType type = from.type.dtype;
  bool plain = info(type).isFloat ? info(to).isFloat : !info(to).isFloat && info(to).bytes == info(type).bytes;
  if (scales ? !scalesTo(type, to) : !plain) {
    return "turns " + std::string(info(type).name) + " into " + std::string(info(to).name) +
           (scales ? " with a scale" : " without a scale");
  }
  return one_ && !columns_.empty() ? "has two scales" : "";
}

std::string Fixpipe::readScales(Core &core, const TileValue &row, int64_t columns) {
  if (row.type.space != Space::Scaling || info(row.type.dtype).bytes != 8 || row.validRows != 1) {
    return "needs its scales as one row of 64 bits each in Scaling";
  }
  if (row.validCols < columns) {
    return "has " + std::to_string(row.validCols) + " scales for " + std::to_string(columns) + " columns";
  }
  for (int64_t column = 0; column < columns; ++column) {
    Number word;
    if (std::string wrong = core.read(row, 0, column, word); !wrong.empty()) {
      return wrong;
    }
    columns_.push_back(static_cast<uint64_t>(word.i));
  }
  return {};
}

Number Fixpipe::scaled(Number element, int64_t column) const {
  uint64_t word = one_ ? *one_ : columns_[static_cast<size_t>(column)];
  auto bits = static_cast<uint32_t>(word) & (one_ ? ~uint32_t{0} : kKeptOfRow);
  float value = static_cast<float>(element.asDouble()) * std::bit_cast<float>(bits);
  if (!isByte(to_)) {
    bool finite = std::isfinite(value);
    double kept = finite ? std::clamp(static_cast<double>(value), -largest(to_), largest(to_)) : value;
    return convert(Number::ofFloat(kept), to_, Rounding::Rint);
  }
  auto offset = static_cast<int64_t>(word >> kOffsetShift & 511);
  offset -= offset >= 256 ? 512 : 0;
  bool isSigned = (word >> kSignedShift & 1) != 0;
  Number shifted = Number::ofFloat(value + static_cast<float>(offset));
  return convert(shifted, isSigned ? DType::I8 : DType::U8, Rounding::Rint);
}

Number Fixpipe::leave(Number element, int64_t column) const {
  bool scales = one_ || !columns_.empty();
  Number out = scales ? scaled(element, column) : convert(element, to_, Rounding::Rint);
  if (relu_ && !(out.isFloat ? out.f > 0 : out.i > 0)) {
    return out.isFloat ? Number::ofFloat(0) : Number::ofInt(0);
  }
  return out;
}

} // namespace placid::interp
