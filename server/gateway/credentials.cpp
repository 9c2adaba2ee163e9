// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/credentials.h"

#include "server/build/jobs/base64.h"
#include "server/build/jobs/job_table.h"
#include "server/build/store/digest.h"
#include "server/support/log.h"

#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

namespace placid::server {

namespace {

constexpr size_t kShortest = 16;
constexpr size_t kMostBytes = size_t{1} << 20;

bool isName(std::string_view text) {
  return !text.empty() && text.size() <= 100 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./@").find(c) != std::string_view::npos;
  });
}

/// What changes with the file; empty when there is none.
std::string stampOf(const std::string &path) {
  struct stat info{};
  if (path.empty() || ::stat(path.c_str(), &info) != 0) {
    return {};
  }
  return std::to_string(info.st_ino) + " " + std::to_string(info.st_size) + " " + std::to_string(info.st_mode) + " " +
         std::to_string(info.st_mtim.tv_sec) + "." + std::to_string(info.st_mtim.tv_nsec);
}

} // namespace

std::string Credentials::load() {
  known_.clear();
  stamp_ = stampOf(path_);
  if (path_.empty()) {
    return {};
  }
  struct stat info{};
  if (::stat(path_.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return path_ + " is no file";
  }
  if ((info.st_mode & 077) != 0) {
    return path_ + " may be read by others: chmod 600";
  }
  std::ifstream file(path_, std::ios::binary);
  std::string line;
  size_t number = 0, bytes = 0;
  while (std::getline(file, line) && (bytes += line.size()) < kMostBytes) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, token, more;
    if (!(words >> name)) {
      continue;
    }
    if (!(words >> token) || words >> more || !isName(name) || token.size() < kShortest) {
      known_.clear();
      return path_ + ":" + std::to_string(number) + ": expected a name and a token of at least " +
             std::to_string(kShortest) + " characters";
    }
    if (realmOf(name) == JobTable::kLocal) {
      known_.clear();
      return path_ + ":" + std::to_string(number) + ": `" + JobTable::kLocal + "` is this machine itself, not a client";
    }
    known_.emplace_back(digestOf(token).hex, name);
  }
  return {};
}

std::optional<std::string> Credentials::nameOf(std::string_view token) {
  if (stampOf(path_) != stamp_) {
    if (std::string wrong = load(); !wrong.empty()) { // gone or damaged, it lets nobody in
      log(LogLevel::Error, "gateway", wrong);
    }
  }
  std::string digest = digestOf(token).hex;
  std::optional<std::string> out;
  for (const auto &[known, name] : known_) { // all of them, whichever fits
    if (CRYPTO_memcmp(known.data(), digest.data(), digest.size()) == 0) {
      out = name;
    }
  }
  return out;
}

std::string tokenOf(std::string_view authorization) {
  size_t space = authorization.find(' ');
  std::string scheme(authorization.substr(0, std::min(space, authorization.size())));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  std::string_view rest = space == std::string_view::npos ? std::string_view() : authorization.substr(space + 1);
  if (scheme == "bearer") {
    return std::string(rest);
  }
  if (scheme == "basic") {
    std::string pair = fromBase64(rest).value_or("");
    size_t colon = pair.find(':');
    return colon == std::string::npos ? std::string() : pair.substr(colon + 1);
  }
  return {};
}

std::string realmOf(std::string_view client) { return std::string(client.substr(0, client.find('/'))); }

std::string newSecret() {
  std::array<unsigned char, 16> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0) {
    return {};
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (unsigned char byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

} // namespace placid::server
