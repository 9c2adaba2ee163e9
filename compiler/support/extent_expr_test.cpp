// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/extent_expr.h"

#include <gtest/gtest.h>

namespace placid::support {
namespace {

std::optional<int64_t> valueOf(std::string_view text) {
  std::optional<ExtentExpr> parsed = ExtentExpr::parse(text);
  EXPECT_TRUE(parsed) << text;
  return !parsed ? std::nullopt : parsed->evaluate([](const std::string &name) -> std::optional<int64_t> {
    return name == "n" ? std::optional<int64_t>(5) : name == "M" ? std::optional<int64_t>(7) : std::nullopt;
  });
}

TEST(ExtentExpr, PythonsOperators) {
  EXPECT_EQ(valueOf("n"), 5);
  EXPECT_EQ(valueOf("n * 3"), 15);
  EXPECT_EQ(valueOf("M + n * 2 - 1"), 16);
  EXPECT_EQ(valueOf("(M + n) * 2"), 24);
  EXPECT_EQ(valueOf("M // 2 * 2"), 6);
  EXPECT_EQ(valueOf("M % 4"), 3);
  EXPECT_EQ(valueOf("(n - M) // 4"), -1);
  EXPECT_EQ(valueOf("(n - M) % 4"), 2);
  EXPECT_EQ(valueOf("M - n - 1"), 1);
}

TEST(ExtentExpr, NothingIsGuessed) {
  EXPECT_EQ(valueOf("K * 2"), std::nullopt);
  EXPECT_EQ(valueOf("n // 0"), std::nullopt);
  EXPECT_EQ(valueOf("n % (M - 7)"), std::nullopt);
  EXPECT_EQ(valueOf("4611686018427387904 * 2"), std::nullopt);
  for (const char *text : {"", "n *", "* n", "n n", "max(n, 3)", "cfg.n", "n / 2", "n ** 2", "(n", "n)", "-n", "3n",
                           "n[0]", "99999999999999999999", "B\nextern", "n if M else 2"}) {
    EXPECT_FALSE(ExtentExpr::parse(text)) << text;
  }
  EXPECT_FALSE(ExtentExpr::parse(std::string(100000, '(') + "n"));
}

TEST(ExtentExpr, NamesAndText) {
  std::optional<ExtentExpr> parsed = ExtentExpr::parse("(M + 2) * n // M");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->names(), (std::vector<std::string>{"M", "n"}));
  EXPECT_FALSE(parsed->isName());
  EXPECT_TRUE(ExtentExpr::parse("größe")->isName());
  EXPECT_FALSE(ExtentExpr::parse("4")->isName());
  std::string text = parsed->print([](const std::string &leaf, bool number) { return number ? leaf : leaf + "_"; },
                                   [](std::string_view operation, const std::string &left, const std::string &right) {
                                     return std::string(operation) + "(" + left + "," + right + ")";
                                   });
  EXPECT_EQ(text, "//(*(+(M_,2),n_),M_)");
}

} // namespace
} // namespace placid::support
