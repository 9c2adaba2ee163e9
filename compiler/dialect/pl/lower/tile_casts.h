// SPDX-License-Identifier: Apache-2.0
// Which element conversions of tiles each chip has, and how the others are made of them. Pure: any thread.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/target/target.h"

namespace placid::pl {

/// The element types a conversion goes through, the last being `to`; empty when the types are equal. The shortest chain
/// of native conversions; among equal ones the one whose first step keeps the most bits. Nullopt when there is none.
std::optional<llvm::SmallVector<DType>> castSteps(const target::Target &target, DType from, DType to);

} // namespace placid::pl
