// SPDX-License-Identifier: Apache-2.0
// What the verifier of `pto.instr` knows of each vector instruction: how the extents of its tiles relate, and which
// element types a chip has it for. Immutable: any thread.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace placid::pto {

/// How the operands' valid extents and types follow from the result's. In all but Free and Predicate the first tile has
/// the result's element type unless the name says otherwise.
enum class Relation {
  Same,        ///< Every tile has the result's extents and element type; scalars have the element type.
  Fill,        ///< A scalar in every element of the result.
  Cast,        ///< The same extents; another element type.
  RowReduce,   ///< One value a row: the result is one column.
  RowArgument, ///< As RowReduce; the result is an integer of 32 bits.
  ColReduce,   ///< One value a column: the result is one row.
  ColArgument, ///< As ColReduce; the result is an integer of 32 bits.
  RowSpread,   ///< A column, repeated along the rows of the result.
  RowExpand,   ///< A tile of the result's extents and a column.
  ColSpread,   ///< A row, repeated down the columns of the result.
  ColExpand,   ///< A tile of the result's extents and a row.
  Count,       ///< Consecutive integers from a scalar.
  Predicate,   ///< One bit an element.
  Select,      ///< A predicate, then operands as in Same.
  Transpose,   ///< Rows and columns exchanged.
  Concat,      ///< Two tiles side by side.
  Pad,         ///< The live part of the operand, the rest of the result padded.
  Part,        ///< Two tiles of which one has the result's extents and the other no more.
  Update,      ///< A tile of the result's extents and a scalar of its type, into what the result holds.
  Element,     ///< An index and a scalar: one element of the result.
  Free,        ///< Not related by extents.
};

struct Instruction {
  llvm::StringRef name; ///< As PTO IR writes it, without the dialect: "tadd".
  Relation relation;
  llvm::StringRef types;   ///< Element types of the first tile on A2 and A3, space-separated; empty: not checked here.
  llvm::StringRef typesA5; ///< On A5.
};

/// A2 and A3 compare integers for equality alone: whatever else is asked, they answer whether the two are equal.
/// Whether `mode` ("eq", "lt", …) of elements spelled `type` asks something else.
inline bool isOrderOfIntegers(llvm::StringRef mode, llvm::StringRef type) {
  return type.starts_with("i") && mode != "eq" && mode != "ne";
}

/// Null for a name that is no vector instruction.
const Instruction *findInstruction(llvm::StringRef name);

} // namespace placid::pto
