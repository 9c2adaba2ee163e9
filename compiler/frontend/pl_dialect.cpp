// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/pl_dialect.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/frontend/const_value.h"
#include "compiler/frontend/dialect_names.h"
#include "compiler/ops/op_table.h"

#include <algorithm>
#include <map>

namespace placid::frontend {

namespace {

// What the second dialect exports.
constexpr std::string_view kProNames =
    "jit kernel KernelDef function inline program vector_function parse parser loads parse_program loads_program "
    "pipeline "
    "Tensor Tile Ptr Scalar DYNAMIC STATIC system simt mutex TileType make_tile make_tensor make_ptr addptr struct "
    "make_tuple struct_array FunctionType MemRef MemorySpace TilePad PipeType TensorLayout ND DN NZ ZN NN ZZ "
    "ReluPreMode "
    "AtomicType STPhase AccPhase AccToVecMode RoundMode QuantMode CrossCoreSyncMode SyncCoreType SyncAllMode CacheLine "
    "DcciDst DT_BOOL DT_INT4 DT_INT8 DT_INT16 DT_INT32 DT_INT64 DT_UINT4 DT_UINT8 DT_UINT16 DT_UINT32 DT_UINT64 DT_FP4 "
    "DT_FP4E2M1 DT_FP4E1M2 DT_FP8E4M3FN DT_FP8E5M2 DT_FP8E8M0 DT_FP16 DT_BF16 DT_FP32 DT_HF4 DT_HF8 load load_tile "
    "store "
    "store_tile move insert ssbuf_store ssbuf_load add sub mul div maximum minimum and_ shl shr xor expands neg abs "
    "exp log "
    "sqrt rsqrt recip relu fillpad FillPadMode cast add_relu_cast sub_relu_cast mul_cast eq ne lt le gt ge select "
    "add_relu "
    "sub_relu addc mul_add_dst fused_mul_add fused_mul_add_relu axpy partadd partmax partmin partmul matmul matmul_acc "
    "matmul_mx matmul_mx_acc transpose sum argmax argmin expand_max expand_min expand_mul expand_sub expand_div gather "
    "gatherb gathermask scatter mrgsort mrgsort2 sort32 histogram quant dequant getval setval set_validshape "
    "set_stride "
    "set_mask_count set_mask_norm set_vec_mask reset_mask fill_index Vf pto_assert printf dump_data trap min max const "
    "range section_vector section_cube get_block_idx get_subblock_idx get_block_num get_subblock_num make_tile_group "
    "constexpr Input Output MaskPattern MergeMode ReduceMode CompareMode DuplicatePos CastLayout VFRoundMode "
    "SaturateMode "
    "SaturationFlagMode BinType HistType SqueezeMode PackPart MaskWidth LoadDist StoreDist DataCopyMode MemBarMode "
    "IndexOrder init_output reinterpret set_ctrl_spr get_ctrl_spr reset_ctrl_spr set_saturation_flag "
    "get_saturation_flag get_spr astype";

void addWords(std::string_view words, std::set<std::string> &out) {
  while (!words.empty()) {
    size_t space = std::min(words.find(' '), words.size());
    out.emplace(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
  }
}

std::map<std::string, std::set<std::string>, std::less<>> makeExports() {
  std::map<std::string, std::set<std::string>, std::less<>> out;
  addDialectNames("pl", out["pl"]);
  addDialectNames("pld", out["pld"]);
  addWords(kProNames, out["pro"]);
  for (const std::string &path : ops::opPaths()) {
    size_t dot = path.find('.');
    std::string rest = path.substr(dot + 1);
    std::set<std::string> &names = out[path.substr(0, dot)];
    names.insert(rest.substr(0, rest.find('.')));
    if (path.starts_with("pld.")) {
      names.insert(rest.substr(rest.rfind('.') + 1)); // `pld.window` is `pld.tensor.window`
    }
  }
  return out;
}

} // namespace

std::string_view PlDialect::prefixOf(std::string_view module) const { return dialectPrefix(module); }

const std::set<std::string> &PlDialect::exportsOf(std::string_view prefix) const {
  static const auto kExports = makeExports();
  return kExports.find(prefix)->second;
}

std::optional<std::string> PlDialect::member(std::string_view path, std::string_view name) const {
  return path == "pl" && name == "distributed" ? std::optional<std::string>("pld") : std::nullopt;
}

bool PlDialect::keepsFunction(std::string_view path) const {
  return path == "pro.vector_function" || path == "pro.inline";
}

bool PlDialect::makesKernel(std::string_view path) const {
  return path == "pl.jit" || path.starts_with("pl.jit.") || path == "pl.function" || path == "pl.inline" ||
         path == "pro.jit" || path == "pro.kernel";
}

bool PlDialect::makesProgram(std::string_view path) const { return path == "pl.program"; }

unsigned PlDialect::bytesOf(std::string_view path) const {
  std::optional<pl::DType> dtype =
      path.starts_with("pl.") ? pl::dtypeFromPlName(std::string(path.substr(3))) : std::nullopt;
  unsigned bits = dtype ? pl::bitWidth(*dtype) : 0;
  return bits % 8 == 0 ? bits / 8 : 0;
}

} // namespace placid::frontend
