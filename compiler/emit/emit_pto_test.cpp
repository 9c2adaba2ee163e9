// SPDX-License-Identifier: Apache-2.0
#include "compiler/emit/emit_pto.h"

#include <gtest/gtest.h>
TEST(X, Y) {}
