// SPDX-License-Identifier: Apache-2.0
#include "compiler/conversion/pl_to_pto/kernel_converter.h"
#include "compiler/conversion/pl_to_pto/passes.h"
#include "compiler/dialect/pl/lower/not_lowered.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace placid::conversion {

#define GEN_PASS_DEF_CONVERTPLTOPTO
#include "compiler/conversion/pl_to_pto/passes.h.inc"

using namespace mlir;

namespace {

/// Of the functions of a kernel of both cores.
const StringRef kEndings[] = {"_aic", "_aiv"};

/// A name that C accepts and no other kernel of the module has, alone and with each of the endings.
std::string kernelName(StringRef symbol, ArrayRef<StringRef> endings, llvm::StringSet<> &taken) {
  std::string name;
  for (char c : symbol) {
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  }
  if (name.empty() || llvm::isDigit(name.front())) {
    name = "kernel_" + name;
  }
  std::string unique = name;
  auto isTaken = [&] {
    return taken.contains(unique) ||
           llvm::any_of(endings, [&](StringRef ending) { return taken.contains((unique + ending).str()); });
  };
  for (unsigned i = 1; isTaken(); ++i) {
    unique = name + "_" + std::to_string(i);
  }
  taken.insert(unique);
  for (StringRef ending : endings) {
    taken.insert((unique + ending).str());
  }
  return unique;
}

struct ConvertPlToPto : impl::ConvertPlToPtoBase<ConvertPlToPto> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<std::pair<func::FuncOp, std::string>> kernels; // with the symbol of what they were made from
    llvm::StringSet<> halves;                                  // kernels of both cores that lack one of them
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
          if (op->hasAttr(pl::kNotLoweredAttr)) {
            pl::reportNotLowered(op);
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
        unit = kernelName(symbol, pipe ? ArrayRef<StringRef>(kEndings) : ArrayRef<StringRef>(),
                          names); // both functions of a group are called after one unit
      }
      const std::string name = !pipe ? unit : unit + kEndings[pipe->side == pl::CoreSide::Cube ? 0 : 1].str();
      KernelConverter converter(function, name, pipe ? StringRef(unit) : StringRef());
      // A function that waits for the other core's is nothing without it.
      auto peer = pipe ? module.lookupSymbol<func::FuncOp>(pipe->peer) : func::FuncOp();
      func::FuncOp kernel = converter.run();
      if (kernel && pipe && !(peer && pl::isLowerable(peer))) {
        kernel->destroy();
      } else if (!kernel && pipe) {
        pl::markFailed(function);
        halves.insert(symbol);
      } else if (kernel) {
        if (Attribute blocks = launches.lookup(symbol)) {
          kernel->setAttr(pl::kBlocksAttr, blocks);
        }
        kernels.emplace_back(kernel, symbol);
      }
    }
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      op.erase();
    }
    for (auto [kernel, symbol] : kernels) {
      if (halves.contains(symbol)) {
        kernel->destroy();
      } else {
        module.push_back(kernel);
      }
    }
    module->setAttr(pto::kTargetArchAttr, StringAttr::get(&getContext(), StringRef(pl::targetOf(module).name)));
    module->removeAttr(pl::kArchAttr);
    module->removeAttr(pl::kPlannerAttr);
  }
};

} // namespace

} // namespace placid::conversion
