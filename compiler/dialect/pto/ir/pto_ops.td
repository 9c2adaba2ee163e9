// SPDX-License-Identifier: Apache-2.0
// Operations of the `pto` dialect. Assembly is fixed by the assembler that reads it; verifiers are ours.
#ifndef PLACID_PTO_OPS_TD
#define PLACID_PTO_OPS_TD

include "compiler/dialect/pto/ir/pto_dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Pto_Op<string mnemonic, list<Trait> traits = []> : Op<Pto_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
}

def Pto_MakeTensorViewOp : Pto_Op<"make_tensor_view", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"pointer to the view's element type", "result", "ptr",
                   "::placid::pto::PtrType::get($_ctxt, ::llvm::cast<::placid::pto::TensorViewType>($_self).getElementType())">]> {
  let summary = "a GM buffer seen as a tensor";
  let description = [{ Shape and strides count elements. With `layout = #pto.layout<nz>` they are the blocked form. }];
  let arguments = (ins Pto_Ptr:$ptr, Variadic<Index>:$shape, Variadic<Index>:$strides, OptionalAttr<Pto_LayoutAttr>:$layout);
  let results = (outs Pto_TensorView:$result);
  let assemblyFormat = [{
    $ptr `,` `shape` `=` `[` $shape `]` `,` `strides` `=` `[` $strides `]` attr-dict `:` qualified(type($result))
  }];
}

