// SPDX-License-Identifier: Apache-2.0
// Operations of the vector unit on whole tiles: where their tiles lie, and which shapes and dtypes go together.
#include "compiler/pro/rules/rules.h"

#include <algorithm>
#include <array>

namespace placid::pro::rules {

namespace {

constexpr std::array<std::string_view, 29> kSameTypes{
    "add",     "sub",      "mul",      "div",     "maximum", "minimum",     "and_",          "shl",
    "shr",     "neg",      "abs",      "exp",     "log",     "sqrt",        "rsqrt",         "recip",
    "relu",    "add_relu", "sub_relu", "addc",    "xor",     "mul_add_dst", "fused_mul_add", "fused_mul_add_relu",
    "partadd", "partmax",  "partmin",  "partmul", "expands"};
constexpr std::array<std::string_view, 6> kCompares{"eq", "ne", "lt", "le", "gt", "ge"};
constexpr std::array<std::string_view, 5> kBroadcasts{"expand_max", "expand_min", "expand_mul", "expand_sub",
                                                      "expand_div"};

template <size_t N> bool among(std::string_view path, const std::array<std::string_view, N> &list) {
  return std::find(list.begin(), list.end(), path) != list.end();
}

std::string typeText(const TileTypeInfo &type) {
  return showShape(type.shape) + (type.dtype ? " of " + std::string(name(*type.dtype)) : "");
}

/// All of its tiles are in UB. False when one was refused.
bool inUb(KernelReader &reader, const Call &call) {
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const TileInfo *tile = usable(reader, call.arguments[i]);
    if (tile && tile->type->space && *tile->type->space != Space::Vec) {
      reader
          .report(diag::ProVectorSpace, call.arguments[i].at,
                  "`" + std::string(call.row->parameters[i].name) + "` of `pl." + std::string(call.row->path) +
                      "` must be in UB (Vec), got " + std::string(name(*tile->type->space)) +
                      ": the vector unit reaches no other memory")
          .note(tile->type->at, "the tile type is made here");
      return false;
    }
  }
  return true;
}

/// Both have one shape and one dtype, where these are known.
bool agree(KernelReader &reader, const Call &call, const Argument &a, const Argument &b, bool dtypes) {
  const TileInfo *first = usable(reader, a);
  const TileInfo *second = usable(reader, b);
  if (!first || !second) {
    return true;
  }
  const TileTypeInfo &x = *first->type;
  const TileTypeInfo &y = *second->type;
  bool shapes = !x.isStatic() || !y.isStatic() || x.shape == y.shape;
  bool types = !dtypes || !x.dtype || !y.dtype || *x.dtype == *y.dtype;
  if (shapes && types) {
    return true;
  }
  reader
      .report(diag::ProVectorOperands, b.at,
              "`" + spelled(a) + "` is " + typeText(x) + ", `" + spelled(b) + "` is " + typeText(y) + ": `pl." +
                  std::string(call.row->path) + "` takes tiles of one shape" + (dtypes ? " and one dtype" : ""))
      .note(x.at, "the first one's type")
      .note(y.at, "the second one's type");
  return false;
}

/// [rows, 1] for dim=0, [1, columns] for dim=1.
void reduced(KernelReader &reader, const Call &call, const Argument &whole, const Argument &part, int64_t dim,
             std::string_view what) {
  const TileInfo *full = usable(reader, whole);
  const TileInfo *line = usable(reader, part);
  if (!full || !line || !full->type->isStatic() || !line->type->isStatic() || full->type->shape.size() != 2 ||
      line->type->shape.size() != 2) {
    return;
  }
  size_t kept = dim == 0 ? 0 : 1;
  const std::vector<Extent> &shape = line->type->shape;
  if (*shape[1 - kept] == 1 && *shape[kept] == *full->type->shape[kept]) {
    return;
  }
  std::string expected =
      dim == 0 ? "[" + show(full->type->shape[0]) + ", 1]" : "[1, " + show(full->type->shape[1]) + "]";
  reader
      .report(diag::ProReduceShape, part.at,
              std::string(what) + " `" + spelled(part) + "` is " + showShape(shape) +
                  ": with dim=" + std::to_string(dim) + " and `" + spelled(whole) + "` of " +
                  showShape(full->type->shape) + " it is " + expected)
      .note(line->type->shapeAt, "its shape");
}

} // namespace

void vectorOperation(KernelReader &reader, const Call &call) {
  std::string_view path = call.row->path;
  if (call.open || !call.extra.empty() || path.starts_with("simt.") || !inUb(reader, call)) {
    return;
  }
  const Argument &out = call.get("out");
  const Argument &dimArgument = call.get("dim");
  std::optional<int64_t> dim = dimArgument.given() ? dimArgument.value.integer() : std::optional<int64_t>(0);
  bool reduces = path == "sum" || path == "argmax" || path == "argmin" ||
                 ((path == "maximum" || path == "minimum") && dimArgument.given());
  if (reduces) {
    const Argument &src = path == "maximum" || path == "minimum" ? call.get("lhs") : call.get("src");
    if (dim && (*dim == 0 || *dim == 1)) {
      reduced(reader, call, src, out, *dim, "the result");
    }
    return;
  }
  if (among(path, kBroadcasts)) {
    if (agree(reader, call, out, call.get("src"), true) && dim && (*dim == 0 || *dim == 1)) {
      reduced(reader, call, call.get("src"), call.get("scalar"), *dim, "the row or column");
    }
    return;
  }
  bool compares = among(path, kCompares);
  if (!compares && !among(path, kSameTypes)) {
    return;
  }
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const Argument &other = call.arguments[i];
    std::string_view role = call.row->parameters[i].name;
    bool first = compares && i > 1; // the mask of a comparison is bits
    if (role != "tmp" && !compares && !agree(reader, call, out, other, true)) {
      return;
    }
    if (first && !agree(reader, call, call.arguments[1], other, true)) {
      return;
    }
  }
}

} // namespace placid::pro::rules
