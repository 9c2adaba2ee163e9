// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/pl_dialect.h"

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/frontend/const_value.h"
#include "compiler/ops/op_table.h"

#include <algorithm>
#include <map>

namespace placid::frontend {

namespace {

// What the dialects export beside their dtypes and operations.
constexpr std::string_view kPlNames =
    "ND DN NZ MX_A_ZZ MX_B_NN TensorLayout Mem MemorySpace Tensor Tile Scalar Tuple Out InOut Array Ptr TensorView "
    "TileView MemRef DistributedTensor FunctionType Level ScopeMode SplitMode AtomicType PadValue PipeType TaskId jit "
    "function program inline dynamic const constexpr range parallel pipeline unroll while_ cond yield_ at spmd submit "
    "spmd_submit scope manual_scope cluster split split_aiv auto_chunk incore func_attr static_print static_assert "
    "cross_core_slot";
constexpr std::string_view kPldNames = "DistributedTensor WaitCmp NotifyOp ReduceOp CommCtx";

void addWords(std::string_view words, std::set<std::string> &out) {
  while (!words.empty()) {
    size_t space = std::min(words.find(' '), words.size());
    out.emplace(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
  }
}

std::map<std::string, std::set<std::string>, std::less<>> makeExports() {
  std::map<std::string, std::set<std::string>, std::less<>> out;
  addWords(kPlNames, out["pl"]);
  addWords(kPldNames, out["pld"]);
  for (unsigned i = 0; i <= static_cast<unsigned>(pl::DType::TaskId); ++i) {
    out["pl"].insert(pl::plName(static_cast<pl::DType>(i)).str());
  }
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

bool PlDialect::makesKernel(std::string_view path) const {
  return path == "pl.jit" || path.starts_with("pl.jit.") || path == "pl.function" || path == "pl.inline";
}

bool PlDialect::makesProgram(std::string_view path) const { return path == "pl.program"; }

unsigned PlDialect::bytesOf(std::string_view path) const {
  std::optional<pl::DType> dtype =
      path.starts_with("pl.") ? pl::dtypeFromPlName(std::string(path.substr(3))) : std::nullopt;
  unsigned bits = dtype ? pl::bitWidth(*dtype) : 0;
  return bits % 8 == 0 ? bits / 8 : 0;
}

} // namespace placid::frontend
