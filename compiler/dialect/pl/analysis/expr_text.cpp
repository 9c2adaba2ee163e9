// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/expr_text.h"

#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

constexpr unsigned kMaxDepth = 4;

std::string render(Value value, unsigned depth, bool openName);

/// When an operand stands in parentheses.
enum class Parens { Never, Sums, Compounds };

/// True when `text` is a sum or difference at its top level.
bool isSum(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    if (depth == 0 && (text.substr(i).starts_with(" + ") || text.substr(i).starts_with(" - "))) {
      return true;
    }
  }
  return false;
}

std::string operandText(Value value, unsigned depth, Parens parens) {
  std::string text = render(value, depth + 1, false);
  bool wrap = parens == Parens::Compounds ? isCompound(text) : parens == Parens::Sums && isSum(text);
  return wrap ? "(" + text + ")" : text;
}

std::string binary(Operation *op, StringRef symbol, unsigned depth, Parens lhs, Parens rhs) {
  return operandText(op->getOperand(0), depth, lhs) + " " + symbol.str() + " " +
         operandText(op->getOperand(1), depth, rhs);
}

std::string call(StringRef name, Operation *op, unsigned depth) {
  std::string out = name.str() + "(";
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    out += (i == 0 ? "" : ", ") + operandText(op->getOperand(i), depth, Parens::Never);
  }
  return out + ")";
}

std::string render(Value value, unsigned depth, bool openName) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return std::to_string(*constant);
  }
  StringRef name = valueName(value);
  if (!name.empty() && !openName) {
    return name.str();
  }
  Operation *op = value.getDefiningOp();
  if (!op || depth >= kMaxDepth) {
    return name.empty() ? "…" : name.str();
  }
  return TypeSwitch<Operation *, std::string>(op)
      .Case([&](arith::AddIOp) { return binary(op, "+", depth, Parens::Never, Parens::Never); })
      .Case([&](arith::SubIOp) { return binary(op, "-", depth, Parens::Never, Parens::Sums); })
      .Case([&](arith::MulIOp) { return binary(op, "*", depth, Parens::Sums, Parens::Compounds); })
      .Case<arith::FloorDivSIOp, arith::DivUIOp>(
          [&](Operation *) { return binary(op, "//", depth, Parens::Sums, Parens::Compounds); })
      .Case<FloorModOp, arith::RemUIOp>(
          [&](Operation *) { return binary(op, "%", depth, Parens::Sums, Parens::Compounds); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](Operation *) { return call("min", op, depth); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](Operation *) { return call("max", op, depth); })
      .Case([&](CastOp) { return call("cast", op, depth); })
      .Case([&](BlockIdxOp) { return std::string("get_block_idx()"); })
      .Case([&](BlockNumOp) { return std::string("get_block_num()"); })
      .Case([&](SubblockIdxOp) { return std::string("get_subblock_idx()"); })
      .Case([&](ReadOp) { return std::string("read(…)"); })
      .Default([&](Operation *) { return name.empty() ? std::string("…") : name.str(); });
}

} // namespace

std::string exprText(Value value) { return render(value, 0, false); }
std::string definitionText(Value value) { return render(value, 0, true); }

bool isCompound(StringRef text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && c == ' ') {
      return true;
    }
  }
  return false;
}

std::string argText(Operation *op, StringRef list, unsigned index, OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return std::to_string(*constant);
  }
  ArgLoc at = argLoc(op, list, index);
  return at.spelling.empty() ? exprText(cast<Value>(value)) : at.spelling;
}

} // namespace placid::pl
