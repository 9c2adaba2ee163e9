// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/dialect_names.h"
#include "compiler/ops/op_table.h"
#include "compiler/support/suggest.h"

#include <gtest/gtest.h>

using namespace placid;
using namespace placid::frontend;

namespace {

TEST(DialectNames, KnowsTypesEnumerationsAndOperations) {
  for (const char *name : {"pl.Tensor", "pl.Out", "pl.FP32", "pl.NZ", "pl.Level", "pl.Level.CORE_GROUP", "pl.Mem.Mat",
                           "pl.MemorySpace.Vec", "pl.tile.MaskPattern.P0101", "pl.jit.inline", "pl.load",
                           "pl.tile.load", "pld.DistributedTensor", "pld.WaitCmp.Ge", "pl.FP16.get_byte"}) {
    EXPECT_TRUE(isDialectName(name)) << name;
  }
  for (const std::string &path : ops::opPaths()) {
    EXPECT_TRUE(isDialectName(path)) << path;
  }
}

TEST(DialectNames, RefusesWhatPlDoesNotHave) {
  for (const char *name : {"pl.Tensors", "pl.FP64", "pl.Level.CORE", "pl.Mem.L1", "pl.tile.MaskPattern.P2",
                           "pl.jit.device", "pl.tile.nothing", "pld.Tensors", "pl.Levels.CORE_GROUP"}) {
    EXPECT_FALSE(isDialectName(name)) << name;
  }
  EXPECT_TRUE(isDialectName("plm.TileType")); // another module's
}

TEST(DialectNames, ProposesMembersOfTheSameEnumeration) {
  EXPECT_EQ(support::nearestName("pl.Level.CORE_GROUPS", dialectNamesLike("pl.Level.CORE_GROUPS")),
            "pl.Level.CORE_GROUP");
  EXPECT_EQ(support::nearestName("pl.Tensr", dialectNamesLike("pl.Tensr")), "pl.Tensor");
}

} // namespace
