// SPDX-License-Identifier: Apache-2.0
// TensorLayout of pypto_pro: how elements lie in a tensor and in a tile. What may be declared where, what is taken when
// nothing is declared, how NZ storage is padded and addressed, and the boxes a tile has to fill. Holds none of the
// first dialect's NZ rules, which differ. Standard library only; immutable: any thread. Sizes are elements unless said.
#pragma once

#include "compiler/pro/layout/dtype.h"
#include "compiler/target/arch.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::pro {

enum class Layout : uint8_t { ND, DN, NZ, ZN, NN, ZZ };
inline constexpr unsigned kLayoutCount = 6;

enum class Space : uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight, DDR };
inline constexpr unsigned kSpaceCount = 10;

std::string_view name(Layout layout);
std::optional<Layout> layoutOf(std::string_view name);
std::string_view name(Space space);
std::optional<Space> spaceOf(std::string_view name);
/// "UB", "L1", "L0A" …: as hardware documents call it.
std::string_view hardwareName(Space space);

// --- What may be declared.

/// ND and NZ are storage forms of a tensor in global memory; the others are of tiles only.
bool tensorMayBe(Layout layout);
/// What a tile has when none is declared; nothing for a space without a default, which the architecture may decide.
/// Vec has none and behaves as ND.
std::optional<Layout> defaultLayout(Space space, target::Arch arch);
/// The layouts a tile may be declared with, in the order of `Layout`; all of them for DDR, where nothing is checked.
/// Left lists ZZ on every architecture.
std::vector<Layout> allowedLayouts(Space space, DType dtype);
bool existsOn(Space space, target::Arch arch);

/// The layout of the transposed data at the same bytes: ND and DN, NZ and ZN, ZZ and NN.
Layout transposed(Layout layout);
/// True for NZ, ZN, NN and ZZ: made of fractal boxes.
bool isBoxed(Layout layout);
/// What a user reads about the order of bytes: "column blocks, row-major inside".
std::string_view orderText(Layout layout);

// --- Tiles.

/// Bytes of one inner box when none are declared: 512; 1024 for 4-byte accumulators; 32 for MX scales.
int64_t defaultFractal(Space space, DType dtype, Layout layout);

struct Box {
  int64_t rows = 1;
  int64_t columns = 1;
};
/// The inner box of a boxed layout. `fractal` is in bytes.
Box innerBox(Layout layout, int64_t fractal, DType dtype);

/// Bytes a tile of this shape occupies; extents >= 0. Saturates.
int64_t footprint(const std::vector<int64_t> &shape, DType dtype);

/// Capacity in bytes; 0 for a space that the architecture lacks or that has no bound.
int64_t capacity(Space space, target::Arch arch);
/// Of Vec: the bytes above which the runtime keeps the rest for itself; else the capacity.
int64_t softCapacity(Space space, target::Arch arch);
/// What a tile's address must be a multiple of; 1 where nothing is enforced.
int64_t addressAlignment(Space space);
/// What the documentation asks beyond that; 1 where it asks nothing.
int64_t documentedAlignment(Space space);

// --- NZ storage of a tensor in global memory.

inline constexpr int64_t kFractalRows = 16;

/// Storage of one [M, N] plane. The leading axes of a tensor are batch axes: one plane each.
struct NzPlane {
  int64_t c0 = 0;
  int64_t paddedRows = 0;           ///< align(M, 16)
  int64_t paddedColumns = 0;        ///< align(N, C0)
  int64_t elements = 0;             ///< Their product: what the buffer of one plane has to hold.
  int64_t bytes = 0;                ///< The same in bytes.
  std::array<int64_t, 4> blocked{}; ///< [ceil(N / C0), ceil(M / 16), 16, C0]
  bool padded = false;              ///< M or N is not whole.
};
/// `rows` and `columns` > 0. Saturates.
NzPlane nzPlane(int64_t rows, int64_t columns, DType dtype);
/// Where the element [row, column] lies in its plane.
int64_t nzElementOffset(const NzPlane &plane, int64_t row, int64_t column);

} // namespace placid::pro
