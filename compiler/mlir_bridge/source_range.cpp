// SPDX-License-Identifier: Apache-2.0
#include "compiler/mlir_bridge/source_range.h"

#include "mlir/IR/BuiltinAttributes.h"

#include <algorithm>

using namespace mlir;

namespace placid::bridge {

FileLineColRange sourceRange(Location loc) {
  LocationAttr at = loc;
  while (at) {
    if (auto range = dyn_cast<FileLineColRange>(at)) {
      return range;
    }
    if (auto name = dyn_cast<NameLoc>(at)) {
      at = name.getChildLoc();
    } else if (auto call = dyn_cast<CallSiteLoc>(at)) {
      at = call.getCallee();
    } else if (auto fused = dyn_cast<FusedLoc>(at)) {
      for (Location part : fused.getLocations()) {
        if (FileLineColRange range = sourceRange(part)) {
          return range;
        }
      }
      return {};
    } else {
      return {};
    }
  }
  return {};
}

diag::Location byteLocation(Location loc, const SourceLookup &lookup) {
  FileLineColRange range = sourceRange(loc);
  if (!range) {
    return {};
  }
  diag::Location out{range.getFilename().str(), {}};
  source::SourcePtr text = lookup ? lookup(out.path) : nullptr;
  if (!text) {
    return out;
  }
  // A location without a line or a column (0) means the line's or the text's start.
  auto offset = [&](unsigned line, unsigned column) {
    return text->lines.offset(source::LineColumn{line == 0 ? 0 : line - 1, column == 0 ? 0 : column - 1});
  };
  out.range.begin = offset(range.getStartLine(), range.getStartColumn());
  out.range.end = std::max(out.range.begin, offset(range.getEndLine(), range.getEndColumn()));
  return out;
}

} // namespace placid::bridge
