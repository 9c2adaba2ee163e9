// SPDX-License-Identifier: Apache-2.0
#include "server/render/host_names.h"

#include "compiler/support/sha256.h"

namespace placid::server {

namespace {

bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || (c >= '0' && c <= '9'); }
bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Keywords and spellings of operators up to C++23, and old macros of compilers that are no reserved names.
bool isKeyword(const std::string &name) {
  static const std::set<std::string> kWords = {"alignas",      "alignof",      "and",           "and_eq",
                                               "asm",          "auto",         "bitand",        "bitor",
                                               "bool",         "break",        "case",          "catch",
                                               "char",         "char16_t",     "char32_t",      "char8_t",
                                               "class",        "co_await",     "co_return",     "co_yield",
                                               "compl",        "concept",      "const",         "const_cast",
                                               "consteval",    "constexpr",    "constinit",     "continue",
                                               "decltype",     "default",      "delete",        "do",
                                               "double",       "dynamic_cast", "else",          "enum",
                                               "explicit",     "export",       "extern",        "false",
                                               "float",        "for",          "friend",        "goto",
                                               "if",           "inline",       "int",           "linux",
                                               "long",         "mutable",      "namespace",     "new",
                                               "noexcept",     "not",          "not_eq",        "nullptr",
                                               "operator",     "or",           "or_eq",         "private",
                                               "protected",    "public",       "register",      "reinterpret_cast",
                                               "requires",     "return",       "short",         "signed",
                                               "sizeof",       "static",       "static_assert", "static_cast",
                                               "struct",       "switch",       "template",      "this",
                                               "thread_local", "throw",        "true",          "try",
                                               "typedef",      "typeid",       "typename",      "union",
                                               "unix",         "unsigned",     "using",         "virtual",
                                               "void",         "volatile",     "wchar_t",       "while",
                                               "xor",          "xor_eq",       "typeof"};
  return kWords.contains(name);
}

/// What the standard keeps for itself: `_X`, `a__b`; types such as `int64_t`; macros such as `INT64_MAX`, `UINT8_C`.
bool isReserved(const std::string &name) {
  const bool upper = name.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  return (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z') ||
         name.find("__") != std::string::npos || name.ends_with("_t") || name == "NULL" ||
         (upper && (name.ends_with("_MAX") || name.ends_with("_MIN") || name.ends_with("_C") ||
                    name.ends_with("_WIDTH") || name.starts_with("__")));
}

std::string words(const std::string &name) {
  std::string out;
  for (char c : name) {
    out += isWord(c) ? c : '_';
  }
  return out;
}

std::string withoutPairs(std::string name) {
  for (size_t at = name.find("__"); at != std::string::npos; at = name.find("__")) {
    name.erase(at, 1);
  }
  return name;
}

} // namespace

std::string cppName(const std::string &name, std::set<std::string> &taken) {
  std::string out = words(name);
  if (out.empty() || !isWordStart(out[0]) || isKeyword(out) || isReserved(out)) {
    out = withoutPairs("a_" + out);
  }
  std::string unique = out;
  for (int i = 1; !taken.insert(unique).second; ++i) {
    unique = withoutPairs(out + "_" + std::to_string(i));
  }
  return unique;
}

std::string cppNamespace(const std::string &name) {
  std::string out = withoutPairs("placid_" + words(name));
  // Where letters were lost, the whole name says which it was.
  return out == "placid_" + name ? out : withoutPairs(out + "_") + support::sha256Hex(name).substr(0, 12);
}

std::string cppString(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (isControl(c)) {
      const auto code = static_cast<unsigned char>(c);
      out += {'\\', static_cast<char>('0' + (code >> 6)), static_cast<char>('0' + (code >> 3 & 7)),
              static_cast<char>('0' + (code & 7))};
    } else if (c == '"' || c == '\\' || c == '?') {
      out += {'\\', c};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string cppComment(const std::string &text) {
  std::string out;
  for (char c : text) {
    out += isControl(c) ? ' ' : c == '\\' || c == '?' ? '.' : c;
  }
  return out;
}

} // namespace placid::server
