// SPDX-License-Identifier: Apache-2.0
// The host's side of a tensor: logical row-major bytes to the order of its layout (NZ, DN) and back. What a program
// does before it hands a buffer to the device. Apart from the interpreter and from the passes: a third statement of the
// same order. Extents are elements. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace placid::interp {

/// Why a tensor of these extents has no NZ form, or empty. Rank 2 or more; leading axes are a batch.
std::string nzFault(const std::vector<int64_t> &shape, int64_t elementBytes);
/// Bytes of the buffer: whole fractals.
int64_t nzBytes(const std::vector<int64_t> &shape, int64_t elementBytes);
/// `bytes` has the size of all elements; nzFault() is empty.
std::vector<uint8_t> packNz(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape, int64_t elementBytes);
std::vector<uint8_t> unpackNz(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape,
                              int64_t elementBytes);

/// A DN tensor has its last two axes in column order: what packing and, with the axes exchanged, unpacking do.
std::vector<uint8_t> packDn(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape, int64_t elementBytes);
std::vector<uint8_t> unpackDn(const std::vector<uint8_t> &bytes, const std::vector<int64_t> &shape,
                              int64_t elementBytes);

} // namespace placid::interp
