// SPDX-License-Identifier: Apache-2.0
// Operations of the `pl` dialect, from scopes and scalars over tensor-level to tile-level ops. See docs/dialects/pl.md.
#ifndef PLACID_PL_OPS_TD
#define PLACID_PL_OPS_TD

include "compiler/dialect/pl/ir/pl_dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class Pl_Op<string mnemonic, list<Trait> traits = []> : Op<Pl_Dialect, mnemonic, traits>;

// A mixed list `[0, %r0, %x : i32]`: static entries in a DenseI64ArrayAttr, ShapedType::kDynamic standing for the next
// operand. Types are printed when they are not `index`. Read it with placid::pl::mixedList().

//===-- Structure and scalars -------------------------------------------------------------------------------------===//

def Pl_IncoreOp : Pl_Op<"incore", [SingleBlock, NoRegionArguments]> {
  let summary = "a core scope: the body of `pl.at(CORE_GROUP)` or of `pl.spmd`";
  let description = [{
    Captures are implicit. With `blocks` it is an SPMD dispatch over that many blocks. OutlineIncoreScopes turns it into
    a function and a call.
  }];
  let arguments = (ins Optional<Pl_Int>:$blocks, OptionalAttr<StrAttr>:$name_hint);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($name_hint^)? (`blocks` `(` $blocks^ `:` type($blocks) `)`)? (`->` type($results)^)? $body attr-dict
  }];
}

def Pl_YieldOp : Pl_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["IncoreOp"]>]> {
  let summary = "the values a core scope hands out";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* nothing is handed out */ }]>];
}

