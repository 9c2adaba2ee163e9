// SPDX-License-Identifier: Apache-2.0
// Type annotations of parameters, results and locals: `pl.Tensor[[R, C], pl.INT8, pl.NZ]` and its kin.
// Complaints go to the reporter; the result then says Invalid and whatever uses it stays silent.
#pragma once

#include "compiler/frontend/program.h"
#include "compiler/frontend/reporter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace placid::frontend {

struct TypeInfo {
  enum class Kind : uint8_t {
    Invalid, ///< Reported.
    Unknown, ///< Legal, but not known here: a bare `pl.Tensor`, or what was reported as not followed.
    Tensor,
    Scalar,
    Tile,
    Tuple,
    Array,     ///< `pl.Array[n, dtype]`
    Handle,    ///< A pointer, event, session or context, which no check follows.
    Constexpr, ///< `pl.constexpr`: a value that the call gives, not an argument of the code.
  };
  Kind kind = Kind::Invalid;
  pl::TensorType tensor;
  pl::TileType tile;
  pl::DType dtype = pl::DType::Index;             ///< Scalar, Array
  int64_t extent = 0;                             ///< Array
  bool bare = false;                              ///< Unknown: a `pl.Tensor` whose shape and dtype come from the call.
  std::vector<TypeInfo> items;                    ///< Tuple
  std::string direction = "in";                   ///< "in", "out", "inout"
  source::ByteRange range;                        ///< The whole annotation.
  source::ByteRange layoutRange;                  ///< The third subscript element; the whole annotation without one.
  std::optional<source::ByteRange> layoutBinding; ///< Where a name that holds the layout was bound.
};

/// Elements of one axis, at most: sums, halves and sizes in bits of what fits are far from the end of 64 bits.
inline constexpr int64_t kMaxExtent = int64_t{1} << 40;

enum class AnnotationPlace : uint8_t { JitParameter, FunctionParameter, Local, Result };

/// `name` is what the annotation types, for messages.
TypeInfo resolveAnnotation(const syntax::Expr &expr, const Scope &scope, mlir::MLIRContext *context,
                           AnnotationPlace place, Reporter &reporter, std::string_view name = {});

/// True when a parameter is a bare `pl.Tensor`, also inside pl.Out or pl.InOut: its type comes from the calls.
bool hasBareParameter(const KernelDecl &kernel);

/// "pl.Tensor[[256, 512], pl.INT8, pl.NZ]", "pl.Tile[[16, 64], pl.FP16, Mat]": for messages.
std::string show(pl::TensorType type);
std::string show(pl::TileType type);
std::string show(const TypeInfo &type);
std::string showExtents(llvm::ArrayRef<mlir::Attribute> extents);

} // namespace placid::frontend
