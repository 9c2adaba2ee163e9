// SPDX-License-Identifier: Apache-2.0
// Which vector instruction a tile operation of the op table becomes, in what order its operands stand, and what scratch
// tile it needs. One table, so that a new operation is one row; it knows names, not IR. Immutable: any thread.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace placid::pl {

/// How a tile of one column is shown to the instruction.
enum class VectorForm {
  Flat,  ///< As one row: the instruction goes through all elements in one order.
  Lines, ///< As it is: rows and columns mean something.
};

/// The scratch tile that the assembler asks for when it places no tiles itself.
enum class Scratch {
  None,
  Whole,      ///< Like the first operand.
  OneRow,     ///< One row of the result.
  TwoRows,    ///< Two rows of the result.
  Words,      ///< Sixteen 32-bit words.
  Predicates, ///< One bit an element, and a row more.
  Count,      ///< What counting up takes; on A2 and A3 only.
  Cast,       ///< What a narrowing conversion takes; on A2 and A3 only.
};

struct VectorOp {
  llvm::StringRef name;        ///< Of the IR: "tile.add".
  llvm::StringRef instruction; ///< Without the dialect: "tadd".
  /// Parameters in the order of the instruction, space-separated. `*` stands before the one that is scratch, and alone
  /// where the operation has no parameter for it; `?` behind one that may be left out.
  llvm::StringRef operands;
  VectorForm form;
  Scratch scratch;
};

/// Null for an operation without an instruction of its own.
const VectorOp *findVectorOp(llvm::StringRef irName);

/// The name of a scratch operand that the operation has no parameter for.
inline constexpr llvm::StringLiteral kScratchOperand = "pl.scratch";
/// The name of the scratch operand; empty when the operation takes none.
llvm::StringRef scratchParameter(const VectorOp &op);

} // namespace placid::pl
