// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/offset_proof.h"

#include "compiler/dialect/pl/analysis/expr_text.h"
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/dialect/pl/ir/window_attrs.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace placid::pl {

namespace {

/// The forms of the table. Opaque is "everything else".
enum class Form {
  Constant,
  LoopVariable,
  Add,
  Sub,
  Mul,
  FloorDiv,
  FloorMod,
  Min,
  Max,
  BlockId,
  BlockIdCast,
  Outside,
  Opaque
};

/// One node of the table: its form and the operands that a proof may look at.
struct Node {
  Form form = Form::Opaque;
  int64_t constant = 0;
  Value a;
  Value b;
};

bool isBlockId(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<BlockIdxOp, BlockNumOp>(op);
}

Node classify(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument == loop.getInductionVar()) {
      return {Form::LoopVariable, 0, loop.getLowerBound(), loop.getStep()};
    }
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    bool marked = function && function.getArgAttr(argument.getArgNumber(), kNonNegativeAttr);
    return {marked ? Form::Outside : Form::Opaque, 0, {}, {}};
  }
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return {Form::Constant, *constant, {}, {}};
  }
  Operation *op = value.getDefiningOp();
  auto binary = [&](Form form) { return Node{form, 0, op->getOperand(0), op->getOperand(1)}; };
  auto byConstant = [&](Form form) {
    std::optional<int64_t> divisor = getConstantIntValue(op->getOperand(1));
    return divisor && *divisor > 0 ? Node{form, *divisor, op->getOperand(0), {}} : Node{};
  };
  if (isa<arith::AddIOp>(op)) {
    return binary(Form::Add);
  }
  if (isa<arith::SubIOp>(op)) {
    return binary(Form::Sub);
  }
  if (isa<arith::MulIOp>(op)) {
    return binary(Form::Mul);
  }
  if (isa<arith::FloorDivSIOp, arith::DivUIOp>(op)) {
    return byConstant(Form::FloorDiv);
  }
  if (isa<FloorModOp, arith::RemUIOp>(op)) {
    return byConstant(Form::FloorMod);
  }
  if (isa<arith::MinSIOp, arith::MinUIOp>(op)) {
    return binary(Form::Min);
  }
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(op)) {
    return binary(Form::Max);
  }
  if (isBlockId(value)) {
    return {Form::BlockId, 0, {}, {}};
  }
  if (auto cast = dyn_cast<CastOp>(op)) {
    if (cast->hasAttr(kImpliedCastAttr)) {
      return classify(cast.getInput()); // the same number, which the language made an index
    }
    Type to = cast.getType();
    bool wide = to.isIndex() || (isa<IntegerType>(to) && to.getIntOrFloatBitWidth() >= 16);
    if (wide && isBlockId(cast.getInput())) {
      return {Form::BlockIdCast, 0, {}, {}};
    }
  }
  return {};
}

/// What casts between integers were made of: the lowest bits are the same on both sides.
Value withoutCasts(Value value) {
  auto isWide = [](Type type) {
    return type.isIndex() || (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() >= 8);
  };
  for (Operation *op = value.getDefiningOp(); isa_and_nonnull<CastOp, arith::IndexCastOp>(op);
       op = value.getDefiningOp()) {
    if (!isWide(op->getOperand(0).getType()) || !isWide(value.getType())) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

/// Post-order evaluation with a memo. `operands` gives what `combine` will ask the memo for; `casts` are seen through.
template <class Operands, class Combine>
bool solve(Value root, DenseMap<Value, bool> &memo, bool casts, Operands operands, Combine combine) {
  SmallVector<Value> stack{root};
  while (!stack.empty()) {
    Value value = stack.back();
    if (memo.contains(value)) {
      stack.pop_back();
      continue;
    }
    Node node = classify(casts ? withoutCasts(value) : value);
    size_t before = stack.size();
    for (Value operand : operands(node)) {
      if (operand && !memo.contains(operand)) {
        stack.push_back(operand);
      }
    }
    if (stack.size() == before) {
      stack.pop_back();
      memo[value] = combine(node, memo);
    }
  }
  return memo.lookup(root);
}

std::string quoted(Value value) { return "`" + exprText(value) + "`"; }

std::string opaqueReason(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp())) {
      if (isBoundOutside(value)) {
        return quoted(value) + " is bound outside this core scope, which takes nothing for granted of it";
      }
      return "nothing is known of the parameter " + quoted(value);
    }
    return quoted(value) + " is carried by a loop: its value changes every iteration";
  }
  Operation *op = value.getDefiningOp();
  if (isa<scf::IfOp>(op)) {
    return quoted(value) + " is assigned in the branches of an `if`: it has no single definition";
  }
  if (isa<scf::ForOp, scf::WhileOp>(op)) {
    return quoted(value) + " is what a loop leaves behind: it has no single definition";
  }
  if (isa<ReadOp>(op)) {
    return quoted(value) + " is read from memory";
  }
  if (isa<DimOp>(op)) {
    return quoted(value) + " is an extent that is known at run time only";
  }
  if (isa<CastOp>(op)) {
    return quoted(value) + " is a cast";
  }
  if (isa<SubblockIdxOp>(op)) {
    return quoted(value) + " is a sub-block index";
  }
  if (isa<arith::FloorDivSIOp, arith::DivUIOp, FloorModOp, arith::RemUIOp>(op)) {
    return quoted(value) + " divides by something other than a positive constant";
  }
  return quoted(value) + " is none of the provable forms";
}

} // namespace

