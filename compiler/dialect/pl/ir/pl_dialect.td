// SPDX-License-Identifier: Apache-2.0
// The `pl` dialect: PL kernels after name and type resolution. See docs/dialects/pl.md.
#ifndef PLACID_PL_DIALECT_TD
#define PLACID_PL_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Pl_Dialect : Dialect {
  let name = "pl";
  let cppNamespace = "::placid::pl";
  let summary = "PL kernels: GM tensors, on-chip tiles and the operations between them";
  let description = [{
    Functions are `func.func` with the discardable attributes
    `pl.kind` (`"incore"`, `"orchestration"`, `"opaque"`, `"inline"`, `"host"`, `"extern"`),
    `pl.entry` (the qualified source function) and, per argument, `pl.name`, `pl.dir` (`"in"`, `"out"`, `"inout"`),
    `pl.annotation` (the location of the `pl.NZ` annotation) and `pl.binding` (where a name that holds it was bound).
    Scalars are builtin `index`, integers and floats with `arith` operations; control flow is `scf`.
  }];
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
  let extraClassDeclaration = [{
    void registerTypes();
  }];
}

//===-- Enumerations ----------------------------------------------------------------------------------------------===//

class Pl_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::placid::pl";
  let genSpecializedAttr = 0;
}

// PL dtypes. The spelling is the one of PTO IR where that has one.
def Pl_DType : Pl_Enum<"DType", "element type", [
  I32EnumAttrCase<"Bool", 0, "bool">,   I32EnumAttrCase<"I4", 1, "i4">,       I32EnumAttrCase<"UI4", 2, "ui4">,
  I32EnumAttrCase<"I8", 3, "i8">,       I32EnumAttrCase<"UI8", 4, "ui8">,     I32EnumAttrCase<"I16", 5, "i16">,
  I32EnumAttrCase<"UI16", 6, "ui16">,   I32EnumAttrCase<"I32", 7, "i32">,     I32EnumAttrCase<"UI32", 8, "ui32">,
  I32EnumAttrCase<"I64", 9, "i64">,     I32EnumAttrCase<"UI64", 10, "ui64">,  I32EnumAttrCase<"FP4", 11, "fp4">,
  I32EnumAttrCase<"HF4", 12, "hf4">,    I32EnumAttrCase<"HF8", 13, "hf8">,    I32EnumAttrCase<"F8E4M3FN", 14, "f8e4m3fn">,
  I32EnumAttrCase<"F8E5M2", 15, "f8e5m2">, I32EnumAttrCase<"F8E8M0", 16, "f8e8m0">, I32EnumAttrCase<"F16", 17, "f16">,
  I32EnumAttrCase<"BF16", 18, "bf16">,  I32EnumAttrCase<"F32", 19, "f32">,    I32EnumAttrCase<"Index", 20, "index">,
  I32EnumAttrCase<"TaskId", 21, "task_id">
]>;

def Pl_Layout : Pl_Enum<"Layout", "GM byte order of a tensor", [
  I32EnumAttrCase<"ND", 0, "nd">, I32EnumAttrCase<"DN", 1, "dn">, I32EnumAttrCase<"NZ", 2, "nz">,
  I32EnumAttrCase<"MxAZZ", 3, "mx_a_zz">, I32EnumAttrCase<"MxBNN", 4, "mx_b_nn">
]>;

def Pl_Mem : Pl_Enum<"Mem", "memory space of a tile", [
  I32EnumAttrCase<"Unset", 0, "unset">, I32EnumAttrCase<"Vec", 1, "vec">, I32EnumAttrCase<"Mat", 2, "mat">,
  I32EnumAttrCase<"Left", 3, "left">, I32EnumAttrCase<"Right", 4, "right">, I32EnumAttrCase<"Acc", 5, "acc">,
  I32EnumAttrCase<"Bias", 6, "bias">, I32EnumAttrCase<"LeftScale", 7, "left_scale">,
  I32EnumAttrCase<"RightScale", 8, "right_scale">, I32EnumAttrCase<"DDR", 9, "ddr">,
  I32EnumAttrCase<"Scaling", 10, "scaling">
]>;

//===-- Types -----------------------------------------------------------------------------------------------------===//

class Pl_Type<string name, string typeMnemonic> : TypeDef<Pl_Dialect, name> { let mnemonic = typeMnemonic; }

