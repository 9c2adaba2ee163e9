// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/ir/pl.h"
#include "compiler/frontend/dialect_names.h"
#include "compiler/frontend/pl_dialect.h"
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

TEST(DialectNames, AreWhatAStarBrings) {
  PlDialect dialect;
  for (const std::string prefix : {"pl", "pld"}) {
    for (const std::string &name : dialect.exportsOf(prefix)) {
      bool shortened = isDialectName("pld.tensor." + name) || isDialectName("pld.system." + name); // `pld.window`
      EXPECT_TRUE(isDialectName(prefix + "." + name) || (prefix == "pld" && shortened)) << prefix << "." << name;
    }
  }
  for (const char *name : {"AUTO", "Role", "TileLayout", "ForKind", "STPhase", "CompactMode", "DynVar", "optimizations",
                           "jit", "FP16", "NZ", "load"}) {
    EXPECT_TRUE(dialect.exportsOf("pl").contains(name)) << name;
  }
  for (unsigned i = 0; i <= static_cast<unsigned>(pl::DType::TaskId); ++i) {
    std::string name = pl::plName(static_cast<pl::DType>(i)).str();
    EXPECT_TRUE(isDialectName("pl." + name)) << name;
    EXPECT_TRUE(dialect.exportsOf("pl").contains(name)) << name;
  }
}

TEST(DialectNames, ProposesMembersOfTheSameEnumeration) {
  EXPECT_EQ(support::nearestName("pl.Level.CORE_GROUPS", dialectNamesLike("pl.Level.CORE_GROUPS")),
            "pl.Level.CORE_GROUP");
  EXPECT_EQ(support::nearestName("pl.Tensr", dialectNamesLike("pl.Tensr")), "pl.Tensor");
}

} // namespace
