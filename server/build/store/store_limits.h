// SPDX-License-Identifier: Apache-2.0
// How large one blob may be, wherever it goes: up, down, onto the disk, to a farm and back. Apart from the store, so
// that whoever only passes blobs on need not see it; docs/protocol/build.schema.json says the same number.
#pragma once

#include <cstdint>

namespace placid::server {

inline constexpr uint64_t kMaxBlob = uint64_t{1} << 30; ///< Bytes.

} // namespace placid::server