def Pl_Tensor : Pl_Type<"Tensor", "tensor"> {
  let summary = "a tensor in GM";
  let description = [{
    `!pl.tensor<[256, 512] x i8, nz>`, `!pl.tensor<[B, 32, 64] x f16, nz>`.
    Extents are in elements: integers, or the name of a dynamic dimension. Never an SSA value.
    Optional clauses: `strides = […]` (elements), `valid = […]`, `distributed`.
    An NZ type is logical until BlockNzTensorViews has run (the function then carries `nz_tensor_views_blocked`) and
    the blocked rank-5 form `[B, C/c0, R/16, 16, c0]` after it; the two cannot be told apart by shape.
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::Attribute">:$dims,
    "::placid::pl::DType":$dtype,
    "::placid::pl::Layout":$layout,
    ArrayRefParameter<"::mlir::Attribute">:$strides,
    ArrayRefParameter<"::mlir::Attribute">:$valid,
    "bool":$distributed);
  let builders = [
    TypeBuilder<(ins "::llvm::ArrayRef<::mlir::Attribute>":$dims, "::placid::pl::DType":$dtype,
                     CArg<"::placid::pl::Layout", "::placid::pl::Layout::ND">:$layout), [{
      return $_get($_ctxt, dims, dtype, layout, ::llvm::ArrayRef<::mlir::Attribute>{},
                   ::llvm::ArrayRef<::mlir::Attribute>{}, false);
    }]>,
    TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$extents, "::placid::pl::DType":$dtype,
                     CArg<"::placid::pl::Layout", "::placid::pl::Layout::ND">:$layout)>
  ];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getDims().size(); }
    bool isNz() const { return getLayout() == ::placid::pl::Layout::NZ; }
    /// The extent of `axis` in elements; nullopt when it is dynamic.
    std::optional<int64_t> getExtent(unsigned axis) const;
    bool hasStaticShape() const;
    /// The same type with other extents; strides and valid are dropped.
    TensorType withDims(::llvm::ArrayRef<::mlir::Attribute> dims) const;
  }];
}

def Pl_Tile : Pl_Type<"Tile", "tile"> {
  let summary = "a tile in on-chip memory";
  let description = [{
    `!pl.tile<256x512xi8, mat>`, `!pl.tile<64x96xi8, mat, valid = [?, 96], transposed>`.
    The physical shape is static. `valid` is the live part (absent: all of it); a `?` is known at run time, and the op
    that produces the tile says from which operand. `transposed` swaps the two block layouts of the space's default.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::placid::pl::DType":$dtype,
    "::placid::pl::Mem":$mem,
    ArrayRefParameter<"int64_t">:$valid,
    "bool":$transposed);
  let builders = [
    TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::placid::pl::DType":$dtype, "::placid::pl::Mem":$mem), [{
      return $_get($_ctxt, shape, dtype, mem, ::llvm::ArrayRef<int64_t>{}, false);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    /// The valid extents with absence spelled out.
    ::llvm::ArrayRef<int64_t> getValidOrShape() const { return getValid().empty() ? getShape() : getValid(); }
    TileType withShape(::llvm::ArrayRef<int64_t> shape, ::llvm::ArrayRef<int64_t> valid = {}) const;
    TileType withMem(::placid::pl::Mem mem) const;
  }];
}

def Pl_Handle : Pl_Type<"Handle", "handle"> {
  let summary = "something that only other operations look into";
  let description = [{
    `!pl.handle<task>`: the id of a task. Also `ptr` (a buffer of bytes), `context`, `event`, `session` (prefetching) and
    `commctx` (a communication context).
  }];
  let parameters = (ins StringRefParameter<"task, ptr, context, event, session or commctx">:$kind);
  let assemblyFormat = "`<` custom<Word>($kind) `>`";
}

def Pl_Array : Pl_Type<"Array", "array"> {
  let summary = "a small array of scalars or task ids";
  let description = "`!pl.array<4 x task_id>`";
  let parameters = (ins "int64_t":$extent, "::placid::pl::DType":$dtype);
  let hasCustomAssemblyFormat = 1;
}

// An integer operand of PL: INDEX is `index`, INTn and UINTn are `in`.
def Pl_Int : AnyTypeOf<[Index, AnySignlessInteger], "index or integer">;
def Pl_Scalar : AnyTypeOf<[Index, AnySignlessInteger, AnyFloat], "scalar">;
def Pl_TensorOrTile : AnyTypeOf<[Pl_Tensor, Pl_Tile], "tensor or tile">;

#endif // PLACID_PL_DIALECT_TD
