// SPDX-License-Identifier: Apache-2.0
// One call of an operation while it is typed: its row, its arguments, and what its rule makes of them. Private to
// compiler/frontend. The rules (op_rules*.cpp) see tensors and tiles alike as `Shaped`, so that one rule serves both
// forms.
#pragma once

#include "compiler/frontend/frame.h"

namespace placid::frontend {

/// A tensor or a tile, as the rules see it.
struct Shaped {
  bool isTile = false;
  llvm::SmallVector<mlir::Attribute> dims;  ///< As in pl::TensorType; integers only for a tile.
  llvm::SmallVector<mlir::Attribute> valid; ///< Empty: all of it. "?" where only run time knows.
  pl::DType dtype = pl::DType::F32;
  pl::Mem mem = pl::Mem::Unset; ///< Tile
  bool transposed = false;      ///< Tile
  bool ragged = false;          ///< Tensor: see Val::ragged.

  size_t rank() const { return dims.size(); }
  std::optional<int64_t> extent(size_t axis) const;
  bool isStatic() const;
};

/// Two extents that are both known and differ. What is not known differs from nothing.
bool extentsDiffer(mlir::Attribute a, mlir::Attribute b);
bool isExtent(mlir::Attribute extent, int64_t value);
/// The dtype of a result of both: the float, else the wider, else the signed, else the first.
pl::DType promote(pl::DType a, pl::DType b);
bool isInteger(pl::DType dtype);

/// What an operation gives back.
struct OpResult {
  Val::Kind kind = Val::Kind::Poison;
  mlir::Type type;
  pl::DType dtype = pl::DType::Index; ///< Scalar
  bool ragged = false;                ///< Tensor
};
using OpResults = llvm::SmallVector<OpResult, 2>;

struct KernelBuilder::OpCall : BoundArguments {
  /// An argument of the generic form, read as its parameter says.
  struct Argument {
    const ops::Parameter *parameter = nullptr;
    const syntax::Expr *expr = nullptr;
    Val value;               ///< Of an operand.
    std::vector<Entry> list; ///< Of a list of integers.
    std::vector<Val> items;  ///< Of a list of task ids.
    ConstValue constant;     ///< Of everything else; members of enumerations are Str.
    bool isList = false;
    bool isOperand = false;
  };

  OpCall(KernelBuilder &builderIn, const syntax::Expr &exprIn, std::string pathIn, const ops::OpRow &rowIn)
      : builder(builderIn), expr(exprIn), path(std::move(pathIn)), row(rowIn) {}

  KernelBuilder &builder;
  const syntax::Expr &expr;
  std::string path; ///< As written: "pl.tile.mul".
  const ops::OpRow &row;
  ops::FormKind kind = ops::FormKind::Tensor;
  const syntax::Expr *firstExpr = nullptr; ///< The operand that chose the form, evaluated once.
  Val first;
  std::vector<Argument> arguments; ///< Of the generic form, in the order of the call.

  const ops::Form &form() const { return *row.form(kind); }
  std::string what() const { return "`" + path + "`"; }
  mlir::MLIRContext *context() const { return builder.context_; }

  /// The value of an argument, evaluated once; poison when it is absent.
  Val value(std::string_view name);

  //===-- op_arguments.cpp: the generic form
  /// Reads all arguments; false when one is wrong (reported) or unknown.
  bool readArguments();
  const Argument *find(std::string_view name) const;
  /// The operand as a tensor or tile. The rules call it only for parameters that are one.
  Shaped shaped(std::string_view name) const;
  bool hasShape(std::string_view name) const;
  std::string describe(std::string_view name) const;
  source::ByteRange rangeOf(std::string_view name) const;
  std::optional<int64_t> integer(std::string_view name) const;
  bool flagOf(std::string_view name) const;
  std::string text(std::string_view name) const; ///< A string, a member of an enumeration; else its default.
  std::optional<pl::DType> dtypeOf(std::string_view name) const;
  std::optional<pl::Mem> memOf(std::string_view name) const;

