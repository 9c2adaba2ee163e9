// SPDX-License-Identifier: Apache-2.0
// What one NZ tensor looks like, as numbers: its plane of fractals, the order of their bytes, and the windows that
// accesses take. Apart from the writers, so that SVG, HTML and the text of a hover show the same. Knows no editor.
// Pure; any thread.
#pragma once

#include "compiler/driver/compiler_service.h"

#include <optional>
#include <string>
#include <vector>

namespace placid::server {

/// One axis of a window, in fractals (rows, columns) or panels. A start that is not constant has words instead.
struct PictureSpan {
  std::optional<int64_t> start;
  std::string startText; ///< In elements, as the source spells it.
  std::optional<int64_t> size;
  std::string sizeText; ///< In elements.
};

struct PictureWindow {
  std::string op;
  std::string result;
  uint32_t line = 0; ///< 1-based.
  PictureSpan panel, rows, columns;
  /// Where the chunks of a store begin, in column fractals; empty when it is not cut or they are not constant.
  std::vector<int64_t> chunks;
  std::optional<int64_t> gapBlocks; ///< 32-byte blocks that the transfer skips between two column blocks.
  std::string rejected;             ///< Slug; then there are no spans.
};

struct Picture {
  std::string kernel;
  std::string tensor;
  std::string dtype;
  std::string logical; ///< `[192, 64]`.
  std::string blocked;
  uint32_t line = 0; ///< 1-based, of the declaration; 0: not known.
  int64_t c0 = 0;
  int64_t elementBytes = 0;
  int64_t rowFractals = 0;    ///< Height of the plane in fractals; 0 when nothing can be drawn.
  int64_t columnFractals = 0; ///< Width of it.
  std::string panels;         ///< How many planes there are, `1` for a plain matrix.
  std::string rejected;       ///< Slug of a refused declaration.
  std::vector<PictureWindow> windows;
  bool windowsKnown = true; ///< False: nobody looked for accesses.
};

/// One picture for each NZ tensor, in the order of the report; only those of `tensor` when it is not empty.
std::vector<Picture> picturesOf(const compiler::InspectResult &result, const source::SourceText &text,
                                const std::string &tensor = {});

/// The window of one access of a tensor of `c0` columns a fractal, in line `line`.
PictureWindow windowOf(const compiler::InspectAccess &access, uint32_t line, int64_t c0);

/// A window's place in words: `rows r0 … +48, columns 0 … +64`.
std::string windowWords(const PictureWindow &window);

} // namespace placid::server
