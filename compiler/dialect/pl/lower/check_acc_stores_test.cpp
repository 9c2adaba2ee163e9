// SPDX-License-Identifier: Apache-2.0
#include "compiler/dialect/pl/lower/check_acc_stores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace placid::pl {
namespace {

TEST(CheckAccStore, CapacityBindsFirstOnTodaysTargets) {
  const target::Target &a3 = target::get(target::Arch::A3);
  EXPECT_EQ(checkAccStore(a3, 256, 128, 256 * 128 * 4), AccStoreFault::None);
  EXPECT_EQ(checkAccStore(a3, 16, 4080, 16 * 4080 * 4), AccStoreFault::Capacity);
  EXPECT_EQ(checkAccStore(a3, 16, 4096, 16 * 4096 * 4), AccStoreFault::Capacity);
  EXPECT_EQ(checkAccStore(a3, 65536, 16, int64_t{65536} * 16 * 4), AccStoreFault::Capacity);
}

TEST(CheckAccStore, FieldsBindWhenTheMemoryIsLargeEnough) {
  target::Target big = target::get(target::Arch::A3);
  std::array<target::Memory, target::kSpaceCount> memories;
  std::copy(big.memories.begin(), big.memories.end(), memories.begin());
  memories[static_cast<unsigned>(target::Space::Acc)].capacity = int64_t{1} << 40;
  big.memories = memories;
  EXPECT_EQ(checkAccStore(big, 16, 4080, 1), AccStoreFault::None);
  EXPECT_EQ(checkAccStore(big, 16, 4095, 1), AccStoreFault::None);
  EXPECT_EQ(checkAccStore(big, 16, 4096, 1), AccStoreFault::Extent);
  EXPECT_EQ(checkAccStore(big, 65520, 16, 1), AccStoreFault::None);
  EXPECT_EQ(checkAccStore(big, 65536, 16, 1), AccStoreFault::Extent);
}

} // namespace
} // namespace placid::pl