def Pto_PartitionViewOp : Pto_Op<"partition_view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a window of a view; offsets and sizes count elements of the view's axes";
  let arguments = (ins Pto_TensorView:$source, Variadic<Index>:$offsets, Variadic<Index>:$sizes);
  let results = (outs Pto_PartitionTensorView:$result);
  let assemblyFormat = [{
    $source `,` `offsets` `=` `[` $offsets `]` `,` `sizes` `=` `[` $sizes `]` attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
}

def Pto_AllocTileOp : Pto_Op<"alloc_tile", [AttrSizedOperandSegments]> {
  let summary = "a tile at a byte address of its memory";
  let arguments = (ins Optional<I64>:$addr, Optional<Index>:$valid_row, Optional<Index>:$valid_col);
  let results = (outs Pto_TileBuf:$result);
  let assemblyFormat = [{
    (`addr` `=` $addr^)? (`valid_row` `=` $valid_row^)? (`valid_col` `=` $valid_col^)? attr-dict
    `:` qualified(type($result))
  }];
}

def Pto_TLoadOp : Pto_Op<"tload"> {
  let summary = "GM window to tile";
  let arguments = (ins Pto_PartitionTensorView:$src, Pto_TileBuf:$dst);
  let assemblyFormat = [{
    `ins` `(` $src `:` qualified(type($src)) `)` `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

def Pto_TStoreOp : Pto_Op<"tstore", [AttrSizedOperandSegments]> {
  let summary = "tile to GM window";
  let description = [{
    What leaves an accumulator may be scaled: by `preQuantScalar`, whose low half are the bits of an f32 and whose bit 46
    says that eight-bit results are signed, or by one such number a column, which `fp` holds in Scaling.
  }];
  let arguments = (ins Pto_TileBuf:$src, Pto_PartitionTensorView:$dst,
                       Optional<Pto_TileBuf>:$fp, Optional<I64>:$preQuantScalar,
                       OptionalAttr<Pto_StPhaseAttr>:$stPhase, OptionalAttr<Pto_AtomicTypeAttr>:$atomicType,
                       OptionalAttr<Pto_ReluPreModeAttr>:$reluPreMode);
  let assemblyFormat = [{
    `ins` `(` $src `:` qualified(type($src)) (`fp` $fp^ `:` qualified(type($fp)))?
              (`,` $preQuantScalar^ `:` type($preQuantScalar))? `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

def Pto_TMovOp : Pto_Op<"tmov"> {
  let summary = "tile to tile of the same shape in another memory";
  let arguments = (ins Pto_TileBuf:$src, Pto_TileBuf:$dst);
  let assemblyFormat = [{
    `ins` `(` $src `:` qualified(type($src)) `)` `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

def Pto_TExtractOp : Pto_Op<"textract"> {
  let summary = "a window of a Mat tile to Left or Right; the indices count elements";
  let arguments = (ins Pto_TileBuf:$src, Index:$indexRow, Index:$indexCol, Pto_TileBuf:$dst);
  let assemblyFormat = [{
    `ins` `(` $src `,` $indexRow `,` $indexCol `:` qualified(type($src)) `,` type($indexRow) `,` type($indexCol) `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

def Pto_TMatmulOp : Pto_Op<"tmatmul"> {
  let summary = "Left times Right into Acc";
  let arguments = (ins Pto_TileBuf:$lhs, Pto_TileBuf:$rhs, Pto_TileBuf:$dst);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` qualified(type($lhs)) `,` qualified(type($rhs)) `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

def Pto_TMatmulAccOp : Pto_Op<"tmatmul.acc"> {
  let summary = "Left times Right added to Acc in place: `acc_in` and `dst` are one buffer";
  let arguments = (ins Pto_TileBuf:$acc_in, Pto_TileBuf:$lhs, Pto_TileBuf:$rhs, Pto_TileBuf:$dst);
  let assemblyFormat = [{
    `ins` `(` $acc_in `,` $lhs `,` $rhs `:` qualified(type($acc_in)) `,` qualified(type($lhs)) `,` qualified(type($rhs)) `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

def Pto_TMatmulBiasOp : Pto_Op<"tmatmul.bias"> {
  let summary = "Left times Right plus a row of Bias into Acc";
  let arguments = (ins Pto_TileBuf:$lhs, Pto_TileBuf:$rhs, Pto_TileBuf:$bias, Pto_TileBuf:$dst);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `,` $bias `:` qualified(type($lhs)) `,` qualified(type($rhs)) `,` qualified(type($bias)) `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

class Pto_MxProduct<string mnemonic, dag first> : Pto_Op<mnemonic> {
  let description = [{
    Each scale counts for 32 elements of the axis that the operands share; the hardware finds it at a sixteenth of its
    operand's address.
  }];
  let arguments = !con(first, (ins Pto_TileBuf:$lhs, Pto_TileBuf:$lhs_scale, Pto_TileBuf:$rhs, Pto_TileBuf:$rhs_scale,
                                   Pto_TileBuf:$dst));
}

def Pto_TMatmulMxOp : Pto_MxProduct<"tmatmul.mx", (ins)> {
  let summary = "Left times Right, both scaled, into Acc";
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $lhs_scale `,` $rhs `,` $rhs_scale `:` qualified(type($lhs)) `,` qualified(type($lhs_scale)) `,`
              qualified(type($rhs)) `,` qualified(type($rhs_scale)) `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

def Pto_TMatmulMxAccOp : Pto_MxProduct<"tmatmul.mx.acc", (ins Pto_TileBuf:$acc_in)> {
  let summary = "Left times Right, both scaled, added to Acc in place: `acc_in` and `dst` are one buffer";
  let assemblyFormat = [{
    `ins` `(` $acc_in `,` $lhs `,` $lhs_scale `,` $rhs `,` $rhs_scale `:` qualified(type($acc_in)) `,`
              qualified(type($lhs)) `,` qualified(type($lhs_scale)) `,` qualified(type($rhs)) `,`
              qualified(type($rhs_scale)) `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

//===-- The vector unit -------------------------------------------------------------------------------------------===//

def Pto_InstrOp : Pto_Op<"instr", [AttrSizedOperandSegments]> {
  let summary = "a vector instruction: a row of vector_instructions.def";
  let description = [{
    Printed as `pto.<name> ins(…) outs(…)`. `scratch` is the number of the operand that the instruction only works in.
    `config` holds what the assembler reads inside `ins`, `trailing` what it reads at the end; a string value is printed
    as it is, without quotes.
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$ins, Variadic<Pto_TileBuf>:$outs,
                       OptionalAttr<I64Attr>:$scratch, OptionalAttr<DictionaryAttr>:$config,
                       OptionalAttr<DictionaryAttr>:$trailing);
  let assemblyFormat = [{
    $name `ins` `(` $ins `:` qualified(type($ins)) `)` `outs` `(` $outs `:` qualified(type($outs)) `)`
    (`scratch` $scratch^)? (`config` $config^)? (`trailing` $trailing^)? attr-dict
  }];
}

def Pto_SubviewOp : Pto_Op<"subview", [Pure, AttrSizedOperandSegments]> {
  let summary = "a window of a tile, in elements; no data moves";
  let arguments = (ins Pto_TileBuf:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$sizes, Variadic<Index>:$valid);
  let results = (outs Pto_TileBuf:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` `sizes` $sizes `valid` `[` $valid `]` attr-dict
    `:` qualified(type($source)) `->` qualified(type($result))
  }];
}

def Pto_TReshapeOp : Pto_Op<"treshape", [Pure]> {
  let summary = "the bytes of a tile as a tile of another type; no data moves";
  let description = [{ Both are of one memory, of the same number of bytes, and both of fractals or both flat. }];
  let arguments = (ins Pto_TileBuf:$source);
  let results = (outs Pto_TileBuf:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

def Pto_BitcastOp : Pto_Op<"bitcast", [Pure]> {
  let summary = "a tile with elements of another type of the same width; no data moves";
  let arguments = (ins Pto_TileBuf:$source);
  let results = (outs Pto_TileBuf:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
}

def Pto_SetValidShapeOp : Pto_Op<"set_validshape"> {
  let summary = "says how much of a tile is valid whose type leaves both extents open";
  let arguments = (ins Pto_TileBuf:$source, Index:$valid_row, Index:$valid_col);
  let assemblyFormat = "$source `,` $valid_row `,` $valid_col attr-dict `:` qualified(type($source))";
}

def Pto_TGetValOp : Pto_Op<"tgetval"> {
  let summary = "one element of a tile; the offset counts elements from its first";
  let arguments = (ins Pto_TileBuf:$src, Index:$offset);
  let results = (outs AnyType:$dst);
  let assemblyFormat = [{
    `ins` `(` $src `,` $offset `:` qualified(type($src)) `,` type($offset) `)` `outs` `:` type($dst) attr-dict
  }];
}

def Pto_LoadScalarOp : Pto_Op<"load_scalar"> {
  let summary = "one element of GM; the offset counts elements";
  let arguments = (ins Pto_Ptr:$ptr, Index:$offset);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$ptr `[` $offset `]` attr-dict `:` qualified(type($ptr)) `->` type($value)";
}

def Pto_StoreScalarOp : Pto_Op<"store_scalar"> {
  let summary = "writes one element of GM; the offset counts elements";
  let arguments = (ins AnyType:$value, Pto_Ptr:$ptr, Index:$offset);
  let assemblyFormat = "$value `,` $ptr `[` $offset `]` attr-dict `:` qualified(type($ptr)) `,` type($value)";
}


//===-- Arrays of scalars -----------------------------------------------------------------------------------------===//

def Pto_DeclareLocalArrayOp : Pto_Op<"declare_local_array"> {
  let summary = "an array with undefined contents";
  let results = (outs Pto_LocalArray:$result);
  let assemblyFormat = "attr-dict `->` qualified(type($result))";
}

def Pto_LocalArrayGetOp : Pto_Op<"local_array_get"> {
  let summary = "one element of an array";
  let arguments = (ins Pto_LocalArray:$array, Index:$index);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$array `[` $index `]` attr-dict `:` qualified(type($array)) `->` type($value)";
}

def Pto_LocalArraySetOp : Pto_Op<"local_array_set"> {
  let summary = "writes one element of an array";
  let arguments = (ins Pto_LocalArray:$array, Index:$index, AnyType:$value);
  let assemblyFormat = "$array `[` $index `]` `,` $value attr-dict `:` qualified(type($array)) `,` type($value)";
}

//===-- Between devices -------------------------------------------------------------------------------------------===//

def Pto_AddPtrOp : Pto_Op<"addptr", [Pure]> {
  let summary = "an address so many elements on";
  let arguments = (ins Pto_Ptr:$ptr, Index:$offset);
  let results = (outs Pto_Ptr:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` qualified(type($ptr)) `->` qualified(type($result))";
}

def Pto_BarrierAllOp : Pto_Op<"barrier"> {
  let summary = "waits for every pipe of this core";
  let assemblyFormat = "attr-dict";
}

def Pto_FenceOp : Pto_Op<"fence.barrier_all"> {
  let summary = "what was written to GM is seen by all devices before what follows";
  let assemblyFormat = "attr-dict";
}

def Pto_CacheInvalidOp : Pto_Op<"cmo.cacheinvalid"> {
  let summary = "cleans and drops cached lines of a window, or of all of GM";
  let arguments = (ins Optional<Pto_PartitionTensorView>:$view);
  let assemblyFormat = "($view^ `:` qualified(type($view)))? attr-dict";
}

class Pto_Signal<string mnemonic, string what> : Pto_Op<mnemonic> {
  let summary = what;
  let arguments = (ins Pto_PartitionTensorView:$signal, I32:$value, StrAttr:$how);
  let assemblyFormat = "`(` $signal `,` $value `:` qualified(type($signal)) `)` $how attr-dict";
}
def Pto_TNotifyOp : Pto_Signal<"comm.tnotify", "sets a signal of a device, or adds to it">;
def Pto_TWaitOp : Pto_Signal<"comm.twait", "waits until a signal of this device compares">;

//===-- Between the cube and the vector core ----------------------------------------------------------------------===//

def Pto_ReserveBufferOp : Pto_Op<"reserve_buffer"> {
  let summary = "bytes of this core's memory in which popped tiles lie";
  let description = [{
    `base` and `size` are bytes; the peer finds them by `name`. Without `base` the assembler chooses where they begin.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$size, Pto_LocAttr:$location, OptionalAttr<I64Attr>:$base);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `->` type($result)";
}

def Pto_ImportReservedBufferOp : Pto_Op<"import_reserved_buffer"> {
  let summary = "where the peer's buffer of that name begins";
  let arguments = (ins StrAttr:$name, FlatSymbolRefAttr:$peer_func);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `->` type($result)";
}

class Pto_InitializePipe<string mnemonic, string core> : Pto_Op<mnemonic> {
  let summary = "opens the pipe between the cores on the " # core # " core";
  let description = [{
    `dir_mask` 1 is cube to vector, 2 vector to cube, 3 both. `slot_size` is bytes, `slot_num` the tiles each direction
    holds. Chips without a direct path go through `gm_slot_buffer`. A direction that is not used has the buffer 0.
  }];
  let arguments = (ins I64Attr:$dir_mask, I64Attr:$slot_size, I64Attr:$slot_num, Optional<Pto_Ptr>:$gm_slot_buffer,
                       I32:$c2v_consumer_buf, I32:$v2c_consumer_buf);
  let assemblyFormat = [{
    attr-dict `(` (`gm_slot_buffer` `=` $gm_slot_buffer^ `:` qualified(type($gm_slot_buffer)) `,`)?
    `c2v_consumer_buf` `=` $c2v_consumer_buf `,` `v2c_consumer_buf` `=` $v2c_consumer_buf `)`
  }];
}
def Pto_AicInitializePipeOp : Pto_InitializePipe<"aic_initialize_pipe", "cube">;
def Pto_AivInitializePipeOp : Pto_InitializePipe<"aiv_initialize_pipe", "vector">;

class Pto_TPush<string mnemonic, string core> : Pto_Op<mnemonic> {
  let summary = "hands a tile to the " # core # " core; `split` 0 is the whole tile";
  let arguments = (ins Pto_TileBuf:$tile, I64Attr:$split);
  let assemblyFormat = "`(` $tile `:` qualified(type($tile)) `)` attr-dict";
}
def Pto_TPushToAivOp : Pto_TPush<"tpush_to_aiv", "vector">;
def Pto_TPushToAicOp : Pto_TPush<"tpush_to_aic", "cube">;

class Pto_TPop<string mnemonic, string core> : Pto_Op<mnemonic, [AttrSizedOperandSegments]> {
  let summary = "the next tile from the " # core # " core, in the reserved buffer";
  let arguments = (ins Optional<Index>:$valid_row, Optional<Index>:$valid_col, I64Attr:$split);
  let results = (outs Pto_TileBuf:$result);
  let assemblyFormat = "(`(` $valid_row^ `,` $valid_col `)`)? attr-dict `->` qualified(type($result))";
}
def Pto_TPopFromAicOp : Pto_TPop<"tpop_from_aic", "cube">;
def Pto_TPopFromAivOp : Pto_TPop<"tpop_from_aiv", "vector">;

class Pto_TFree<string mnemonic, string core> : Pto_Op<mnemonic> {
  let summary = "gives the oldest popped tile's room back to the " # core # " core";
  let arguments = (ins I64Attr:$split);
  let assemblyFormat = "attr-dict";
}
def Pto_TFreeFromAicOp : Pto_TFree<"tfree_from_aic", "cube">;
def Pto_TFreeFromAivOp : Pto_TFree<"tfree_from_aiv", "vector">;

#endif // PLACID_PTO_OPS_TD
