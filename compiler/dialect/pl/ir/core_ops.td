// SPDX-License-Identifier: Apache-2.0
// Operations of the `pl` dialect for kernels that were written for both cores: flags, and tiles that both name. Apart from
// pl_ops.td, because few files look at them.
#ifndef PLACID_PL_CORE_OPS_TD
#define PLACID_PL_CORE_OPS_TD

include "compiler/dialect/pl/ir/pl_dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Pl_Op<string mnemonic, list<Trait> traits = []> : Op<Pl_Dialect, mnemonic, traits>;

def Pl_CoreSetOp : Pl_Op<"core.set", []> {
  let summary = "raises a flag of the other core, once everything that this core has begun is done";
  let description = [{
    For kernels whose two functions order themselves. Each vector lane has flags 0 to 15, and the cube core sees those of
    the second lane as 16 to 31. A flag counts how often it was raised. `pipe` is the unit that raises it: "FIX" …
  }];
  let arguments = (ins StrAttr:$pipe, Index:$event);
  let assemblyFormat = "$pipe `,` $event attr-dict";
}

def Pl_CoreWaitOp : Pl_Op<"core.wait", []> {
  let summary = "holds this core until a flag is raised, and lowers it by one";
  let arguments = (ins StrAttr:$pipe, Index:$event);
  let assemblyFormat = "$pipe `,` $event attr-dict";
}

def Pl_SharedTileOp : Pl_Op<"shared.tile", []> {
  let summary = "bytes that both cores of a kernel name, at an address that both know";
  let description = [{ Memory, no value: what it holds is what was put there last, by either core. }];
  let arguments = (ins I64Attr:$address);
  let results = (outs Pl_Tile:$result);
  let assemblyFormat = "$address attr-dict `:` type($result)";
}

def Pl_SharedPutOp : Pl_Op<"shared.put", [AttrSizedOperandSegments]> {
  let summary = "writes a tile into a shared one";
  let description = [{
    `how` is "copy" for a whole Vec tile, "insert" for a Vec tile that becomes a window of a Mat tile at the offsets, by
    way of `scratch`, a tile of its size; and for an accumulator the vector lane that gets it, "vec0" or "vec1", or the
    axis that both divide, "split_m" or "split_n". `scale` and `relu` are those of `tile.store`.
  }];
  let arguments = (ins Pl_Tile:$source, Pl_Tile:$target, Optional<Pl_Tile>:$scratch, Variadic<Index>:$offsets,
                       StrAttr:$how, UnitAttr:$relu, Optional<AnyType>:$scale);
  let assemblyFormat = [{
    $how $source `into` $target (`[` $offsets^ `]`)? (`scratch` $scratch^ `:` type($scratch))?
    (`scale` $scale^ `:` type($scale))? attr-dict `:` type($source) `,` type($target)
  }];
}

#endif // PLACID_PL_CORE_OPS_TD
