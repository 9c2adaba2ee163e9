// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/uri.h"

#include <algorithm>

namespace placid::lsp {

namespace {

bool isAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

int hexValue(char c) {
  if (isDigit(c)) {
    return c - '0';
  }
  char low = lowered(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    int high = i + 2 < text.size() ? hexValue(text[i + 1]) : -1;
    int low = i + 2 < text.size() ? hexValue(text[i + 2]) : -1;
    if (high < 0 || low < 0 || (high == 0 && low == 0)) { // a NUL ends every path it is put into
      return std::nullopt;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

/// True for `/c:/…`, a Windows path as a URI carries it.
bool hasDrive(std::string_view path) {
  return path.size() >= 3 && path[0] == '/' && isAlpha(path[1]) && path[2] == ':';
}

} // namespace

std::optional<Uri> parseUri(std::string_view text) {
  size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !isAlpha(text[0])) {
    return std::nullopt;
  }
  Uri uri;
  for (char c : text.substr(0, colon)) {
    if (!isAlpha(c) && !isDigit(c) && c != '+' && c != '-' && c != '.') {
      return std::nullopt;
    }
    uri.scheme += lowered(c);
  }
  std::string_view after = text.substr(colon + 1);
  if (size_t mark = after.find_first_of("?#"); mark != std::string_view::npos) {
    uri.rest = after.substr(mark);
    after = after.substr(0, mark);
  }
  if (after.substr(0, 2) == "//") {
    size_t slash = after.find('/', 2);
    std::optional<std::string> authority =
        decoded(after.substr(2, slash == std::string_view::npos ? slash : slash - 2));
    if (!authority) {
      return std::nullopt;
    }
    uri.authority = std::move(*authority);
    after = slash == std::string_view::npos ? std::string_view() : after.substr(slash);
  }
  std::optional<std::string> path = decoded(after);
  if (!path) {
    return std::nullopt;
  }
  uri.path = std::move(*path);
  return uri;
}

std::string documentKey(std::string_view text) {
  std::optional<Uri> uri = parseUri(text);
  if (!uri) {
    return std::string(text);
  }
  std::string authority = uri->scheme == "file" && uri->authority == "localhost" ? "" : uri->authority;
  std::string path = uri->path;
  if (uri->scheme == "file" && hasDrive(path)) {
    path[1] = lowered(path[1]);
  }
  // A newline cannot stand in a scheme or an authority that came through: the parts stay apart.
  return uri->scheme + "\n" + authority + "\n" + path + "\n" + uri->rest;
}

std::string displayPath(std::string_view text) {
  std::optional<Uri> uri = parseUri(text);
  if (!uri || uri->scheme != "file" || uri->path.empty()) {
    return std::string(text);
  }
  if (hasDrive(uri->path)) {
    return uri->path.substr(1);
  }
  bool local = uri->authority.empty() || uri->authority == "localhost";
  return local ? uri->path : "//" + uri->authority + uri->path;
}

std::string fileUri(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out = "file://";
  if (path.empty() || path.front() != '/') {
    out += '/'; // a drive letter
  }
  for (char c : path) {
    bool plain = isAlpha(c) || isDigit(c) || std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    }
  }
  return out;
}

} // namespace placid::lsp
