// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/ir/core_ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "compiler/dialect/pl/ir/core_ops.cpp.inc"
