// SPDX-License-Identifier: Apache-2.0
#include "server/render/host_entry.h"
#include "server/render/host_extents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace placid::server {
namespace {

using compiler::Expr;
using testing::HasSubstr;
using testing::Not;

compiler::LoweredKernel::Argument tensor(std::string name, std::vector<Expr> shape) {
  compiler::LoweredKernel::Argument out;
  out.name = std::move(name);
  out.kind = "tensor";
  out.direction = "in";
  out.dtype = "FP16";
  out.layout = "ND";
  out.elementBytes = 2;
  out.shape = std::move(shape);
  return out;
}

compiler::LoweredKernel::Argument extent(std::string name) {
  compiler::LoweredKernel::Argument out;
  out.name = std::move(name);
  out.kind = "extent";
  out.dtype = "INDEX";
  return out;
}

TEST(HostExtents, WhereTheyComeFrom) {
  compiler::LoweredKernel kernel;
  kernel.arguments = {tensor("z", {"M + 1", 64}),
                      tensor("w", {"n", 3, "M"}),
                      tensor("v", {"max(M, 4)"}),
                      extent("n * 3"),
                      extent("k"),
                      extent("n")};
  const HostExtents extents(kernel);
  ASSERT_EQ(extents.symbols().size(), 4U);
  EXPECT_EQ(extents.find("n")->argument, 1U);
  EXPECT_EQ(extents.find("M")->axis, 2U);
  EXPECT_TRUE(extents.find("k")->isGiven);
  EXPECT_EQ(extents.find("max(M, 4)")->argument, 2U); // no expression: an extent of its own
  EXPECT_TRUE(extents.computed("n * 3"));
  EXPECT_TRUE(extents.computed("M + 1")); // its axis is held against M
  EXPECT_FALSE(extents.find("M + 1"));
  EXPECT_FALSE(extents.computed("q * 2"));
  EXPECT_FALSE(extents.isKnown(Expr("q * 2")));
  EXPECT_TRUE(extents.isKnown(Expr(int64_t{4})));
}

TEST(HostEntry, WhatNobodyCanComputeIsAnError) {
  compiler::LoweredKernel kernel;
  kernel.name = "k";
  compiler::LoweredKernel::Argument w = tensor("w", {3, 32, 64});
  w.layout = "NZ";
  w.blocked = {"q * 3", 4, 2, 16, 16};
  w.strides = {2048, 512, 256, 16, 1};
  kernel.arguments = {w};
  std::string wrong;
  EXPECT_EQ(hostEntryText(kernel, wrong), "");
  EXPECT_THAT(wrong, HasSubstr("the extent `q * 3` of argument `w` of `k` cannot be computed"));
  kernel.arguments.push_back(tensor("x", {"q"}));
  EXPECT_THAT(hostEntryText(kernel, wrong), HasSubstr("out.w = {{e0.value, 4, 2, 16, 16}"));
  EXPECT_EQ(wrong, "");
}

TEST(HostEntry, NoTextOfTheSourceBecomesCode) {
  compiler::LoweredKernel kernel;
  kernel.name = "k";
  kernel.entry = "k\nint entry_code;";
  kernel.arguments = {tensor("x\nint name_code;", {"B\nextern int extent_code;\n//", "N\\"})};
  kernel.arguments[0].dtype = "FP16\nint dtype_code;";
  kernel.arguments[0].layout = "DN\nint layout_code;";
  std::string wrong;
  const std::string text = hostEntryText(kernel, wrong);
  EXPECT_NE(text, "");
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    EXPECT_FALSE(line.starts_with("int ") || line.starts_with("extern")) << line;
    EXPECT_FALSE(line.ends_with("\\")) << line;
  }
}

} // namespace
} // namespace placid::server
