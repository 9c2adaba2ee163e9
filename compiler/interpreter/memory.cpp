// SPDX-License-Identifier: Apache-2.0
#include "compiler/interpreter/memory.h"

#include <algorithm>
#include <array>

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

std::string Memory::checkRead(int64_t offset, int64_t count) const {
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
  return {};
}

std::string Memory::read(int64_t offset, DType type, Number &out) const {
  std::string wrong = checkRead(offset, info(type).bytes);
  if (wrong.empty()) {
    out = decode(type, bytes_.data() + offset);
  }
  return wrong;
}

std::string Memory::readBytes(int64_t offset, int64_t count, uint8_t *out) const {
  std::string wrong = checkRead(offset, count);
  if (wrong.empty()) {
    std::copy_n(bytes_.begin() + offset, count, out);
  }
  return wrong;
}

std::string Memory::write(int64_t offset, DType type, Number value) {
  std::array<uint8_t, sizeof(int64_t)> bytes{};
  encode(type, value, bytes.data());
  return writeBytes(offset, info(type).bytes, bytes.data());
}

std::string Memory::writeBytes(int64_t offset, int64_t count, const uint8_t *given) {
  if (!inside(offset, count)) {
    return outside("writes", offset, count);
  }
  if (origins_ != nullptr) {
    origins_->write(this, offset, count);
  }
  std::copy_n(given, count, bytes_.begin() + offset);
  std::fill_n(written_.begin() + offset, count, uint8_t{1});
  return {};
}

} // namespace placid::interp
