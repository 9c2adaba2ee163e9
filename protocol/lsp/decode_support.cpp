// SPDX-License-Identifier: Apache-2.0
#include "protocol/lsp/decode_support.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace placid::lsp {

std::string Path::text() const {
  if (!parent_) {
    return "params";
  }
  std::string out = parent_->text();
  return name_.empty() ? out + "[" + std::to_string(index_) + "]" : out + "." + std::string(name_);
}

bool Path::fail(std::string_view expected) const {
  if (fault_->empty()) {
    bool clause = expected.substr(0, 3) == "is ";
    *fault_ = text() + (clause ? " " : ": ") + std::string(expected);
  }
  return false;
}

bool decode(const Json &value, std::string &out, const Path &path) {
  if (!value.is_string()) {
    return path.fail("expected a string");
  }
  out = value.get_ref<const std::string &>();
  return true;
}

bool decode(const Json &value, bool &out, const Path &path) {
  if (!value.is_boolean()) {
    return path.fail("expected a boolean");
  }
  out = value.get<bool>();
  return true;
}

bool decode(const Json &value, int64_t &out, const Path &path) {
  constexpr double kExact = 9007199254740992.0; // 2^53
  if (value.is_number_float()) {
    double number = value.get<double>();
    if (number == std::trunc(number) && number >= -kExact && number <= kExact) {
      out = static_cast<int64_t>(number);
      return true;
    }
  } else if (value.is_number_unsigned()) {
    if (value.get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()}) {
      out = value.get<int64_t>();
      return true;
    }
  } else if (value.is_number_integer()) {
    out = value.get<int64_t>();
    return true;
  }
  return path.fail("expected an integer");
}

bool decode(const Json &value, uint32_t &out, const Path &path) {
  int64_t number = 0;
  if (!decode(value, number, path)) {
    return false;
  }
  if (number < 0 || number > int64_t{std::numeric_limits<uint32_t>::max()}) {
    return path.fail("expected an unsigned 32-bit integer");
  }
  out = static_cast<uint32_t>(number);
  return true;
}

const Json *member(const Json &object, std::string_view name) {
  if (!object.is_object()) {
    return nullptr;
  }
  auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

bool isNull(const Json &value) { return value.is_null(); }
bool isObject(const Json &value) { return value.is_object(); }

bool elements(const Json &value, std::vector<const Json *> &out) {
  if (!value.is_array()) {
    return false;
  }
  for (const Json &item : value) {
    out.push_back(&item);
  }
  return true;
}

} // namespace placid::lsp
