// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/check.h"

#include <algorithm>

namespace placid::pro {

namespace {

using syntax::Expr;

/// A function without a Tensor, Ptr or scalar parameter stays plain Python under its decorator.
bool isKernel(const frontend::KernelDecl &kernel, py::Interpreter &interpreter) {
  auto ofDialect = [&](const Expr *annotation) {
    const Expr *base = annotation && annotation->kind == Expr::Kind::Subscript ? annotation->children[0] : annotation;
    if (!base) {
      return false;
    }
    py::Value value = interpreter.evaluate(*base, kernel.scope->env);
    bool named = value.is(py::Kind::Pl) && py::textOf(value).starts_with("pro.");
    return named || value.is(py::Kind::PlType);
  };
  return std::any_of(kernel.function->parameters.begin(), kernel.function->parameters.end(),
                     [&](const syntax::Parameter &parameter) { return ofDialect(parameter.annotation); });
}

const syntax::Keyword *option(const frontend::KernelDecl &kernel, std::string_view name) {
  if (!kernel.decorator || kernel.decorator->kind != Expr::Kind::Call) {
    return nullptr;
  }
  for (const syntax::Keyword &keyword : kernel.decorator->keywords) {
    if (keyword.name == name) {
      return &keyword;
    }
  }
  return nullptr;
}

/// The fields of a class `tiling_key=`: names of the kernel whose numbers the launch chooses.
std::vector<std::string_view> tilingKeys(const py::Value &value) {
  std::vector<std::string_view> out;
  const auto *type = value.is(py::Kind::Class) ? &value.as<py::ClassObject>() : nullptr;
  bool written = type && type->definition && type->definition->kind == syntax::Stmt::Kind::Class;
  for (const syntax::Stmt *stmt : written ? type->definition->body : std::vector<const syntax::Stmt *>()) {
    bool field = stmt->kind == syntax::Stmt::Kind::Assign && stmt->targets.size() == 1 &&
                 stmt->targets[0]->kind == Expr::Kind::Name && stmt->value && stmt->value->kind == Expr::Kind::Call &&
                 stmt->value->children[0]->text == "TilingKeyField";
    if (field) {
      out.push_back(stmt->targets[0]->text);
    }
  }
  return out;
}

/// The names that `datatype={"x": "io_dtype"}` gives to the dtypes of a launch.
std::set<std::string, std::less<>> dtypeNames(const py::Value &value) {
  std::set<std::string, std::less<>> out;
  for (const py::DictObject::Entry &entry :
       value.is(py::Kind::Dict) ? value.as<py::DictObject>().entries : std::vector<py::DictObject::Entry>()) {
    if (entry.live && entry.value.is(py::Kind::Str)) {
      out.insert(py::textOf(entry.value));
    }
  }
  return out;
}

} // namespace

KernelCheck checkKernel(const frontend::Program &program, const frontend::KernelDecl &kernel, const std::string &arch,
                        const std::stop_token &stop, std::deque<Trace> *traces, bool chooseSlots) {
  KernelCheck out;
  py::Interpreter &interpreter = frontend::interpreterOf(program);
  auto value = [&](const syntax::Keyword &keyword) { return interpreter.evaluate(*keyword.value, kernel.scope->env); };
  const syntax::Keyword *declared = option(kernel, "arch");
  py::Value given = declared ? value(*declared) : py::Value();
  std::optional<target::Arch> asked = target::parseArch(arch);
  std::optional<target::Arch> own = given.is(py::Kind::Str) ? target::parseArch(py::textOf(given)) : std::nullopt;
  KernelReader::Setup setup;
  setup.traces = traces;
  setup.chooseSlots = chooseSlots;
  setup.arch = asked ? *asked : own.value_or(target::Arch::A5);
  if (const syntax::Keyword *mutex = option(kernel, "auto_mutex")) {
    py::Value on = value(*mutex);
    setup.autoMutex = !on.is(py::Kind::Bool) || on.integer != 0;
  }
  if (const syntax::Keyword *keys = option(kernel, "tiling_key")) {
    setup.tilingKeys = tilingKeys(value(*keys));
  }
  if (const syntax::Keyword *names = option(kernel, "datatype")) {
    setup.dtypeNames = dtypeNames(value(*names));
  }
  out.arch = setup.arch;
  if (!isKernel(kernel, interpreter)) {
    return out;
  }
  if (given.is(py::Kind::Str) && !own && !py::textOf(given).empty()) {
    Reports reports(kernel.qualifiedName, out.diagnostics);
    reports.report(diag::ProArchSupport, {kernel.module, declared->value->range},
                   "`" + std::string(py::textOf(given)) + "` is no architecture: `pypto_pro` supports Ascend 950 (a5)" +
                       (asked ? "" : ", for which the kernel is checked"));
  }
  if (setup.arch != target::Arch::A5) {
    Reports reports(kernel.qualifiedName, out.diagnostics);
    bool byDecorator = !asked && declared;
    source::ByteRange at = byDecorator ? declared->value->range : kernel.function->nameRange;
    reports.report(diag::ProArchSupport, {kernel.module, at},
                   "`pypto_pro` supports Ascend 950 (a5) and not " + std::string(target::archName(setup.arch)) +
                       ": the kernel is checked with the layouts and sizes of A3");
  }
  out.reader = std::make_unique<KernelReader>(program, kernel, setup, out.diagnostics, stop);
  out.reader->read();
  out.stopped = out.reader->stopped();
  return out;
}

} // namespace placid::pro
