// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/sha256.h"
#include "compiler/support/sha256_plain.h"

#include <gtest/gtest.h>

namespace placid::support {
namespace {

// The examples of FIPS 180-4 and lengths around the padding's edges.
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256Hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PaddingEdges) {
  EXPECT_EQ(sha256Hex(std::string(55, 'x')), "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  EXPECT_EQ(sha256Hex(std::string(56, 'x')), "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  EXPECT_EQ(sha256Hex(std::string(64, 'x')), "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
}

TEST(Sha256, WithAndWithoutInstructionsTheSame) {
  std::string bytes;
  uint32_t next = 1;
  for (size_t length = 0; length < 300; ++length) {
    ASSERT_EQ(sha256Hex(bytes), sha256HexPlainly(bytes)) << length;
    next = next * 1664525 + 1013904223;
    bytes += static_cast<char>(next >> 24);
  }
  EXPECT_EQ(sha256HexPlainly("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

} // namespace
} // namespace placid::support