  //===-- op_rules*.cpp
  /// What the call gives back; nullopt when its operands do not fit (reported).
  std::optional<OpResults> results();
  using MaybeResults = std::optional<OpResults>;
  MaybeResults byRule();
  /// A row of the table with a rule that its family does not have.
  std::nullopt_t unhandled();
  MaybeResults elementwise();
  MaybeResults selection();
  MaybeResults ternary();
  std::optional<Shaped> ofTwo(std::string_view leftName, std::string_view rightName);
  std::optional<Shaped> withNumber(std::string_view leftName, std::string_view rightName);
  bool isShift() const;
  MaybeResults unary();
  MaybeResults reductionOrExpand();
  MaybeResults creation();
  MaybeResults matrix();
  MaybeResults system();
  MaybeResults distributed();
  bool reaches();
  bool windowFits(std::string_view tensor, std::string_view offsets, std::string_view extents, std::string_view sized);
  bool isSignal(std::string_view name);
  /// False, reported: the vector unit would compute with a tile that lies in the cube's memory.
  bool inVectorMemory();

  //===-- op_rules_view.cpp
  MaybeResults view();
  MaybeResults elementWritten();
  MaybeResults filled();
  MaybeResults sliced();
  /// The live part of a slice of `out`'s extents, and the axes that it drops; false: reported.
  bool liveSlice(Shaped &out);
  bool dropAxes(Shaped &out);
  MaybeResults validShapeSet();
  MaybeResults moved();
  MaybeResults joined();
  MaybeResults transposed();
  MaybeResults expanded();
  MaybeResults reinterpreted();
  MaybeResults viewed();
  MaybeResults assembled();
  MaybeResults splitResult();
  /// The axis along which each vector lane has its half; nullopt where it has all of it.
  std::optional<int64_t> laneAxis() const;

  //===-- op_rules_gather.cpp
  MaybeResults gatherOrSort();
  MaybeResults gatherForms();
  MaybeResults maskResult(std::string_view operand);
  MaybeResults gatheredTile();
  MaybeResults gatheredRow();
  MaybeResults scattered();
  MaybeResults rowsUpdated();
  MaybeResults gatheredByComparison();
  MaybeResults gatheredByMask();
  MaybeResults gatheredBlocks();
  MaybeResults gatheredFromMemory();
  MaybeResults gatheredPages();
  MaybeResults sortedGroups();
  MaybeResults mergedRuns();

  // What rules say. Each reports and gives nullopt.
  std::nullopt_t dtypeFault(std::string_view argument, const std::string &takes);
  std::nullopt_t shapeFault(std::string_view argument, const std::string &words);
  std::nullopt_t rankFault(std::string_view argument, const std::string &words);
  std::nullopt_t typeFault(std::string_view argument, const std::string &words);
  /// "lhs is pl.Tensor[…], rhs is pl.Tensor[…]"
  std::string operandsText() const;

  // What rules give.
  OpResult result(const Shaped &shaped) const;
  OpResults one(const Shaped &shaped) const { return {result(shaped)}; }
  OpResults scalar(pl::DType dtype) const;
  OpResults handle(llvm::StringRef kind) const;
  OpResults like(std::string_view argument) const;
  /// The memory space that the row gives a tile result.
  pl::Mem resultMem() const;
  /// The list as extents; a tile needs constants (reported).
  std::optional<llvm::SmallVector<mlir::Attribute>> extents(std::string_view argument, bool isTile) const;
  std::optional<llvm::SmallVector<mlir::Attribute>> broadcast(std::string_view lhs, std::string_view rhs);
  bool checkScratch(std::string_view scratch, std::string_view operand, bool sameDtype);
  /// False, reported: a scratch tile of a row reduction that is smaller than (`exactly`: not shaped as) the operand.
  bool scratchHolds(std::string_view scratch, std::string_view operand, bool exactly);

  /// The operation with these results.
  Val emit(const OpResults &results);
  /// What statements after a faulty call go on with: the operand that it would have written, else poison.
  Val afterFault() const;

private:
  bool readArgument(Argument &argument);
  bool readConstant(Argument &argument);
  bool readOperand(Argument &argument);
  mlir::Value operandOf(const Argument &argument);
  mlir::Attribute attributeOf(const Argument &argument) const;

  /// What emit() makes of the arguments.
  struct Gathered {
    llvm::SmallVector<mlir::Value> operands;
    llvm::SmallVector<mlir::Attribute> names; ///< Of the operands.
    std::vector<const syntax::Expr *> exprs;  ///< Of the operands.
    llvm::SmallVector<mlir::NamedAttribute> attributes;
    ArgLists lists;
    bool scalarRight = false; ///< `rhs` is a number.
  };
  /// False: the argument is a literal that does not fit, reported.
  bool gather(const Argument &argument, Gathered &out);
  std::string irNameFor(const Gathered &gathered) const;
};

} // namespace placid::frontend
