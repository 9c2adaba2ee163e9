// SPDX-License-Identifier: Apache-2.0
// The operations of core_ops.td: flags between the cores of a kernel, and an accumulator that goes to the vector lanes.
// Any thread, one MLIRContext each.
#pragma once

#include "compiler/dialect/pto/ir/pto.h"

#define GET_OP_CLASSES
#include "compiler/dialect/pto/ir/core_ops.h.inc"
