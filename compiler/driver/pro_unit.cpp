// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/pro_unit.h"

#include "compiler/pro/check.h"

namespace placid::compiler {

namespace {

std::vector<Expr> toExprs(const std::vector<pro::Extent> &shape) {
  std::vector<Expr> out;
  for (const pro::Extent &extent : shape) {
    out.emplace_back(extent ? Expr(*extent) : Expr(std::string("?")));
  }
  return out;
}

InspectTensor toInspect(const pro::TensorInfo &tensor, const std::string &function) {
  InspectTensor out;
  out.name = tensor.name;
  out.function = function;
  out.annotation = tensor.annotation.range;
  out.layout = tensor.layout ? std::string(pro::name(*tensor.layout)) : "?";
  out.dtype = tensor.dtype ? std::string(pro::name(*tensor.dtype)) : "?";
  out.logical = toExprs(tensor.shape);
  if (tensor.layout != pro::Layout::NZ || tensor.poisoned || tensor.shape.size() < 2 || !tensor.dtype) {
    return out;
  }
  out.c0 = pro::c0(*tensor.dtype);
  pro::Extent rows = tensor.shape[tensor.shape.size() - 2];
  pro::Extent columns = tensor.shape.back();
  if (!rows || !columns || out.c0 == 0) {
    return out;
  }
  pro::NzPlane plane = pro::nzPlane(*rows, *columns, *tensor.dtype);
  std::vector<pro::Extent> blocked(tensor.shape.begin(), tensor.shape.end() - 2);
  blocked.insert(blocked.end(), plane.blocked.begin(), plane.blocked.end());
  out.blocked = toExprs(blocked);
  std::vector<pro::Extent> strides(blocked.size());
  pro::Extent stride = 1;
  for (size_t i = blocked.size(); i-- > 0;) {
    strides[i] = stride;
    bool fits = stride && blocked[i] && (*blocked[i] == 0 || *stride <= INT64_MAX / *blocked[i]);
    stride = fits ? pro::Extent(*stride * *blocked[i]) : std::nullopt;
  }
  out.strides = toExprs(strides);
  return out;
}

/// `pl.TileType(shape=[64, 128], dtype=pl.DT_FP16, target_memory=pl.MemorySpace.Mat, layout=pl.NZ)`, with the order of
/// its bytes and their number.
std::string typeText(const pro::TileTypeInfo &type) {
  std::string out = "pl.TileType(shape=" + pro::showShape(type.shape);
  out += type.dtype ? ", dtype=" + pro::spelled(*type.dtype) : "";
  out += type.space ? ", target_memory=pl.MemorySpace." + std::string(pro::name(*type.space)) : "";
  out += (type.layout ? ", layout=pl." + std::string(pro::name(*type.layout)) : "") + ")";
  if (!type.isStatic() || !type.dtype || !type.space || !type.layout) {
    return out;
  }
  out += "  # " + std::string(pro::orderText(*type.layout));
  if (pro::isBoxed(*type.layout)) {
    int64_t fractal = type.fractal.value_or(pro::defaultFractal(*type.space, *type.dtype, *type.layout));
    pro::Box box = pro::innerBox(*type.layout, fractal, *type.dtype);
    out += ", boxes of " + std::to_string(box.rows) + " x " + std::to_string(box.columns);
  }
  std::vector<int64_t> shape;
  for (const pro::Extent &extent : type.shape) {
    shape.push_back(*extent);
  }
  return out + ", " + std::to_string(pro::footprint(shape, *type.dtype)) + " bytes";
}

void addValues(const pro::KernelReader &reader, const std::string &path, InspectKernel &out) {
  for (const pro::KernelReader::Bound &bound : reader.bound()) {
    const pro::TileTypeInfo *type = bound.value.type    ? bound.value.type
                                    : bound.value.tile  ? bound.value.tile->type
                                    : bound.value.group ? bound.value.group->type
                                                        : nullptr;
    if (!type || bound.at.module->source->path != path) {
      continue;
    }
    InspectValue made;
    made.name = bound.name;
    made.range = bound.at.range;
    made.shape = toExprs(type->shape);
    made.dtype = type->dtype ? std::string(pro::name(*type->dtype)) : "?";
    made.place = type->space ? std::string(pro::name(*type->space)) : "?";
    made.place += type->layout ? " " + std::string(pro::name(*type->layout)) : "";
    made.type = typeText(*type);
    out.values.push_back(std::move(made));
  }
}

} // namespace

UnitResult compileProKernel(const frontend::Program &program, const frontend::KernelDecl &kernel,
                            const std::string &arch, const UnitRequest &request, const std::stop_token &stop) {
  UnitResult out;
  out.inspect.entry = kernel.qualifiedName;
  pro::KernelCheck check = pro::checkKernel(program, kernel, arch, stop);
  out.stopped = check.stopped;
  out.diagnostics = std::move(check.diagnostics);
  if (request.depth == Depth::Lower) {
    diag::Diagnostic d;
    d.code = diag::ProNotLowered.code;
    d.at = {program.path(), kernel.function->nameRange};
    d.message = diag::message(diag::ProNotLowered, "kernel `" + kernel.qualifiedName +
                                                       "` is of `pypto_pro`, which placid checks and does not "
                                                       "lower yet: its own route, C++ for bisheng, is the only one");
    d.kernel = kernel.qualifiedName;
    out.diagnostics.push_back(std::move(d));
  }
  if (request.report && check.reader) {
    for (const pro::TensorInfo &tensor : check.reader->tensors()) {
      if (tensor.annotation.module && tensor.annotation.module->source->path == program.path()) {
        out.inspect.tensors.push_back(toInspect(tensor, kernel.name));
      }
    }
    addValues(*check.reader, program.path(), out.inspect);
  }
  return out;
}

} // namespace placid::compiler