bool isBoundOutside(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  return function && function->hasAttr(kOutlinedAttr) &&
         (function.getArgAttr(argument.getArgNumber(), kNonNegativeAttr) ||
          function.getArgAttr(argument.getArgNumber(), kComputedOutsideAttr));
}

//===-- Multiple of a divisor -------------------------------------------------------------------------------------===//

bool OffsetProver::isMultiple(Value value, int64_t divisor) {
  const bool casts = casts_ == Casts::Transparent;
  if (divisor <= 0 || !llvm::isPowerOf2_64(static_cast<uint64_t>(divisor)) || (casts && divisor > 256)) {
    return false;
  }
  auto operands = [](const Node &node) -> std::array<Value, 2> {
    switch (node.form) {
    case Form::LoopVariable:
    case Form::Add:
    case Form::Sub:
    case Form::Mul:
    case Form::Min:
    case Form::Max:
      return {node.a, node.b};
    default:
      return {};
    }
  };
  auto combine = [&](const Node &node, const Memo &memo) {
    switch (node.form) {
    case Form::Constant:
      return node.constant % divisor == 0;
    case Form::Mul:
      return memo.lookup(node.a) || memo.lookup(node.b);
    case Form::LoopVariable:
    case Form::Add:
    case Form::Sub:
    case Form::Min:
    case Form::Max:
      return memo.lookup(node.a) && memo.lookup(node.b);
    default:
      return false;
    }
  };
  return solve(value, multiples_[divisor], casts, operands, combine);
}

ProofFailure OffsetProver::blameMultiple(Value value, int64_t divisor) {
  std::string multiple = " a multiple of " + std::to_string(divisor);
  while (true) {
    Node node = classify(value);
    switch (node.form) {
    case Form::Constant:
      return {value, std::to_string(node.constant) + " is not" + multiple};
    case Form::LoopVariable:
      if (!isMultiple(node.a, divisor)) {
        return {value,
                "the loop of " + quoted(value) + " starts at " + quoted(node.a) + ", which is not provably" + multiple};
      }
      return {value,
              "the loop of " + quoted(value) + " steps by " + quoted(node.b) + ", which is not provably" + multiple};
    case Form::Add:
    case Form::Sub:
    case Form::Min:
    case Form::Max:
      value = isMultiple(node.a, divisor) ? node.b : node.a;
      continue;
    case Form::Mul:
      return {value, "neither factor of `" + definitionText(value) + "` is provably" + multiple};
    case Form::FloorDiv:
      return {value, "the quotient `" + definitionText(value) + "` carries no factor"};
    case Form::FloorMod:
      return {value, "the remainder `" + definitionText(value) + "` carries no factor"};
    case Form::BlockId:
    case Form::BlockIdCast:
      return {value, quoted(value) + " is a block number, which can be any"};
    case Form::Outside:
    case Form::Opaque:
      return {value, opaqueReason(value)};
    }
  }
}

