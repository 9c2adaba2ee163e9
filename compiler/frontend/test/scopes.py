# RUN: placid ir --no-daemon --after FrontEnd %s | FileCheck %s
# Core scopes, subscript sugar and scalar widths.
import pypto.language as pl

N_TILE = 64
N = pl.dynamic("N")


# The extent of `n0 : n0 + 64` is 64, whatever n0 is; the offset keeps the form the source gives it.
# CHECK-LABEL: func.func @spmd
# CHECK: pl.incore "mm" blocks(%{{.*}} : index) -> !pl.tensor<[16, 256] x f32>
# CHECK: %[[NB:.*]] = pl.block_idx
# CHECK: %[[N0:.*]] = arith.muli %[[NB]], %{{.*}} : index
# CHECK: pl.tensor.slice %arg1 [%[[N0]], 0] sizes [64, 64]
# CHECK: pl.tensor.matmul {{.*}} {b_trans}
# CHECK: pl.tensor.assemble {{.*}} into %arg2 [0, %[[N0]]]
@pl.jit
def spmd(
    a: pl.Tensor[[16, 64], pl.FP16],
    w: pl.Tensor[[256, 64], pl.FP16, pl.NZ],
    out: pl.Out[pl.Tensor[[16, 256], pl.FP32]],
):
    for nb in pl.spmd(4, name_hint="mm"):
        n0 = nb * N_TILE
        wt = w[n0 : n0 + N_TILE, :]
        out[:, n0 : n0 + N_TILE] = pl.matmul(a[0:16, 0:64], wt, b_trans=True, out_dtype=pl.FP32)
    return out


# A scalar index drops its axis; a dynamic extent stays a symbol.
# CHECK-LABEL: func.func @dropped
# CHECK-SAME: !pl.tensor<[N, 32, 64] x f16, nz>
# CHECK: pl.tensor.slice %arg0 [%{{.*}}, 0, 0] sizes [1, 32, 64] drop [0]
# CHECK-SAME: -> <[32, 64] x f16, nz>
@pl.jit
def dropped(w: pl.Tensor[[N, 32, 64], pl.FP16, pl.NZ], e: pl.Scalar[pl.INDEX]):
    one = w[e]
    return one


# A literal takes the width of its neighbour: the product wraps in 32 bits, as the source says.
# CHECK-LABEL: func.func @widths
# CHECK: %[[K:.*]] = arith.constant 256 : i32
# CHECK: %[[P:.*]] = arith.muli %arg1, %[[K]] : i32
# CHECK: pl.tile.load %arg0 [%[[P]] : i32, 0]
@pl.program
class Widths:
    @pl.function(type=pl.FunctionType.InCore)
    def widths(self, x: pl.Tensor[[512, 64], pl.FP16], i: pl.Scalar[pl.INT32]):
        _t = pl.load(x, [i * 256, 0], [64, 64], target_memory=pl.Mem.Mat)
