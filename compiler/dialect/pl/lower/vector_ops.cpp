// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/vector_ops.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace placid::pl {

namespace {

constexpr VectorOp kVectorOps[] = {
#define VECTOR_OP(NAME, INSTRUCTION, OPERANDS, FORM, SCRATCH)                                                          \
  {NAME, INSTRUCTION, OPERANDS, VectorForm::FORM, Scratch::SCRATCH},
#include "compiler/dialect/pl/lower/vector_ops.def"
#undef VECTOR_OP
};

} // namespace

const VectorOp *findVectorOp(llvm::StringRef irName) {
  static const llvm::StringMap<const VectorOp *> kByName = [] {
    llvm::StringMap<const VectorOp *> out;
    for (const VectorOp &row : kVectorOps) {
      out[row.name] = &row;
    }
    return out;
  }();
  return kByName.lookup(irName);
}

llvm::StringRef scratchParameter(const VectorOp &op) {
  llvm::SmallVector<llvm::StringRef> words;
  op.operands.split(words, ' ');
  for (llvm::StringRef word : words) {
    if (word.consume_front("*")) {
      return word.empty() ? llvm::StringRef(kScratchOperand) : word;
    }
  }
  return {};
}

} // namespace placid::pl