std::string OffsetProver::explainMultiple(Value value, int64_t divisor) {
  llvm::SmallSetVector<Value, 8> open;
  open.insert(value);
  std::string out;
  // Breadth first over the parts the proof rests on; a handful says it all.
  for (unsigned i = 0; i < open.size() && i < 8; ++i) {
    Node node = classify(open[i]);
    std::string part;
    switch (node.form) {
    case Form::Constant:
      part = "constant " + std::to_string(node.constant);
      break;
    case Form::LoopVariable:
      part = exprText(open[i]) + ": loop from " + exprText(node.a) + " step " + exprText(node.b);
      break;
    case Form::Mul: {
      Value factor = isMultiple(node.b, divisor) ? node.b : node.a;
      Value other = factor == node.b ? node.a : node.b;
      if (std::optional<int64_t> constant = getConstantIntValue(factor)) {
        std::string text = exprText(other);
        part = std::to_string(*constant) + " * " + (isCompound(text) ? "(" + text + ")" : text) + ": factor " +
               std::to_string(*constant);
      } else {
        open.insert(factor);
      }
      break;
    }
    default:
      open.insert(node.a);
      open.insert(node.b);
      break;
    }
    if (!part.empty()) {
      out += (out.empty() ? "" : "; ") + part;
    }
  }
  return out;
}

//===-- Not negative ----------------------------------------------------------------------------------------------===//

bool OffsetProver::isNonNegative(Value value) {
  auto operands = [](const Node &node) -> std::array<Value, 2> {
    switch (node.form) {
    case Form::LoopVariable:
    case Form::Add:
    case Form::Mul:
    case Form::Min:
    case Form::Max:
    case Form::FloorDiv:
    case Form::FloorMod:
      return {node.a, node.b};
    default:
      return {};
    }
  };
  auto combine = [this](const Node &node, const Memo &memo) {
    switch (node.form) {
    case Form::Constant:
      return node.constant >= 0;
    case Form::Outside:
      return outside_ == Outside::Marked;
    case Form::LoopVariable:
    case Form::Add:
    case Form::Mul:
    case Form::Min:
      return memo.lookup(node.a) && memo.lookup(node.b);
    case Form::Max:
      return memo.lookup(node.a) || memo.lookup(node.b);
    case Form::FloorDiv:
    case Form::FloorMod:
      return memo.lookup(node.a);
    case Form::BlockId:
    case Form::BlockIdCast:
      return true;
    case Form::Sub:
    case Form::Opaque:
      return false;
    }
    return false;
  };
  return solve(value, nonNegative_, false, operands, combine);
}

ProofFailure OffsetProver::blameNonNegative(Value value) {
  while (true) {
    Node node = classify(value);
    switch (node.form) {
    case Form::Constant:
      return {value, std::to_string(node.constant) + " is negative"};
    case Form::LoopVariable:
      if (!isNonNegative(node.a)) {
        return {value, "the loop of " + quoted(value) + " starts at " + quoted(node.a) + ", which may be negative"};
      }
      return {value, "the loop of " + quoted(value) + " steps by " + quoted(node.b) + ", which may be negative"};
    case Form::Sub:
      return {value, "the difference `" + definitionText(value) + "` has no proven sign"};
    case Form::Add:
    case Form::Mul:
    case Form::Min:
    case Form::Max: // neither operand of a max was proven: the first says it
      value = isNonNegative(node.a) ? node.b : node.a;
      continue;
    case Form::FloorDiv:
    case Form::FloorMod:
      value = node.a;
      continue;
    case Form::BlockId:
    case Form::BlockIdCast:
    case Form::Outside:
    case Form::Opaque:
      return {value, opaqueReason(value)};
    }
  }
}

std::string OffsetProver::explainNonNegative(Value value) {
  llvm::SmallSetVector<Value, 8> open;
  open.insert(value);
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < open.size() && i < 8; ++i) {
    Node node = classify(open[i]);
    std::string part;
    switch (node.form) {
    case Form::Constant:
      break; // a positive constant needs no words
    case Form::LoopVariable:
      part = exprText(open[i]) + ": loop from " + exprText(node.a) + " step " + exprText(node.b);
      break;
    case Form::Max: {
      Value proven = isNonNegative(node.b) ? node.b : node.a;
      part = "max with " + exprText(proven);
      break;
    }
    case Form::FloorDiv:
    case Form::FloorMod:
      open.insert(node.a);
      break;
    case Form::BlockId:
    case Form::BlockIdCast: {
      Operation *op = open[i].getDefiningOp();
      Value id = node.form == Form::BlockId ? open[i] : op->getOperand(0);
      part = isa<BlockIdxOp>(id.getDefiningOp()) ? "block index" : "block count";
      break;
    }
    default:
      open.insert(node.a);
      open.insert(node.b);
      break;
    }
    if (!part.empty() && !llvm::is_contained(parts, part)) {
      parts.push_back(part);
    }
  }
  return parts.empty() ? "constants" : llvm::join(parts, "; ");
}

} // namespace placid::pl
