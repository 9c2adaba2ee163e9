// SPDX-License-Identifier: Apache-2.0
// Operations of the `pto` dialect for kernels that were written for both cores: flags, and an accumulator that goes into the
// vector lanes' memories. Apart from pto_ops.td, because few files look at them.
#ifndef PLACID_PTO_CORE_OPS_TD
#define PLACID_PTO_CORE_OPS_TD

include "compiler/dialect/pto/ir/pto_dialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Pto_Op<string mnemonic, list<Trait> traits = []> : Op<Pto_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
}

def Pto_AccToVecOp : Pto_Op<"acc_to_vec", [AttrSizedOperandSegments]> {
  let summary = "an accumulator into the memory of one or both vector lanes, at one address";
  let description = [{
    Printed as `pto.tmov`. `mode` is the lane that gets all of it, `single_mode_vec0` or `single_mode_vec1`, or the axis
    that both divide, `dual_mode_split_m` or `dual_mode_split_n`. `preQuantScalar` and `fp` are those of a store.
  }];
  let arguments = (ins Pto_TileBuf:$src, Pto_TileBuf:$dst, Optional<Pto_TileBuf>:$fp, Optional<I64>:$preQuantScalar,
                       StrAttr:$mode, OptionalAttr<Pto_ReluPreModeAttr>:$reluPreMode);
  let assemblyFormat = [{
    $mode `ins` `(` $src `:` qualified(type($src)) (`fp` $fp^ `:` qualified(type($fp)))?
              (`,` $preQuantScalar^ `:` type($preQuantScalar))? `)`
    `outs` `(` $dst `:` qualified(type($dst)) `)` attr-dict
  }];
}

class Pto_IntraBlock<string mnemonic, string what> : Pto_Op<mnemonic> {
  let summary = what;
  let description = [{
    The flag is a number, 0 to 31, or an operand. The cube core sees the flags of the second vector lane from 16 on.
  }];
  let arguments = (ins StrAttr:$pipe, Optional<Index>:$event, OptionalAttr<I64Attr>:$static_event);
  let assemblyFormat = "$pipe (`,` $event^)? attr-dict";
}
def Pto_SetIntraBlockOp : Pto_IntraBlock<"set_intra_block", "a pipe raises a flag of the other core, in its order">;
def Pto_WaitIntraBlockOp : Pto_IntraBlock<"wait_intra_block", "a pipe waits until a flag is raised, and lowers it">;

#endif // PLACID_PTO_CORE_OPS_TD
