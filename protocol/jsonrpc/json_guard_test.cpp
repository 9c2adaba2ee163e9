// SPDX-License-Identifier: Apache-2.0
#include "protocol/jsonrpc/json_guard.h"

#include <gtest/gtest.h>

#include <string>

namespace placid::protocol {
namespace {

std::string nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonGuard, DepthIsCountedExactly) {
  EXPECT_EQ(guardJson(nested(200)), JsonFault::None);
  EXPECT_EQ(guardJson(nested(201)), JsonFault::TooDeep);
  EXPECT_EQ(guardJson(std::string(400'000, '[')), JsonFault::TooDeep);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) {
    objects += "{\"a\":";
  }
  EXPECT_EQ(guardJson(objects), JsonFault::TooDeep);
}

TEST(JsonGuard, BracketsInsideStringsDoNotCount) {
  EXPECT_EQ(guardJson("[\"" + std::string(5000, '[') + "\"]"), JsonFault::None);
  EXPECT_EQ(guardJson("[\"\\\"" + std::string(5000, '[') + "\"]"), JsonFault::None);
  EXPECT_EQ(guardJson("[\"\\\\\"" + std::string(5000, '[')), JsonFault::TooDeep); // the string ended before
}

TEST(JsonGuard, SiblingsAreNotNesting) {
  std::string flat = "[";
  for (int i = 0; i < 1000; ++i) {
    flat += "[],";
  }
  EXPECT_EQ(guardJson(flat + "[]]"), JsonFault::None);
}

TEST(JsonGuard, ValuesAreBounded) {
  std::string many = "[0";
  for (int i = 0; i < 1'000'000; ++i) {
    many += ",0";
  }
  EXPECT_EQ(guardJson(many + "]"), JsonFault::TooManyValues);
}

TEST(JsonGuard, UnfinishedTextEnds) {
  for (std::string_view text : {"", "\"", "\"\\", "[\"", "]]]]", "{\"a", "\\"}) {
    EXPECT_EQ(guardJson(text), JsonFault::None) << text;
  }
}

} // namespace
} // namespace placid::protocol
