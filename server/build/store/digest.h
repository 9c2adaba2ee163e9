// SPDX-License-Identifier: Apache-2.0
// SHA-256 as the name of content: of bytes at hand, in parts, or of a file. Over OpenSSL, which uses the processor's
// own instructions: blobs and whole toolchains go through here. Any thread; one Hasher belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace placid::server {

/// 64 lower-case hexadecimal digits; empty: no digest.
struct Digest {
  std::string hex;
  bool operator==(const Digest &) const = default;
  auto operator<=>(const Digest &) const = default;
};

/// Nothing unless `text` is a digest's spelling: what comes from outside never becomes a path unseen.
std::optional<Digest> parseDigest(std::string_view text);

class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher &) = delete;
  Hasher &operator=(const Hasher &) = delete;
  void add(std::string_view bytes);
  /// A field with its length in front, so that no two lists of fields hash alike.
  void addField(std::string_view bytes);
  Digest finish();

private:
  struct State;
  std::unique_ptr<State> state_;
};

Digest digestOf(std::string_view bytes);
/// Nothing when the file cannot be read to its end.
std::optional<Digest> digestOfFile(const std::string &path);

} // namespace placid::server
