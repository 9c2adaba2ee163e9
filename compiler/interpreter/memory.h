// SPDX-License-Identifier: Apache-2.0
// Byte memories that know which of their bytes were ever written: global buffers and the memories of a core. Reading
// outside or reading what nobody wrote is a fault, not a zero. Offsets and sizes are bytes. One thread.
#pragma once

#include "compiler/interpreter/dtype.h"
#include "compiler/interpreter/origins.h"

#include <cstdint>
#include <string>
#include <vector>

namespace placid::interp {

class Memory {
public:
  Memory(std::string name, int64_t bytes) : name_(std::move(name)), bytes_(bytes), written_(bytes) {}

  const std::string &name() const { return name_; }
  int64_t size() const { return static_cast<int64_t>(bytes_.size()); }
  std::vector<uint8_t> &bytes() { return bytes_; }
  const std::vector<uint8_t> &bytes() const { return bytes_; }
  void markWritten() { written_.assign(bytes_.size(), 1); }
  /// As if nothing had written the bytes, as far as they are there.
  void forget(int64_t offset, int64_t count);
  bool isWritten(int64_t offset) const { return written_[offset] != 0; }
  /// Makes room up to `bytes`; never shrinks.
  void grow(int64_t bytes);

  /// What was wrong, or empty.
  std::string read(int64_t offset, DType type, Number &out) const;
  std::string write(int64_t offset, DType type, Number value);
  /// The same of bytes that are moved as they are.
  std::string readBytes(int64_t offset, int64_t count, uint8_t *out) const;
  std::string writeBytes(int64_t offset, int64_t count, const uint8_t *given);
  /// Tells `origins` of every access from now on; it must outlive them.
  void follow(Origins *origins) { origins_ = origins; }

private:
  bool inside(int64_t offset, int64_t count) const { return offset >= 0 && count <= size() - offset; }
  std::string checkRead(int64_t offset, int64_t count) const;
  std::string outside(const char *what, int64_t offset, int64_t count) const;

  std::string name_;
  std::vector<uint8_t> bytes_;
  std::vector<uint8_t> written_;
  Origins *origins_ = nullptr;
};

} // namespace placid::interp