def Pl_FloorModOp : Pl_Op<"floormod", [Pure, SameOperandsAndResultType]> {
  let summary = "remainder with the sign of the divisor";
  let description = [{
    `is_unsigned`: both operands are of an unsigned PL dtype, which the builtin type does not say.
  }];
  let arguments = (ins Pl_Int:$lhs, Pl_Int:$rhs, UnitAttr:$is_unsigned);
  let results = (outs Pl_Int:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

class Pl_IdentityOp<string mnemonic, string what> : Pl_Op<mnemonic, [Pure]> {
  let summary = what;
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
  let builders = [OpBuilder<(ins), [{ $_state.addTypes($_builder.getIndexType()); }]>];
}
def Pl_BlockIdxOp : Pl_IdentityOp<"block_idx", "the number of this block; never negative">;
def Pl_BlockNumOp : Pl_IdentityOp<"block_num", "how many blocks were dispatched; never negative">;
def Pl_SubblockIdxOp : Pl_IdentityOp<"subblock_idx", "the number of this vector lane in its core group">;

def Pl_CastOp : Pl_Op<"cast", [Pure]> {
  let summary = "scalar conversion: a PL cast, or the widening of mixed scalar arithmetic";
  let description = [{
    `unsigned_input`: the input is an integer of an unsigned PL dtype, which its builtin type does not say. It then
    widens with zeros and converts to a float that is not negative.
  }];
  let arguments = (ins Pl_Scalar:$input, UnitAttr:$unsigned_input);
  let results = (outs Pl_Scalar:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}

def Pl_DimOp : Pl_Op<"dim", [Pure]> {
  let summary = "the logical extent of one axis of a tensor";
  let arguments = (ins Pl_Tensor:$source, I64Attr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source)";
}

def Pl_ReadOp : Pl_Op<"read", []> {
  let summary = "one element of a tensor or tile as a scalar";
  let arguments = (ins Pl_TensorOrTile:$source, Variadic<Pl_Int>:$indices, DenseI64ArrayAttr:$static_indices);
  let results = (outs Pl_Scalar:$result);
  let assemblyFormat = [{
    $source custom<MixedList>($indices, type($indices), $static_indices) attr-dict
    `:` type($source) `->` type($result)
  }];
}

def Pl_GenericOp : Pl_Op<"op", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an operation of the op table that has no operation of its own here";
  let description = [{
    `pl.op "tile.mul"(lhs %a, rhs %b) : (!pl.tile<…>, !pl.tile<…>) -> !pl.tile<…>`
    The name is the table's (`placid::ops::irName`). Operands carry the names of their parameters; several may share one,
    when the parameter is a list. Other arguments are attributes under the parameter's name: flags, integers, dtypes and
    members of enumerations as the text users write, lists of integers as a DenseI64ArrayAttr, in which kDynamic stands
    for the next operand of that name. What a call leaves out is absent. It has no result where the type of what it
    produces is not known.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands, StrArrayAttr:$operand_names);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $name `(` custom<NamedOperands>($operands, $operand_names) `)` attr-dict `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The row and form of the table; the verifier has made sure of both.
    const ::placid::ops::OpRow &getRow();
    ::placid::ops::FormKind getFormKind();
    /// The operand of a parameter; null when the call leaves it out or gives an attribute.
    ::mlir::Value getArgument(::llvm::StringRef parameter);
    /// A list of integers; empty when the call leaves it out.
    ::llvm::SmallVector<::mlir::OpFoldResult> getList(::llvm::StringRef parameter);
    /// The attribute of a parameter; null when the call leaves it out.
    ::mlir::Attribute getConfig(::llvm::StringRef parameter) { return (*this)->getDiscardableAttr(parameter); }
    /// Its text (a dtype, a member of an enumeration, a memory space), else `otherwise`.
    ::llvm::StringRef getText(::llvm::StringRef parameter, ::llvm::StringRef otherwise = {});
    bool getFlag(::llvm::StringRef parameter);
  }];
}

//===-- Tensor level ----------------------------------------------------------------------------------------------===//

def Pl_TensorCreateOp : Pl_Op<"tensor.create", []> {
  let summary = "a new tensor in GM";
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Pl_TensorSliceOp : Pl_Op<"tensor.slice", [AttrSizedOperandSegments]> {
  let summary = "a window of a tensor, in elements; scalar-indexed axes are dropped";
  let arguments = (ins Pl_Tensor:$source,
    Variadic<Pl_Int>:$offsets, DenseI64ArrayAttr:$static_offsets,
    Variadic<Pl_Int>:$sizes, DenseI64ArrayAttr:$static_sizes,
    Variadic<Pl_Int>:$valid, DenseI64ArrayAttr:$static_valid,
    DenseI64ArrayAttr:$drop_dims);
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = [{
    $source custom<MixedList>($offsets, type($offsets), $static_offsets)
    `sizes` custom<MixedList>($sizes, type($sizes), $static_sizes)
    custom<OptionalList>("\"valid\"", $valid, type($valid), $static_valid)
    custom<OptionalInts>("\"drop\"", $drop_dims)
    attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Pl_TensorReshapeOp : Pl_Op<"tensor.reshape", [Pure]> {
  let summary = "the same elements under another shape";
  let arguments = (ins Pl_Tensor:$source);
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def Pl_TensorAssembleOp : Pl_Op<"tensor.assemble", []> {
  let summary = "writes a tensor into a window of another; the result aliases the target";
  let arguments = (ins Pl_Tensor:$target, Pl_Tensor:$source,
    Variadic<Pl_Int>:$offsets, DenseI64ArrayAttr:$static_offsets, OptionalAttr<StrAttr>:$atomic);
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = [{
    $source `into` $target custom<MixedList>($offsets, type($offsets), $static_offsets)
    (`atomic` $atomic^)? attr-dict `:` type($source) `,` type($target) `->` type($result)
  }];
}

def Pl_TensorMatmulOp : Pl_Op<"tensor.matmul", [Pure]> {
  let summary = "matrix product of tensors; leading axes are batches";
  let arguments = (ins Pl_Tensor:$lhs, Pl_Tensor:$rhs, UnitAttr:$a_trans, UnitAttr:$b_trans);
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

def Pl_TensorMatmulAccOp : Pl_Op<"tensor.matmul_acc", [Pure]> {
  let summary = "matrix product added to an accumulator";
  let arguments = (ins Pl_Tensor:$acc, Pl_Tensor:$lhs, Pl_Tensor:$rhs, UnitAttr:$a_trans, UnitAttr:$b_trans);
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = [{
    $acc `,` $lhs `,` $rhs attr-dict `:` type($acc) `,` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

//===-- Tile level ------------------------------------------------------------------------------------------------===//

def Pl_TileLoadOp : Pl_Op<"tile.load", [AttrSizedOperandSegments]> {
  let summary = "reads a window of a GM tensor into a tile";
  let description = [{
    Offsets, sizes and valid extents count elements of the source's axes. The tile keeps its own logical 2-D type: after
    blocking the window has rank 5 and the tile still has rank 2. `valid` is what is read; absent, it is `sizes`.
  }];
  let arguments = (ins Pl_Tensor:$source,
    Variadic<Pl_Int>:$offsets, DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$sizes,
    Variadic<Pl_Int>:$valid, DenseI64ArrayAttr:$static_valid);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = [{
    $source custom<MixedList>($offsets, type($offsets), $static_offsets) `sizes` $sizes
    custom<OptionalList>("\"valid\"", $valid, type($valid), $static_valid)
    attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Pl_TileStoreOp : Pl_Op<"tile.store", [AttrSizedOperandSegments]> {
  let summary = "writes a tile into a window of a GM tensor; the result aliases the destination";
  let description = [{
    `sizes` is the partition shape in the destination's rank; absent, it is the tile's valid extents. `scale` is what an
    accumulator is multiplied by on its way out: an i64 whose low half are the bits of an f32, or a row of such in
    Scaling, one a column. Bit 46 says that eight-bit results are signed.
  }];
  let arguments = (ins Pl_Tile:$tile, Pl_Tensor:$dest,
    Variadic<Pl_Int>:$offsets, DenseI64ArrayAttr:$static_offsets,
    OptionalAttr<DenseI64ArrayAttr>:$sizes,
    OptionalAttr<StrAttr>:$atomic, UnitAttr:$pre_quant, UnitAttr:$pre_relu, OptionalAttr<StrAttr>:$st_phase,
    Optional<AnyType>:$scale);
  let results = (outs Pl_Tensor:$result);
  let assemblyFormat = [{
    $tile `into` $dest custom<MixedList>($offsets, type($offsets), $static_offsets) (`sizes` $sizes^)?
    (`scale` $scale^ `:` type($scale) `,`)? attr-dict `:` type($tile) `,` type($dest) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Pl_TileCreateOp : Pl_Op<"tile.create", []> {
  let summary = "a new tile with undefined contents";
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class Pl_TileUnary<string mnemonic, string what> : Pl_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins Pl_Tile:$source);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}
def Pl_TileMoveOp : Pl_TileUnary<"tile.move", "copies a tile to another memory space">;
def Pl_TileReshapeOp : Pl_TileUnary<"tile.reshape", "the same tile under another shape; no data moves">;
def Pl_TileTransposeViewOp : Pl_TileUnary<"tile.transpose_view", "rows and columns and the two block layouts swapped; no data moves">;

//===-- Between the cores of a kernel -----------------------------------------------------------------------------===//

def Pl_PipePushOp : Pl_Op<"pipe.push", []> {
  let summary = "hands a tile to the other core of the kernel";
  let description = [{
    The pipe between the two cores holds tiles in the order they were pushed in; a push waits while it is full. The
    direction follows from the tile: one in Vec goes to the cube core, one in Acc or Mat to the vector core.
  }];
  let arguments = (ins Pl_Tile:$tile);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
}

def Pl_PipePopOp : Pl_Op<"pipe.pop", []> {
  let summary = "takes the next tile that the other core has pushed; it lies in the pipe until it is freed";
  let description = [{ `valid` are the live extents that the type leaves open, in the order of its axes. }];
  let arguments = (ins Variadic<Pl_Int>:$valid);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = "(`valid` `(` $valid^ `:` type($valid) `)`)? attr-dict `:` type($result)";
}

def Pl_PipeFreeOp : Pl_Op<"pipe.free", []> {
  let summary = "gives the pipe the room of a popped tile back, which nothing reads any more";
  let arguments = (ins Pl_Tile:$tile);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
}

def Pl_TileExtractOp : Pl_Op<"tile.extract", [Pure]> {
  let summary = "copies a window of a tile, in elements, to another memory space";
  let arguments = (ins Pl_Tile:$source, Variadic<Pl_Int>:$offsets, DenseI64ArrayAttr:$static_offsets);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = [{
    $source custom<MixedList>($offsets, type($offsets), $static_offsets) attr-dict `:` type($source) `->` type($result)
  }];
}

class Pl_TileMatmul<string mnemonic, string what> : Pl_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins Pl_Tile:$lhs, Pl_Tile:$rhs);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}
def Pl_TileMatmulOp : Pl_TileMatmul<"tile.matmul", "[M, K] x [K, N] into an accumulator tile">;
def Pl_TileBatchMatmulOp : Pl_TileMatmul<"tile.batch_matmul", "a matmul over leading batch axes; FlattenTileNdTo2D unrolls it">;

class Pl_TileMatmulAcc<string mnemonic, string what> : Pl_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins Pl_Tile:$acc, Pl_Tile:$lhs, Pl_Tile:$rhs);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = [{
    $acc `,` $lhs `,` $rhs attr-dict `:` type($acc) `,` type($lhs) `,` type($rhs) `->` type($result)
  }];
}
def Pl_TileMatmulAccOp : Pl_TileMatmulAcc<"tile.matmul_acc", "a matmul added to its accumulator in place">;
def Pl_TileBatchMatmulAccOp : Pl_TileMatmulAcc<"tile.batch_matmul_acc", "a batched matmul added to its accumulator">;

#endif // PLACID_PL_OPS_TD
