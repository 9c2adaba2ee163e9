// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/ir_dump.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <algorithm>

namespace placid::compiler {

namespace {

class Instrumentation : public mlir::PassInstrumentation {
public:
  explicit Instrumentation(IrDump &dump) : dump_(dump) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override { dump_.add(pass->getName(), op); }

private:
  IrDump &dump_;
};

} // namespace

void IrDump::add(std::string_view pass, mlir::Operation *op) {
  if (!out_ || pass.find("Adaptor") != std::string_view::npos || pass.find('(') != std::string_view::npos) {
    return;
  }
  pass = pass.ends_with("Pass") ? pass.substr(0, pass.size() - 4) : pass;
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream);
  stream << '\n';
  auto same = std::find_if(out_->begin(), out_->end(), [&](const IrUnit &unit) { return unit.pass == pass; });
  if (same != out_->end()) {
    same->text += text;
  } else {
    out_->push_back({kernel_, std::string(pass), std::move(text)});
  }
}

void IrDump::attach(mlir::PassManager &pm) {
  if (out_) {
    pm.addInstrumentation(std::make_unique<Instrumentation>(*this));
  }
}

} // namespace placid::compiler
