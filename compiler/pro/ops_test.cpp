// SPDX-License-Identifier: Apache-2.0
#include "compiler/pro/ops.h"

#include <gtest/gtest.h>

#include <set>

namespace placid::pro {
namespace {

TEST(ProOps, EveryRowIsWellFormed) {
  std::set<std::string_view> seen;
  for (const OpRow &row : ops()) {
    EXPECT_TRUE(seen.insert(row.path).second) << row.path << " is there twice";
    EXPECT_FALSE(row.doc.empty()) << row.path;
    std::set<std::string_view> names;
    bool keywords = false;
    bool optional = false;
    for (const Parameter &parameter : row.parameters) {
      EXPECT_TRUE(names.insert(parameter.name).second) << row.path << " " << parameter.name;
      EXPECT_FALSE(keywords && !parameter.keywordOnly) << row.path;
      EXPECT_FALSE(optional && !parameter.optional && !parameter.keywordOnly)
          << row.path << ": " << parameter.name << " comes too late";
      keywords = parameter.keywordOnly;
      optional = parameter.optional;
    }
    EXPECT_EQ(findOp(row.path), &row);
  }
  EXPECT_EQ(findOp("vector_add"), nullptr);
}

TEST(ProOps, ParametersKeepTheirOrder) {
  const OpRow *load = findOp("load");
  ASSERT_NE(load, nullptr);
  ASSERT_EQ(load->parameters.size(), 4U);
  EXPECT_EQ(load->parameters[0].name, "dst_tile");
  EXPECT_EQ(load->parameters[1].name, "src_tensor");
  EXPECT_FALSE(load->parameters[2].optional);
  EXPECT_TRUE(load->parameters[3].optional && load->parameters[3].keywordOnly);
}

TEST(ProOps, SignaturesReadAsTheyAreWritten) {
  EXPECT_EQ(signatureOf(*findOp("load")), "dst_tile, src_tensor, offsets, *, order?");
  EXPECT_EQ(signatureOf(*findOp("mrgsort2")), "src0, src1, dst, tmp, *sources, exhausted?");
  EXPECT_EQ(signatureOf(*findOp("Vf.create_mask")), "pattern?, dtype?");
  EXPECT_EQ(signatureOf(*findOp("reinterpret")), "…");
  EXPECT_EQ(findOp("Vf.interleave")->results, 2U);
}

} // namespace
} // namespace placid::pro
