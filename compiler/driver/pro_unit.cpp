// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/pro_unit.h"

#include "compiler/driver/pro_lowering.h"
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
  // The batch axes lie behind one another: one axis of planes, as in the first dialect.
  pro::Extent planes = 1;
  for (size_t i = 0; i + 2 < tensor.shape.size(); ++i) {
    bool fits = planes && tensor.shape[i] && (*tensor.shape[i] == 0 || *planes <= INT64_MAX / *tensor.shape[i]);
    planes = fits ? pro::Extent(*planes * *tensor.shape[i]) : std::nullopt;
  }
  std::vector<pro::Extent> blocked{planes};
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

/// An offset in units of `unit` elements: `i * 64` with 16 as `floordiv(i * 64, 16)`.
Expr inUnits(const pro::NzAccess::Offset &offset, int64_t unit) {
  if (offset.constant && *offset.constant % unit == 0) {
    return *offset.constant / unit;
  }
  std::string text = offset.constant ? std::to_string(*offset.constant) : offset.text;
  return unit == 1 ? text : "floordiv(" + text + ", " + std::to_string(unit) + ")";
}

InspectAccess toInspect(const pro::NzAccess &access) {
  InspectAccess out;
  out.op = access.load ? "load" : "store";
  out.tensor = access.tensor;
  out.result = access.tile;
  out.range = access.at.range;
  const pro::NzAccess::Offset &row = access.offsets[access.offsets.size() - 2];
  Expr inFractal = row.constant ? Expr(*row.constant % pro::kFractalRows) : Expr(std::string("?"));
  Expr plane = int64_t{0};
  if (access.offsets.size() == 3) {
    plane = inUnits(access.offsets[0], 1);
  } else if (access.offsets.size() > 3) {
    plane = std::string("?");
  }
  out.offsets = {plane, inUnits(access.offsets.back(), access.c0), inUnits(row, pro::kFractalRows), inFractal,
                 int64_t{0}};
  out.sizes = {int64_t{1}, access.columns / access.c0, access.rows / pro::kFractalRows, int64_t{pro::kFractalRows},
               access.c0};
  out.tile = {access.rows, access.columns};
  return out;
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

bool needsContext(const UnitRequest &request) { return request.depth == Depth::Lower || request.dumpIr; }

UnitResult compileProKernel(CompileContext *context, const frontend::Program &program,
                            const frontend::KernelDecl &kernel, const std::string &arch, const UnitRequest &request,
                            const std::stop_token &stop) {
  UnitResult out;
  out.inspect.entry = kernel.qualifiedName;
  std::deque<pro::Trace> traces;
  bool wanted = context && needsContext(request);
  pro::KernelCheck check = pro::checkKernel(program, kernel, arch, stop, wanted ? &traces : nullptr);
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
    for (const pro::TensorInfo &tensor : check.reader->tensors()) {
      if (tensor.annotation.module && tensor.annotation.module->source->path == program.path()) {
        out.inspect.tensors.push_back(toInspect(tensor, kernel.name));
      }
    }
    for (const pro::NzAccess &access : check.reader->accesses()) {
      if (access.at.module->source->path == program.path()) {
        out.inspect.accesses.push_back(toInspect(access));
      }
    }
    addValues(*check.reader, program.path(), out.inspect);
  }
  return out;
}

} // namespace placid::compiler
