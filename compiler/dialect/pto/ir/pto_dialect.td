// SPDX-License-Identifier: Apache-2.0
// The `pto` dialect: the part of the assembler's input language that placid writes, with its exact spelling.
#ifndef PLACID_PTO_DIALECT_TD
#define PLACID_PTO_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Pto_Dialect : Dialect {
  let name = "pto";
  let cppNamespace = "::placid::pto";
  let summary = "tile-level assembly for Ascend cores, as ptoas reads it";
  let description = [{
    Tiles are buffers (`!pto.tile_buf`) that operations write in place; GM memory is seen through views. The module holds
    `pto.target_arch` (`"a2"`, `"a3"`, `"a5"`), a function `pto.kernel_kind`. The verifiers check what the assembler
    leaves to the hardware: the blocked NZ form, window extents against tile extents, matmul types, addresses.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

class Pto_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::placid::pto";
  let genSpecializedAttr = 0;
}

def Pto_Layout : Pto_Enum<"Layout", "GM byte order of a view", [
  I32EnumAttrCase<"ND", 0, "nd">, I32EnumAttrCase<"DN", 1, "dn">, I32EnumAttrCase<"NZ", 2, "nz">]>;
def Pto_KernelKind : Pto_Enum<"KernelKind", "core a kernel runs on", [
  I32EnumAttrCase<"Cube", 0, "cube">, I32EnumAttrCase<"Vector", 1, "vector">]>;
def Pto_Loc : Pto_Enum<"Loc", "memory of a tile", [
  I32EnumAttrCase<"Vec", 0, "vec">, I32EnumAttrCase<"Mat", 1, "mat">, I32EnumAttrCase<"Left", 2, "left">,
  I32EnumAttrCase<"Right", 3, "right">, I32EnumAttrCase<"Acc", 4, "acc">, I32EnumAttrCase<"Bias", 5, "bias">,
  I32EnumAttrCase<"Scaling", 6, "scaling">]>;
def Pto_BLayout : Pto_Enum<"BLayout", "order of the boxes of a tile", [
  I32EnumAttrCase<"RowMajor", 0, "row_major">, I32EnumAttrCase<"ColMajor", 1, "col_major">]>;
def Pto_SLayout : Pto_Enum<"SLayout", "order inside a box", [
  I32EnumAttrCase<"NoneBox", 0, "none_box">, I32EnumAttrCase<"RowMajor", 1, "row_major">,
  I32EnumAttrCase<"ColMajor", 2, "col_major">]>;
def Pto_AtomicType : Pto_Enum<"AtomicType", "what a store does to the bytes it meets", [
  I32EnumAttrCase<"None", 0, "atomic_none">, I32EnumAttrCase<"Add", 1, "atomic_add">]>;
def Pto_StPhase : Pto_Enum<"StPhase", "unit-flag phase of an accumulator store", [
  I32EnumAttrCase<"Unspecified", 0, "unspecified">, I32EnumAttrCase<"Partial", 1, "partial">,
  I32EnumAttrCase<"Final", 2, "final">]>;

def Pto_ReluPreMode : Pto_Enum<"ReluPreMode", "what an accumulator store does to negative numbers", [
  I32EnumAttrCase<"NoRelu", 0, "no_relu">, I32EnumAttrCase<"NormalRelu", 1, "normal_relu">]>;

def Pto_LayoutAttr : EnumAttr<Pto_Dialect, Pto_Layout, "layout"> { let assemblyFormat = "`<` $value `>`"; }
def Pto_KernelKindAttr : EnumAttr<Pto_Dialect, Pto_KernelKind, "kernel_kind"> {
  let assemblyFormat = "`<` $value `>`";
}
def Pto_LocAttr : EnumAttr<Pto_Dialect, Pto_Loc, "address_space"> { let assemblyFormat = "`<` $value `>`"; }
def Pto_AtomicTypeAttr : EnumAttr<Pto_Dialect, Pto_AtomicType, "atomic_type">;
def Pto_StPhaseAttr : EnumAttr<Pto_Dialect, Pto_StPhase, "st_phase">;
def Pto_ReluPreModeAttr : EnumAttr<Pto_Dialect, Pto_ReluPreMode, "relu_pre_mode">;

class Pto_Type<string name, string typeMnemonic> : TypeDef<Pto_Dialect, name> { let mnemonic = typeMnemonic; }

def Pto_Ptr : Pto_Type<"Ptr", "ptr"> {
  let summary = "address of a GM buffer";
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

// Elements that MLIR has no type of; each is one byte.
def Pto_F8E8M0 : Pto_Type<"F8E8M0", "f8E8M0"> {
  let summary = "a power of two as its biased exponent: one scale of an MX operand";
}
def Pto_HiF8 : Pto_Type<"HiF8", "hif8"> { let summary = "HiFloat8: exponents of several lengths, the more mantissa the shorter"; }

class Pto_View<string name, string typeMnemonic, string what> : Pto_Type<name, typeMnemonic> {
  let summary = what;
  let description = [{ Extents count elements; `?` is known at run time. }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{ unsigned getRank() const { return getShape().size(); } }];
}
def Pto_TensorView : Pto_View<"TensorView", "tensor_view", "a GM buffer with shape, strides and byte order">;
def Pto_PartitionTensorView : Pto_View<"PartitionTensorView", "partition_tensor_view", "a window of a view">;

def Pto_TileBuf : Pto_Type<"TileBuf", "tile_buf"> {
  let summary = "an on-chip tile";
  let description = [{
    `!pto.tile_buf<loc=mat, dtype=i8, rows=256, cols=512, v_row=256, v_col=512, blayout=col_major, slayout=row_major,
    fractal=512, pad=0>`. Extents are elements, `fractal` bytes. A `?` valid extent is an operand of `pto.alloc_tile`.
  }];
  let parameters = (ins
    "::placid::pto::Loc":$loc, "::mlir::Type":$dtype, "int64_t":$rows, "int64_t":$cols, "int64_t":$validRows,
    "int64_t":$validCols, "::placid::pto::BLayout":$blayout, "::placid::pto::SLayout":$slayout, "int64_t":$fractal,
    "int64_t":$pad);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Pto_LocalArray : Pto_Type<"LocalArray", "local_array"> {
  let summary = "a few scalars of the scalar unit";
  let description = [{ Printed `!pto.local_array<4xi32>`. }];
  let parameters = (ins "int64_t":$extent, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $extent `,` $elementType `>`";
}

#endif // PLACID_PTO_DIALECT_TD
