// SPDX-License-Identifier: Apache-2.0
#include "server/render/host_names.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

std::string nameOf(const std::string &name) {
  std::set<std::string> taken{"Tensor"};
  return cppName(name, taken);
}

TEST(HostNames, OrdinaryNamesStayAsTheyAre) {
  for (const char *name : {"x", "weights", "_private", "A1", "MAX", "unused_", "n_t_x"}) {
    EXPECT_EQ(nameOf(name), name);
  }
}

TEST(HostNames, WhatCppKeepsForItselfGetsAnother) {
  for (const char *name :
       {"register", "requires", "concept", "co_await", "char8_t", "and", "xor_eq", "constexpr", "nullptr", "int64_t",
        "INT64_MAX", "UINT8_C", "NULL", "_Bool", "a__b", "Tensor", "linux", "protected"}) {
    EXPECT_NE(nameOf(name), name);
    EXPECT_EQ(nameOf(name).find("__"), std::string::npos) << name;
  }
  EXPECT_EQ(nameOf(""), "a_");
  EXPECT_EQ(nameOf("3x"), "a_3x");
  EXPECT_EQ(nameOf("gr\xc3\xb6\xc3\x9f"
                   "e"),
            "a_gr_e");
}

TEST(HostNames, NoNameTwice) {
  std::set<std::string> taken;
  EXPECT_EQ(cppName("x", taken), "x");
  EXPECT_EQ(cppName("x", taken), "x_1");
  EXPECT_EQ(cppName("x_1", taken), "x_1_1");
}

TEST(HostNames, NamespacesAreTheKernelsOwn) {
  EXPECT_EQ(cppNamespace("kern"), "placid_kern");
  std::set<std::string> all;
  for (const char *name :
       {"a__b", "a_b", "a_a_b", "P_kern", "P.kern", "\xc3\xa4", "\xc3\xb6", "_", "__", "x_", "x__"}) {
    const std::string space = cppNamespace(name);
    EXPECT_TRUE(all.insert(space).second) << name << " " << space;
    EXPECT_EQ(space.find("__"), std::string::npos) << space;
  }
}

TEST(HostNames, TextStaysText) {
  EXPECT_EQ(cppString("B\nextern int x;\n//"), "\"B\\012extern int x;\\012//\"");
  EXPECT_EQ(cppString("a\"b\\c\x7f"), "\"a\\\"b\\\\c\\177\"");
  EXPECT_EQ(cppString("?\?/1"), "\"\\?\\?/1\"");
  EXPECT_EQ(cppComment("B\nextern int x;"), "B extern int x;");
  EXPECT_EQ(cppComment("N\\"), "N.");
  EXPECT_EQ(cppComment("?\?/"), "../");
}

} // namespace
} // namespace placid::server
