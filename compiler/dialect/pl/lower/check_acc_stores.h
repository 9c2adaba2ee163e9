// SPDX-License-Identifier: Apache-2.0
// The physical limits of one emitted accumulator store, apart from the pass so that both limits can be tested: on
// today's targets the capacity always binds before the fields. Pure.
#pragma once

#include "compiler/target/target.h"

namespace placid::pl {

enum class AccStoreFault : uint8_t { None, Capacity, Extent };

/// `bytes` are the physical bytes of the accumulator tile, rows and columns its extents in elements.
AccStoreFault checkAccStore(const target::Target &target, int64_t rows, int64_t columns, int64_t bytes);

} // namespace placid::pl
