// SPDX-License-Identifier: Apache-2.0
// The rules of pypto_pro, by what they look at: one file a family. Each reports through the reader and decides nothing
// else. What is not a constant is not judged. One thread.
#pragma once

#include "compiler/pro/kernel/reader.h"

namespace placid::pro::rules {

// tile_types.cpp, tiles.cpp: calls that make something. What is refused is poisoned: uses say nothing more.
Value tileType(KernelReader &reader, const syntax::Expr &call);
Value makeTile(KernelReader &reader, const syntax::Expr &call);
Value makeTileGroup(KernelReader &reader, const syntax::Expr &call);

// Fixes at the declaration of a tile, and of the order of a transfer.
void declareLayout(Reports::Entry &entry, const TileTypeInfo &type, Layout layout);
void declareSpace(Reports::Entry &entry, const TileTypeInfo &type, Space space);
void addOrder(Reports::Entry &entry, Site call, int64_t first, int64_t second);

// tensors.cpp
Value parameter(KernelReader &reader, const syntax::Parameter &parameter);
Value makeTensor(KernelReader &reader, std::string_view path, const syntax::Expr &call);
/// A dtype that is written where one belongs; reports a name that is none.
std::optional<DType> dtype(KernelReader &reader, const Value &value, Site at);

/// One call of an operation with a row.
void check(KernelReader &reader, const Call &call);
void arguments(KernelReader &reader, const Call &call); // arguments.cpp: against the row's parameters
/// A name of pypto_pro that is called and has no row: told when it is none of the language (arguments.cpp).
void unknownOperation(KernelReader &reader, std::string_view path, const syntax::Expr &call);
/// Names below operations that the front end takes though it does not declare them: `pl.row_sum` is what
/// `pl.sum(dim=0)` becomes (arguments.cpp).
bool isInternal(std::string_view path);
/// A path of the other dialect: told at `expr` (names.cpp).
bool otherDialect(KernelReader &reader, std::string_view path, const syntax::Expr &expr);
/// A path of the other dialect or of pypto_pro that names nothing, or no member of its enumeration: told at `expr`
/// (names.cpp).
bool unknownMember(KernelReader &reader, std::string_view path, const syntax::Expr &expr);
/// Whether a keyword that takes members of one enumeration is given one; told when not (names.cpp).
bool ofEnumeration(KernelReader &reader, std::string_view keyword, const Argument &argument);
/// A name that nothing binds; `beside`: those that are bound (names.cpp).
void undefinedName(KernelReader &reader, const syntax::Expr &expr, const std::vector<std::string> &beside);
/// Keywords of TileType, make_tile and make_tile_group that nobody knows (arguments.cpp).
void unknownKeywords(KernelReader &reader, const syntax::Expr &call, std::string_view known);
void load(KernelReader &reader, const Call &call);            // loads.cpp
void store(KernelReader &reader, const Call &call);           // stores.cpp
void checkScale(KernelReader &reader, const Argument &scale); // stores.cpp: of stores and moves
void move(KernelReader &reader, const Call &call);            // moves.cpp
void matmul(KernelReader &reader, const Call &call);          // matmul.cpp
void matmulMx(KernelReader &reader, const Call &call);        // matmul_mx.cpp
void system(KernelReader &reader, const Call &call);          // sync.cpp
void validShape(KernelReader &reader, const Call &call);      // sync.cpp
void vectorOperation(KernelReader &reader, const Call &call); // vectors.cpp
/// A call within the body of a vector function (vector_functions.cpp).
void inVectorFunction(KernelReader &reader, const Call &call);
void reads(KernelReader &reader, const Call &call); // sync.cpp: tiles that nothing waited for

// --- What several families share (windows.cpp).

/// The tile of an argument when it may be judged: known, and not refused before.
TileInfo *usable(KernelReader &reader, const Argument &argument);
const TensorInfo *usableTensor(KernelReader &reader, const Argument &argument);
/// `64` as "64", else "?".
std::string show(const Extent &extent);
std::string hex(int64_t value);
/// "a, b and c".
std::string listed(const std::vector<Layout> &layouts);
/// The value where it is constant, not negative.
Extent constant(const Value &value);
/// An expression as an operand of `*`: in parentheses where it is not a product already.
std::string asFactor(const std::string &written);
/// Name of a tile or tensor argument as the user wrote it.
std::string spelled(const Argument &argument);

/// A window of a tensor: what load and store have in common.
struct Window {
  const TensorInfo *tensor = nullptr;
  const TileInfo *tile = nullptr;
  Argument offsets;
  Argument order;
  bool inTiles = false;      ///< Offsets count tiles.
  std::vector<int64_t> axes; ///< For each tile axis, the tensor's; empty where not known.
  bool orderRefused = false; ///< Its order was refused.
  bool descending() const { return axes.size() == 2 && axes[0] > axes[1]; }
};
Window window(KernelReader &reader, const Call &call, const TensorInfo *tensor, const TileInfo *tile);
/// Lists a transfer with an NZ tensor that was refused before its window was read; nothing where it is listed already.
void noteRefused(KernelReader &reader, const Call &call, const Argument &tensor);
/// Order and offsets of both; NZ alignment of the window where the tensor is NZ. False when its layout was refused.
void checkOffsets(KernelReader &reader, const Window &window);
bool checkNzWindow(KernelReader &reader, const Call &call, const Window &window);

} // namespace placid::pro::rules
