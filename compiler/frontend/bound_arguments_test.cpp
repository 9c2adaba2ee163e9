// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/bound_arguments.h"
#include "compiler/syntax/parse.h"

#include <gtest/gtest.h>

namespace placid::frontend {
namespace {

std::shared_ptr<const syntax::Module> parse(std::string text) {
  return syntax::Parser().parse(std::make_shared<source::SourceText>("t.py", std::move(text)));
}

std::string faultOf(const std::string &call, std::string_view form) {
  auto module = parse(call + "\n");
  return bindArguments(*module->body.at(0)->value, form).fault;
}

TEST(BoundArguments, ArgumentsBindByPositionAndName) {
  const char *form = "tensor, offsets, shapes, valid_shape?, *, clamp?";
  EXPECT_EQ(faultOf("f(a, b, c)", form), "");
  EXPECT_EQ(faultOf("f(a, shapes=c, offsets=b, clamp=True)", form), "");
  EXPECT_EQ(faultOf("f(a, b)", form), "misses its argument `shapes`");
  EXPECT_EQ(faultOf("f(a, b, c, d, e)", form), "takes 4 positional arguments, got 5: `clamp` is given by name");
  EXPECT_EQ(faultOf("f(a, b, c, ofsets=d)", form), "has no parameter `ofsets`: did you mean `offsets`?");
  EXPECT_EQ(faultOf("f(a, b, c, tensor=d)", form), "is given `tensor` twice");
}

TEST(BoundArguments, OpenFormsStillCatchSlips) {
  EXPECT_EQ(faultOf("f(a, policy=1)", "tile, target_memory?, **kwargs"), "");
  EXPECT_NE(faultOf("f(a, target_memmory=1)", "tile, target_memory?, **kwargs"), "");
}

} // namespace
} // namespace placid::frontend
