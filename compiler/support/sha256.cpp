// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/sha256.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace placid::support {

namespace {

using State = std::array<uint32_t, 8>;

constexpr std::array<uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void mix(State &state, const unsigned char *block) {
  std::array<uint32_t, 64> word{};
  for (size_t i = 0; i < 16; ++i) {
    word[i] = static_cast<uint32_t>(block[4 * i]) << 24 | static_cast<uint32_t>(block[4 * i + 1]) << 16 |
              static_cast<uint32_t>(block[4 * i + 2]) << 8 | static_cast<uint32_t>(block[4 * i + 3]);
  }
  for (size_t i = 16; i < 64; ++i) {
    uint32_t low = std::rotr(word[i - 15], 7) ^ std::rotr(word[i - 15], 18) ^ (word[i - 15] >> 3);
    uint32_t high = std::rotr(word[i - 2], 17) ^ std::rotr(word[i - 2], 19) ^ (word[i - 2] >> 10);
    word[i] = word[i - 16] + low + word[i - 7] + high;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < 64; ++i) {
    uint32_t choose = (e & f) ^ (~e & g);
    uint32_t major = (a & b) ^ (a & c) ^ (b & c);
    uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choose + kRound[i] + word[i];
    uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + major;
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const State add = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < 8; ++i) {
    state[i] += add[i];
  }
}

} // namespace

std::string sha256Hex(std::string_view bytes) {
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
  size_t whole = bytes.size() / 64;
  for (size_t i = 0; i < whole; ++i) {
    mix(state, data + 64 * i);
  }
  std::array<unsigned char, 128> tail{};
  size_t rest = bytes.size() - 64 * whole;
  if (rest > 0) {
    std::memcpy(tail.data(), data + 64 * whole, rest);
  }
  tail[rest] = 0x80;
  size_t end = rest < 56 ? 64 : 128;
  uint64_t bits = static_cast<uint64_t>(bytes.size()) * 8;
  for (size_t i = 0; i < 8; ++i) {
    tail[end - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
  }
  mix(state, tail.data());
  if (end == 128) {
    mix(state, tail.data() + 64);
  }
  std::string out;
  for (uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      out += "0123456789abcdef"[(word >> shift) & 15];
    }
  }
  return out;
}

} // namespace placid::support
