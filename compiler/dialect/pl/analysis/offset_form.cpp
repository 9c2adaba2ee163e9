// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/analysis/offset_form.h"

#include "compiler/dialect/pl/ir/pl.h"

#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cstdlib>
#include <numeric>

using namespace mlir;

namespace placid::pl {

namespace {

/// Longer sums, and operations nested deeper, are not taken apart.
constexpr size_t kMostTerms = 32;
constexpr unsigned kMostDepth = 256;
/// No factor or constant of an offset into a tensor is larger.
constexpr int64_t kLargest = int64_t{1} << 40;

bool isLarge(int64_t number) { return number > kLargest || number < -kLargest; }

/// Numbers wide enough that one that wraps is outside of every tensor.
bool isWide(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return isa<IndexType>(type) || (integer && integer.getWidth() >= 32);
}

/// `to` + factor · `from`; false when that has no form.
bool add(OffsetForm &to, const OffsetForm &from, int64_t factor) {
  auto addNumber = [factor](int64_t &sum, int64_t part) {
    int64_t product = 0;
    return !llvm::MulOverflow(part, factor, product) && !llvm::AddOverflow(sum, product, sum) && !isLarge(sum);
  };
  if (!addNumber(to.constant, from.constant) || !addNumber(to.lane, from.lane)) {
    return false;
  }
  for (const auto &[value, part] : from.terms) {
    auto *found = llvm::find_if(to.terms, [&, value = value](const auto &term) { return term.first == value; });
    if (found == to.terms.end()) {
      to.terms.push_back({value, 0});
      found = std::prev(to.terms.end());
    }
    if (!addNumber(found->second, part)) {
      return false;
    }
  }
  llvm::erase_if(to.terms, [](const auto &term) { return term.second == 0; });
  return to.terms.size() <= kMostTerms;
}

OffsetForm leaf(Value value) {
  OffsetForm out;
  out.terms.push_back({value, 1});
  return out;
}

} // namespace

int64_t OffsetForm::factorOf(Value value) const {
  for (const auto &[term, factor] : terms) {
    if (term == value) {
      return factor;
    }
  }
  return 0;
}

bool OffsetForm::beginsWith(const OffsetForm &other) const {
  return constant == other.constant && terms.size() == other.terms.size() &&
         llvm::all_of(terms, [&](const auto &term) { return other.factorOf(term.first) == term.second; });
}

std::optional<OffsetForm> OffsetForms::formOf(OpFoldResult offset) {
  if (auto value = dyn_cast<Value>(offset)) {
    return formOf(value, 0);
  }
  OffsetForm out;
  out.constant = getConstantIntValue(offset).value_or(0);
  return isLarge(out.constant) ? std::nullopt : std::optional(out);
}

std::optional<OffsetForm> OffsetForms::formOf(Value value, unsigned depth) {
  auto found = forms_.find(value);
  if (found != forms_.end()) {
    return found->second;
  }
  std::optional<OffsetForm> made = depth > kMostDepth ? std::nullopt : compute(value, depth);
  forms_[value] = made;
  return made;
}

std::optional<OffsetForm> OffsetForms::compute(Value value, unsigned depth) {
  OffsetForm out;
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    out.constant = *constant;
    return isLarge(*constant) ? std::nullopt : std::optional(out);
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<SubblockIdxOp>(op)) {
    out.lane = 1;
    return out;
  }
  if (auto cast = dyn_cast_or_null<CastOp>(op)) {
    const bool same = isWide(cast.getInput().getType()) && isWide(value.getType());
    return same ? formOf(cast.getInput(), depth + 1) : leaf(value);
  }
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) || !isWide(value.getType())) {
    return leaf(value);
  }
  const std::optional<OffsetForm> lhs = formOf(op->getOperand(0), depth + 1);
  const std::optional<OffsetForm> rhs = formOf(op->getOperand(1), depth + 1);
  if (!lhs || !rhs) {
    return std::nullopt;
  }
  if (!isa<arith::MulIOp>(op)) {
    const bool good = add(out, *lhs, 1) && add(out, *rhs, isa<arith::AddIOp>(op) ? 1 : -1);
    return good ? std::optional(out) : std::nullopt;
  }
  for (const auto &[sum, factor] : {std::pair(&*lhs, &*rhs), std::pair(&*rhs, &*lhs)}) {
    if (factor->terms.empty() && factor->lane == 0) {
      return add(out, *sum, factor->constant) ? std::optional(out) : std::nullopt;
    }
  }
  return leaf(value);
}

bool OffsetForms::isMultiple(OpFoldResult offset, int64_t divisor) {
  if (auto value = dyn_cast<Value>(offset)) {
    return divisorOf(value, 0) % divisor == 0;
  }
  return getConstantIntValue(offset).value_or(1) % divisor == 0;
}

int64_t OffsetForms::divisorOf(Value value, unsigned depth) {
  auto found = divisors_.find(value);
  if (found != divisors_.end()) {
    return found->second;
  }
  const int64_t made = depth > kMostDepth ? 1 : computeDivisor(value, depth);
  divisors_[value] = made;
  return made;
}

int64_t OffsetForms::computeDivisor(Value value, unsigned depth) {
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    return isLarge(*constant) ? 1 : std::abs(*constant);
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || value != loop.getInductionVar()) {
      return 1;
    }
    return std::gcd(divisorOf(loop.getLowerBound(), depth + 1), divisorOf(loop.getStep(), depth + 1));
  }
  Operation *op = value.getDefiningOp();
  if (auto cast = dyn_cast<CastOp>(op)) {
    const bool same = isWide(cast.getInput().getType()) && isWide(value.getType());
    return same ? divisorOf(cast.getInput(), depth + 1) : 1;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) || !isWide(value.getType())) {
    return 1;
  }
  const int64_t lhs = divisorOf(op->getOperand(0), depth + 1);
  const int64_t rhs = divisorOf(op->getOperand(1), depth + 1);
  if (!isa<arith::MulIOp>(op)) {
    return std::gcd(lhs, rhs);
  }
  int64_t product = 0;
  return llvm::MulOverflow(lhs, rhs, product) || isLarge(product) ? std::max(lhs, rhs) : product;
}

std::optional<int64_t> moveOf(const OffsetForm &form, scf::ForOp loop) {
  const std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || isLarge(*step)) {
    return std::nullopt;
  }
  for (auto [value, factor] : form.terms) {
    if (value != loop.getInductionVar() && loop->isAncestor(value.getParentRegion()->getParentOp())) {
      return std::nullopt; // another number in each round
    }
  }
  int64_t move = 0;
  // Round after round it has to come by the end of the tensor before it could wrap.
  constexpr int64_t kFar = int64_t{1} << 30;
  return llvm::MulOverflow(form.factorOf(loop.getInductionVar()), *step, move) || move >= kFar || move <= -kFar
             ? std::nullopt
             : std::optional(move);
}

} // namespace placid::pl
