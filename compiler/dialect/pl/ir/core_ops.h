// SPDX-License-Identifier: Apache-2.0
// The operations of core_ops.td: flags between the cores of a kernel, and tiles that both name. Any thread, one
// MLIRContext each.
#pragma once

#include "compiler/dialect/pl/ir/pl.h"

#define GET_OP_CLASSES
#include "compiler/dialect/pl/ir/core_ops.h.inc"
