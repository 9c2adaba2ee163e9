// SPDX-License-Identifier: Apache-2.0
#include "server/build/jobs/base64.h"

#include <array>
#include <cstdint>

namespace placid::server {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNone = 255;

constexpr std::array<uint8_t, 256> kValues = [] {
  std::array<uint8_t, 256> out{};
  out.fill(kNone);
  for (size_t i = 0; i < kLetters.size(); ++i) {
    out[static_cast<unsigned char>(kLetters[i])] = static_cast<uint8_t>(i);
  }
  return out;
}();

} // namespace

std::string toBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    size_t have = bytes.size() - at < 3 ? bytes.size() - at : 3;
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < have ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (size_t i = 0; i < 4; ++i) {
      out += i <= have ? kLetters[group >> (18 - 6 * i) & 63U] : '=';
    }
  }
  return out;
}

std::optional<std::string> fromBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (size_t at = 0; at < text.size(); at += 4) {
    bool last = at + 4 == text.size();
    size_t padding = !last || text[at + 3] != '=' ? 0 : text[at + 2] == '=' ? 2 : 1;
    uint32_t group = 0;
    for (size_t i = 0; i < 4; ++i) {
      uint8_t value = i < 4 - padding ? kValues[static_cast<unsigned char>(text[at + i])] : 0;
      if (value == kNone) {
        return std::nullopt;
      }
      group = group << 6 | value;
    }
    if ((padding == 1 && (group & 0xff) != 0) || (padding == 2 && (group & 0xffff) != 0)) {
      return std::nullopt; // one content has one spelling
    }
    for (size_t i = 0; i < 3 - padding; ++i) {
      out += static_cast<char>(group >> (16 - 8 * i) & 0xffU);
    }
  }
  return out;
}

} // namespace placid::server
