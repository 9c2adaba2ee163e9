// SPDX-License-Identifier: Apache-2.0
// From MLIR locations to ranges of source text. A front end's locations are FileLineColRange with 1-based lines and
// 1-based byte columns, the end exclusive; names, fusion and call sites around them are looked through.
// Knows no dialect. Any thread that owns the location's context.
#pragma once

#include "compiler/diagnostics/diagnostic.h"

#include "mlir/IR/Location.h"

#include <functional>

namespace placid::bridge {

/// The text of a path as it stands in locations, or null when it is not one of the compile's sources.
using SourceLookup = std::function<source::SourcePtr(const std::string &path)>;

/// The first source range inside a location. Null for an unknown location.
mlir::FileLineColRange sourceRange(mlir::Location loc);

/// The byte range of a location. Without a range the path is empty; with an unknown text the range is empty at 0.
diag::Location byteLocation(mlir::Location loc, const SourceLookup &lookup);

} // namespace placid::bridge
