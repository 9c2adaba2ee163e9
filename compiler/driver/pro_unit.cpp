// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/pro_unit.h"

#include "compiler/driver/pro_inspect.h"
#include "compiler/driver/pro_lowering.h"
#include "compiler/pro/check.h"

namespace placid::compiler {

bool needsContext(const UnitRequest &request) { return request.depth == Depth::Lower || request.dumpIr; }

UnitResult compileProKernel(CompileContext *context, const frontend::Program &program,
                            const frontend::KernelDecl &kernel, const std::string &arch, const UnitRequest &request,
                            const std::stop_token &stop) {
  UnitResult out;
  out.inspect.entry = kernel.qualifiedName;
  std::deque<pro::Trace> traces;
  bool wanted = context && needsContext(request);
  pro::KernelCheck check = pro::checkKernel(program, kernel, arch, stop, wanted ? &traces : nullptr);
  out.arch = target::archName(check.arch);
  out.stopped = check.stopped;
  out.diagnostics = std::move(check.diagnostics);
  if (wanted && !out.stopped) {
    bool done = lowerProKernel(*context->get(), program, kernel, check.arch, traces, request, stop, false, out);
    if (!done) {
      std::deque<pro::Trace> chosen;
      pro::KernelCheck again = pro::checkKernel(program, kernel, arch, stop, &chosen, true);
      out.stopped = again.stopped;
      if (!out.stopped) {
        lowerProKernel(*context->get(), program, kernel, check.arch, chosen, request, stop, true, out);
      }
    }
  }
  if (request.report && check.reader) {
    inspectPro(*check.reader, kernel.name, program.path(), out.diagnostics, out.inspect);
  }
  return out;
}

} // namespace placid::compiler
