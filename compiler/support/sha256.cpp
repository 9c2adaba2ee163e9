// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/sha256.h"

#include "compiler/support/sha256_plain.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

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

void mixBlocks(State &state, const unsigned char *data, size_t blocks) {
  for (size_t i = 0; i < blocks; ++i) {
    mix(state, data + 64 * i);
  }
}

using MixBlocks = void (*)(State &, const unsigned char *, size_t);

#if defined(__x86_64__)
__m128i loadFour(const void *at) { return _mm_loadu_si128(static_cast<const __m128i *>(at)); }

/// Four rounds at a time by the processor's own instructions. They want the state as ABEF and CDGH.
__attribute__((target("sha,sse4.1,ssse3"))) void mixByInstructions(State &state, const unsigned char *data,
                                                                   size_t blocks) {
  const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(loadFour(&state[0]), 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(loadFour(&state[4]), 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (size_t block = 0; block < blocks; ++block) {
    const __m128i abefBefore = abef;
    const __m128i cdghBefore = cdgh;
    __m128i words[4]; // the last sixteen of the schedule
    for (size_t i = 0; i < 16; ++i) {
      __m128i &now = words[i % 4];
      if (i < 4) {
        now = _mm_shuffle_epi8(loadFour(data + 64 * block + 16 * i), bigEndian);
      } else {
        const __m128i last = words[(i + 3) % 4];
        now = _mm_sha256msg1_epu32(now, words[(i + 1) % 4]);
        now = _mm_add_epi32(now, _mm_alignr_epi8(last, words[(i + 2) % 4], 4));
        now = _mm_sha256msg2_epu32(now, last);
      }
      const __m128i rounds = _mm_add_epi32(now, loadFour(&kRound[4 * i]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, rounds);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(rounds, 0x0E));
    }
    abef = _mm_add_epi32(abef, abefBefore);
    cdgh = _mm_add_epi32(cdgh, cdghBefore);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(&state[0]), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}

bool hasInstructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned kSsse3AndSse41 = 1U << 9 | 1U << 19;
  const bool vectors = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kSsse3AndSse41) == kSsse3AndSse41;
  return vectors && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & 1U << 29) != 0;
}

MixBlocks fastest() {
  static const bool kHas = hasInstructions();
  return kHas ? mixByInstructions : mixBlocks;
}
#else
MixBlocks fastest() { return mixBlocks; }
#endif

std::string hexOf(std::string_view bytes, MixBlocks mixAll) {
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
  size_t whole = bytes.size() / 64;
  mixAll(state, data, whole);
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
  mixAll(state, tail.data(), end / 64);
  std::string out;
  for (uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      out += "0123456789abcdef"[(word >> shift) & 15];
    }
  }
  return out;
}

} // namespace

std::string sha256Hex(std::string_view bytes) { return hexOf(bytes, fastest()); }

std::string sha256HexPlainly(std::string_view bytes) { return hexOf(bytes, mixBlocks); }

} // namespace placid::support
