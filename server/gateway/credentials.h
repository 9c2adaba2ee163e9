// SPDX-License-Identifier: Apache-2.0
// Who a remote peer is: names and their tokens from a file that only its owner may read. Tokens are compared by digest
// in constant time, all of them, and are in no message and no log. One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace placid::server {

class Credentials {
public:
  /// `path` empty: nobody has a token.
  explicit Credentials(std::string path) : path_(std::move(path)) {}
  /// What is wrong with the file, or empty. A line holds a name and a token of 16 characters or more; `#` begins a
  /// comment.
  std::string load();
  /// The name that belongs to the token. Reads the file again when it has changed.
  std::optional<std::string> nameOf(std::string_view token);

private:
  std::string path_, stamp_;
  std::vector<std::pair<std::string, std::string>> known_; ///< Digest of the token, name.
};

/// The token of an `Authorization` header: Bearer, or the password of Basic.
std::string tokenOf(std::string_view authorization);

/// "team" of "team/alice": what is shared in the HTTP cache.
std::string realmOf(std::string_view client);

/// 128 bits that nobody can guess, in hexadecimal digits; empty when the system has none.
std::string newSecret();

} // namespace placid::server
