// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/memory.h"

#include <algorithm>

namespace placid::interp {

void Memory::grow(int64_t bytes) {
  if (bytes > size()) {
    bytes_.resize(bytes);
    written_.resize(bytes);
  }
}

void Memory::forget(int64_t offset, int64_t count) {
  if (inside(offset, count)) {
    if (origins_ != nullptr) {
      origins_->write(this, offset, count);
    }
    std::fill_n(written_.begin() + offset, count, uint8_t{0});
  }
}

std::string Memory::outside(const char *what, int64_t offset, int64_t count) const {
  return std::string(what) + " bytes " + std::to_string(offset) + " to " + std::to_string(offset + count - 1) + " of " +
         name_ + ", which has " + std::to_string(size()) + " bytes";
}

std::string Memory::read(int64_t offset, DType type, Number &out) const {
  int64_t count = info(type).bytes;
  if (!inside(offset, count)) {
    return outside("reads", offset, count);
  }
  for (int64_t i = 0; i < count; ++i) {
    if (written_[offset + i] == 0) {
      return "reads byte " + std::to_string(offset + i) + " of " + name_ + ", which nothing has written";
    }
  }
  if (origins_ != nullptr) {
    origins_->read(this, offset, count);
  }
  out = decode(type, bytes_.data() + offset);
  return {};
}

std::string Memory::write(int64_t offset, DType type, Number value) {
  int64_t count = info(type).bytes;
  if (!inside(offset, count)) {
    return outside("writes", offset, count);
  }
  if (origins_ != nullptr) {
    origins_->write(this, offset, count);
  }
  encode(type, value, bytes_.data() + offset);
  std::fill_n(written_.begin() + offset, count, uint8_t{1});
  return {};
}

} // namespace placid::interp
