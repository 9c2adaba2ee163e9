// SPDX-License-Identifier: Apache-2.0
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/mlir_bridge/emit_diag.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace placid::conversion {

#define GEN_PASS_DEF_CONVERTPLTOPTO
#include "compiler/conversion/pl_to_pto/passes.h.inc"

using namespace mlir;

namespace {

/// A name that C accepts and no other kernel of the module has.
std::string kernelName(StringRef symbol, llvm::StringSet<> &taken) {
  std::string name;
  for (char c : symbol) {
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  }
  if (name.empty() || llvm::isDigit(name.front())) {
    name = "kernel_" + name;
  }
  std::string unique = name;
  for (unsigned i = 1; !taken.insert(unique).second; ++i) {
    unique = name + "_" + std::to_string(i);
  }
  return unique;
}

struct ConvertPlToPto : impl::ConvertPlToPtoBase<ConvertPlToPto> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> kernels;
    llvm::StringSet<> names;
    llvm::StringMap<Attribute> launches; // callee to the number of blocks of its launch
    module.walk([&](func::CallOp call) {
      if (Attribute blocks = call->getAttr(pl::kBlocksAttr)) {
        launches.try_emplace(call.getCallee(), blocks);
      }
    });
    llvm::StringMap<std::string> groups; // kernel to the name of its unit
    std::string alone;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function->hasAttr(pl::kLeftAttr) && !function->hasAttr(pl::kFailedAttr)) {
        function.walk([](Operation *op) {
          if (auto why = op->getAttrOfType<StringAttr>(pl::kNotLoweredAttr)) {
            bridge::emitDiag(pl::rangeLoc(op->getLoc()), diag::NotLowered, why.getValue().str());
          }
        });
      }
      if (!pl::isLowerable(function)) {
        continue;
      }
      const std::optional<pl::CorePipe> pipe = pl::corePipeOf(function);
      const std::string symbol = pipe ? pipe->kernel : function.getSymName().str();
      std::string &unit = pipe ? groups[symbol] : alone;
      if (!pipe || unit.empty()) {
        unit = kernelName(symbol, names); // both functions of a group are called after one unit
      }
      const std::string name = !pipe ? unit : unit + (pipe->side == pl::CoreSide::Cube ? "_aic" : "_aiv");
      KernelConverter converter(function, name, pipe ? StringRef(unit) : StringRef());
      if (func::FuncOp kernel = converter.run()) {
        if (Attribute blocks = launches.lookup(symbol)) {
          kernel->setAttr(pl::kBlocksAttr, blocks);
        }
        kernels.push_back(kernel);
      }
    }
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      op.erase();
    }
    for (func::FuncOp kernel : kernels) {
      module.push_back(kernel);
    }
    module->setAttr(pto::kTargetArchAttr, StringAttr::get(&getContext(), StringRef(pl::targetOf(module).name)));
    module->removeAttr(pl::kArchAttr);
  }
};

} // namespace

} // namespace placid::conversion
