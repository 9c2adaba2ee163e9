// SPDX-License-Identifier: Apache-2.0
// Programs and scopes over an evaluation.
#include "compiler/frontend/program.h"

#include "compiler/evaluator/builtin_names.h"
#include "compiler/frontend/evaluation.h"

#include <algorithm>
#include <set>

namespace placid::frontend {

Program::Program() = default;
Program::~Program() = default;

const Binding *Scope::find(std::string_view name) const {
  const Binding *open = nullptr;
  for (const Scope *scope = this; scope; scope = scope->parent) {
    auto it = scope->names.find(name);
    if (it != scope->names.end()) {
      return &it->second;
    }
    if (const py::Slot *slot = scope->env ? scope->env->names.find(name) : nullptr) {
      return &scope->names.emplace(std::string(name), scope->evaluation->bindingOf(*slot)).first->second;
    }
    open = !open && scope->others ? &*scope->others : open;
  }
  // What Python itself has, and what every method has, is no module's to bring.
  bool own = py::isBuiltinName(name) || name == "self" || name == "__name__";
  return open && !own ? open : nullptr;
}

std::vector<std::string> Scope::visibleNames() const {
  std::set<std::string> out;
  for (const Scope *scope = this; scope; scope = scope->parent) {
    for (const auto &[name, binding] : scope->names) {
      out.insert(name);
    }
    for (const py::Namespace::Entry &entry :
         scope->env ? scope->env->names.entries() : std::vector<py::Namespace::Entry>()) {
      if (entry.slot.present) {
        out.insert(std::string(entry.name));
      }
    }
  }
  return {out.begin(), out.end()};
}

std::string_view kindName(KernelKind kind) {
  switch (kind) {
  case KernelKind::Incore:
    return "incore";
  case KernelKind::Orchestration:
    return "orchestration";
  case KernelKind::Opaque:
    return "opaque";
  case KernelKind::Inline:
    return "inline";
  case KernelKind::Host:
    return "host";
  case KernelKind::Extern:
    return "extern";
  }
  return "";
}

const KernelDecl *Program::method(std::string_view programClass, std::string_view name) const {
  for (const std::deque<KernelDecl> *list : {&kernels, &imported}) {
    for (const KernelDecl &kernel : *list) {
      if (kernel.programClass == programClass && kernel.name == name) {
        return &kernel;
      }
    }
  }
  return nullptr;
}

source::SourcePtr Program::sourceOf(const std::string &wanted) const {
  if (wanted == path()) {
    return module->source;
  }
  const auto &modules = evaluation->interpreter().modules();
  auto found = modules.find(wanted);
  return found != modules.end() && found->second->tree ? found->second->tree->source : nullptr;
}

py::Interpreter &interpreterOf(const Program &program) { return program.evaluation->interpreter(); }

std::string originText(const Binding &binding) {
  if (!binding.origin.source) {
    return {};
  }
  const source::SourceText &text = *binding.origin.source;
  std::string name = text.path.substr(text.path.rfind('/') + 1);
  return name + ":" + std::to_string(text.lines.lineColumn(binding.origin.range.begin).line + 1);
}

std::unique_ptr<Program> buildProgram(std::shared_ptr<const syntax::Module> module, const ProgramOptions &options) {
  auto program = std::make_unique<Program>();
  program->module = std::move(module);
  const std::string &path = program->path();
  for (const syntax::SyntaxFault &fault : program->module->faults) {
    diag::Diagnostic d;
    d.at = {path, fault.range};
    if (fault.tooDeep) {
      d.code = diag::NestedTooDeep.code;
      d.message = diag::message(diag::NestedTooDeep, static_cast<int64_t>(syntax::kMaxDepth));
    } else {
      d.code = diag::SyntaxError.code;
      d.message = diag::message(diag::SyntaxError, fault.message);
    }
    program->diagnostics.push_back(std::move(d));
  }
  program->evaluation = std::make_unique<Evaluation>(*program, options);
  program->evaluation->run();
  return program;
}

std::unique_ptr<Program> buildProgram(std::shared_ptr<const syntax::Module> module,
                                      const std::map<std::string, std::string> &defines) {
  ProgramOptions options;
  options.defines = defines;
  return buildProgram(std::move(module), options);
}

} // namespace placid::frontend
