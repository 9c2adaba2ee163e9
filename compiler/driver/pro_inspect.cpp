// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/pro_inspect.h"

#include "compiler/pro/rules/rules.h"

#include <string_view>
#include <utility>

namespace placid::compiler {

namespace {

std::vector<Expr> toExprs(const std::vector<pro::Extent> &shape) {
  std::vector<Expr> out;
  for (const pro::Extent &extent : shape) {
    out.emplace_back(extent ? Expr(*extent) : Expr(std::string("?")));
  }
  return out;
}

std::optional<int64_t> number(const Expr &value) {
  const auto *found = std::get_if<int64_t>(&value);
  return found ? std::optional(*found) : std::nullopt;
}

bool isUnknown(const Expr &value) {
  const auto *text = std::get_if<std::string>(&value);
  return text && *text == "?";
}

std::string textOf(const Expr &value) {
  const auto *text = std::get_if<std::string>(&value);
  return text ? *text : std::to_string(std::get<int64_t>(value));
}

Expr unknown() { return std::string("?"); }

Expr times(const Expr &a, const Expr &b) {
  std::optional<int64_t> x = number(a);
  std::optional<int64_t> y = number(b);
  int64_t product = 0;
  if (x && y) {
    return __builtin_mul_overflow(*x, *y, &product) ? unknown() : Expr(product);
  }
  if (x == 0 || y == 0) {
    return int64_t{0};
  }
  if (x == 1 || y == 1) {
    return x == 1 ? b : a;
  }
  if (isUnknown(a) || isUnknown(b)) {
    return unknown();
  }
  return pro::rules::asFactor(textOf(a)) + " * " + pro::rules::asFactor(textOf(b));
}

Expr plus(const Expr &a, const Expr &b) {
  std::optional<int64_t> x = number(a);
  std::optional<int64_t> y = number(b);
  int64_t sum = 0;
  if (x && y) {
    return __builtin_add_overflow(*x, *y, &sum) ? unknown() : Expr(sum);
  }
  if (x == 0 || y == 0) {
    return x == 0 ? b : a;
  }
  return isUnknown(a) || isUnknown(b) ? unknown() : Expr(textOf(a) + " + " + pro::rules::asFactor(textOf(b)));
}

/// `call(value, unit)`, or the number it is.
Expr divided(const char *call, const Expr &value, int64_t unit) {
  bool up = std::string_view(call) == "ceildiv";
  if (std::optional<int64_t> known = number(value)) {
    return *known / unit + (up && *known % unit != 0 ? 1 : 0);
  }
  return unit == 1 || isUnknown(value) ? value : Expr(call + ("(" + textOf(value)) + ", " + std::to_string(unit) + ")");
}

/// An extent as users read it: `w.shape[1]` where only the run knows it.
Expr extentOf(const std::string &tensor, const std::vector<pro::Extent> &shape, size_t axis) {
  return shape[axis] ? Expr(*shape[axis]) : Expr(tensor + ".shape[" + std::to_string(axis) + "]");
}

/// The slug of the error that refuses what is written in `range`; empty where there is none.
std::string refusal(const std::vector<diag::Diagnostic> &diagnostics, const std::string &path,
                    source::ByteRange range) {
  for (const diag::Diagnostic &d : diagnostics) {
    bool within = d.at.path == path && d.at.range.begin >= range.begin && d.at.range.end <= range.end;
    if (within && d.severity == diag::Severity::Error) {
      return std::string(diag::find(d.code)->slug);
    }
  }
  return {};
}

InspectTensor toInspect(const pro::TensorInfo &tensor, const std::string &function) {
  InspectTensor out;
  out.name = tensor.name;
  out.function = function;
  out.annotation = tensor.annotation.range;
  out.layout = tensor.layout ? std::string(pro::name(*tensor.layout)) : "?";
  out.dtype = tensor.dtype ? std::string(pro::name(*tensor.dtype)) : "?";
  out.logical = toExprs(tensor.shape);
  if (tensor.layout != pro::Layout::NZ || tensor.poisoned || tensor.shape.size() < 2 || !tensor.rankKnown ||
      !tensor.dtype) {
    return out;
  }
  out.c0 = pro::c0(*tensor.dtype);
  if (out.c0 == 0) {
    return out;
  }
  size_t rank = tensor.shape.size();
  Expr rows = divided("ceildiv", extentOf(tensor.name, tensor.shape, rank - 2), pro::kFractalRows);
  Expr columns = divided("ceildiv", extentOf(tensor.name, tensor.shape, rank - 1), out.c0);
  // The batch axes lie behind one another: one axis of planes, as in the first dialect.
  Expr planes = int64_t{1};
  for (size_t i = 0; i + 2 < rank; ++i) {
    planes = times(planes, extentOf(tensor.name, tensor.shape, i));
  }
  out.blocked = {planes, columns, rows, int64_t{pro::kFractalRows}, out.c0};
  // align(M, 16) * C0 elements in a block of columns.
  Expr extent = extentOf(tensor.name, tensor.shape, rank - 2);
  Expr padded = number(rows) ? times(rows, int64_t{pro::kFractalRows})
                             : Expr("align(" + textOf(extent) + ", " + std::to_string(pro::kFractalRows) + ")");
  Expr block = times(padded, out.c0);
  out.strides = {times(columns, block), block, pro::kFractalRows * out.c0, out.c0, int64_t{1}};
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

/// Whether every value of the offset is a multiple of `unit`.
bool isWhole(const pro::NzAccess::Offset &offset, int64_t unit) {
  const std::optional<pl::IndexRange> range = offset.index ? offset.index->range : std::nullopt;
  return range && range->low % unit == 0 && range->stride % unit == 0;
}

Expr valueOf(const pro::NzAccess::Offset &offset) {
  return offset.constant ? Expr(*offset.constant) : Expr(offset.text);
}

InspectAccess toInspect(const pro::NzAccess &access, std::string rejected) {
  InspectAccess out;
  out.op = access.load ? "load" : "store";
  out.tensor = access.tensor;
  out.result = access.tile;
  out.range = access.at.range;
  out.rejected = std::move(rejected);
  if (!out.rejected.empty()) {
    return out;
  }
  const pro::NzAccess::Offset &row = access.offsets[access.offsets.size() - 2];
  Expr inFractal = row.constant                      ? Expr(*row.constant % pro::kFractalRows)
                   : isWhole(row, pro::kFractalRows) ? Expr(int64_t{0})
                                                     : unknown();
  Expr plane = int64_t{0};
  for (size_t axis = 0; axis + 2 < access.offsets.size(); ++axis) {
    plane = plus(times(plane, extentOf(access.tensor, access.extents, axis)), valueOf(access.offsets[axis]));
  }
  out.offsets = {plane, divided("floordiv", valueOf(access.offsets.back()), access.c0),
                 divided("floordiv", valueOf(row), pro::kFractalRows), inFractal, int64_t{0}};
  out.sizes = {int64_t{1}, access.columns / access.c0, access.rows / pro::kFractalRows, int64_t{pro::kFractalRows},
               access.c0};
  out.tile = {access.rows, access.columns};
  return out;
}

InspectValue toInspect(const pro::KernelReader::Bound &bound, const pro::TileTypeInfo &type) {
  InspectValue out;
  out.name = bound.name;
  out.range = bound.at.range;
  out.shape = toExprs(type.shape);
  out.dtype = type.dtype ? std::string(pro::name(*type.dtype)) : "?";
  out.place = type.space ? std::string(pro::name(*type.space)) : "?";
  out.place += type.layout ? " " + std::string(pro::name(*type.layout)) : "";
  out.type = typeText(type);
  return out;
}

} // namespace

void inspectPro(const pro::KernelReader &reader, const std::string &function, const std::string &path,
                const std::vector<diag::Diagnostic> &diagnostics, InspectKernel &out) {
  auto here = [&](const pro::Site &at) { return at.module && at.module->source->path == path; };
  for (const pro::TensorInfo &tensor : reader.tensors()) {
    if (here(tensor.annotation)) {
      InspectTensor &made = out.tensors.emplace_back(toInspect(tensor, function));
      made.rejected = tensor.poisoned ? refusal(diagnostics, path, tensor.annotation.range) : std::string();
    }
  }
  for (const pro::NzAccess &access : reader.accesses()) {
    if (!here(access.at)) {
      continue;
    }
    std::string rejected = refusal(diagnostics, path, access.at.range);
    if (!access.offsets.empty() || !rejected.empty()) {
      out.accesses.push_back(toInspect(access, std::move(rejected)));
    }
  }
  for (const pro::KernelReader::Bound &bound : reader.bound()) {
    if (const pro::TileTypeInfo *type = bound.type(); type && here(bound.at)) {
      out.values.push_back(toInspect(bound, *type));
    }
  }
}

} // namespace placid::compiler
