// SPDX-License-Identifier: Apache-2.0
#include "server/support/markup.h"

#include <gtest/gtest.h>

namespace placid::server {
namespace {

TEST(Markup, NothingOfTheTextIsMarkup) {
  EXPECT_EQ(escapeMarkup("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
  EXPECT_EQ(escapeMarkup("a\x01\r"
                         "b"),
            "a  b")
      << "control characters are no XML, escaped or not";
  EXPECT_EQ(escapeMarkup("a\n\tb"), "a&#10;&#9;b");
}

} // namespace
} // namespace placid::server
