// SPDX-License-Identifier: Apache-2.0
// How JSON becomes typed parameters: a path that knows where in the message a value stands, and a reader of object
// members. A fault is reported once, with its path, as text for an -32602 answer. Any thread; nothing throws.
#pragma once

#include "protocol/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placid::lsp {

using protocol::Json;

/// A place in a message. Paths live on the stack of the decoder; only a fault makes text of them.
class Path {
public:
  explicit Path(std::string &fault) : fault_(&fault) {}

  Path field(std::string_view name) const { return {this, name, 0}; }
  Path index(size_t index) const { return {this, {}, index}; }
  /// Records "textDocument.version: expected an integer" unless a fault is there already. Returns false.
  bool fail(std::string_view expected) const;

private:
  Path(const Path *parent, std::string_view name, size_t index)
      : parent_(parent), name_(name), index_(index), fault_(parent->fault_) {}
  std::string text() const;

  const Path *parent_ = nullptr;
  std::string_view name_;
  size_t index_ = 0;
  std::string *fault_;
};

bool decode(const Json &value, std::string &out, const Path &path);
bool decode(const Json &value, bool &out, const Path &path);
/// Integral floating-point numbers count as integers: some clients have no others.
bool decode(const Json &value, int64_t &out, const Path &path);
/// The protocol's uinteger.
bool decode(const Json &value, uint32_t &out, const Path &path);

template <class T> bool decode(const Json &value, std::optional<T> &out, const Path &path) {
  return decode(value, out.emplace(), path);
}

/// Null when `object` is no object or has no such member.
const Json *member(const Json &object, std::string_view name);
bool isNull(const Json &value);
bool isObject(const Json &value);
/// Elements of an array; false when it is none.
bool elements(const Json &value, std::vector<const Json *> &out);

template <class T> bool decode(const Json &value, std::vector<T> &out, const Path &path) {
  std::vector<const Json *> items;
  if (!elements(value, items)) {
    return path.fail("expected an array");
  }
  out.reserve(items.size());
  for (const Json *item : items) {
    Path element = path.index(out.size());
    if (!decode(*item, out.emplace_back(), element)) {
      return false;
    }
  }
  return true;
}

/// Members of one object.
class Members {
public:
  Members(const Json &value, const Path &path) : value_(value), path_(path) {}

  bool isObject() const { return lsp::isObject(value_) || path_.fail("expected an object"); }
  /// The member must be there.
  template <class T> bool need(std::string_view name, T &out) const {
    const Json *found = member(value_, name);
    return found ? decode(*found, out, path_.field(name)) : path_.field(name).fail("is missing");
  }
  /// A missing or null member leaves `out` as it is.
  template <class T> bool take(std::string_view name, T &out) const {
    const Json *found = member(value_, name);
    return !found || isNull(*found) || decode(*found, out, path_.field(name));
  }

private:
  const Json &value_;
  const Path &path_;
};

} // namespace placid::lsp
