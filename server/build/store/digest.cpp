// SPDX-License-Identifier: Apache-2.0
#include "server/build/store/digest.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace placid::server {

namespace {

constexpr size_t kHexDigits = 64;

} // namespace

struct Hasher::State {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
};

Hasher::Hasher() : state_(std::make_unique<State>()) { EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr); }

Hasher::~Hasher() { EVP_MD_CTX_free(state_->context); }

void Hasher::add(std::string_view bytes) { EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()); }

void Hasher::addField(std::string_view bytes) {
  add(std::to_string(bytes.size()) + ":");
  add(bytes);
}

Digest Hasher::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> raw{};
  unsigned size = 0;
  EVP_DigestFinal_ex(state_->context, raw.data(), &size);
  Digest out;
  for (unsigned i = 0; i < size; ++i) {
    out.hex += "0123456789abcdef"[raw[i] >> 4];
    out.hex += "0123456789abcdef"[raw[i] & 15];
  }
  return out;
}

std::optional<Digest> parseDigest(std::string_view text) {
  bool good = text.size() == kHexDigits && std::all_of(text.begin(), text.end(), [](char c) {
                return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
              });
  return good ? std::optional(Digest{std::string(text)}) : std::nullopt;
}

Digest digestOf(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.finish();
}

std::optional<Digest> digestOfFile(const std::string &path) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return std::nullopt;
  }
  Hasher hasher;
  std::string chunk(size_t{256} << 10, '\0');
  ssize_t got = 0;
  while ((got = ::read(fd, chunk.data(), chunk.size())) != 0) {
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      break;
    }
    hasher.add(std::string_view(chunk).substr(0, static_cast<size_t>(got)));
  }
  ::close(fd);
  return got == 0 ? std::optional(hasher.finish()) : std::nullopt;
}

} // namespace placid::server
