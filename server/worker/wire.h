// SPDX-License-Identifier: Apache-2.0
// Plain data to bytes and back: numbers, strings, containers and every aggregate, whose fields are found by reflection,
// so that a field that is added to a struct travels without a line here. Both ends are one build of one program: there
// is no version in it. Reading is total: short or absurd input makes the reader fail, never the process. Any thread.
#pragma once

#include <boost/pfr/core.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace placid::server {

namespace wire_detail {
template <class T> inline constexpr bool kIsVector = false;
template <class T> inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T> inline constexpr bool kIsArray = false;
template <class T, size_t N> inline constexpr bool kIsArray<std::array<T, N>> = true;
template <class T> inline constexpr bool kIsOptional = false;
template <class T> inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T> inline constexpr bool kIsVariant = false;
template <class... T> inline constexpr bool kIsVariant<std::variant<T...>> = true;
template <class T> inline constexpr bool kIsMap = false;
template <class K, class V, class C> inline constexpr bool kIsMap<std::map<K, V, C>> = true;
template <class T> inline constexpr bool kIsPair = false;
template <class A, class B> inline constexpr bool kIsPair<std::pair<A, B>> = true;
template <class T> inline constexpr bool kIsShared = false;
template <class T> inline constexpr bool kIsShared<std::shared_ptr<T>> = true;
template <class T> inline constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;
} // namespace wire_detail

class WireWriter {
public:
  template <class T> void put(const T &value) {
    using namespace wire_detail;
    if constexpr (kIsNumber<T>) {
      char raw[sizeof(T)];
      std::memcpy(raw, &value, sizeof raw);
      bytes_.append(raw, sizeof raw);
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
      put(static_cast<uint64_t>(value.size()));
      bytes_.append(value);
    } else if constexpr (kIsVector<T> || kIsMap<T>) {
      put(static_cast<uint64_t>(value.size()));
      for (const auto &element : value) {
        put(element);
      }
    } else if constexpr (kIsArray<T>) {
      for (const auto &element : value) {
        put(element);
      }
    } else if constexpr (kIsOptional<T>) {
      put(value.has_value());
      if (value) {
        put(*value);
      }
    } else if constexpr (kIsVariant<T>) {
      put(static_cast<uint8_t>(value.index()));
      std::visit([&](const auto &held) { put(held); }, value);
    } else if constexpr (kIsShared<T>) {
      // An object of this process: whoever sends it says in its own words what the other end needs of it.
    } else if constexpr (kIsPair<T>) {
      put(value.first);
      put(value.second);
    } else {
      static_assert(std::is_aggregate_v<T>, "only plain data travels");
      boost::pfr::for_each_field(value, [&](const auto &field) { put(field); });
    }
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

class WireReader {
public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  template <class T> void get(T &value) {
    using namespace wire_detail;
    if constexpr (std::is_same_v<T, bool>) {
      if (take(1)) {
        value = taken_[0] == 1;
        good_ = value || taken_[0] == 0;
      }
    } else if constexpr (kIsNumber<T>) {
      if (take(sizeof(T))) {
        std::memcpy(&value, taken_.data(), sizeof(T));
      }
    } else if constexpr (std::is_same_v<T, std::string>) {
      uint64_t size = count();
      if (take(size)) {
        value.assign(taken_);
      }
    } else if constexpr (kIsVector<T>) {
      value.clear();
      for (uint64_t left = count(); left > 0 && good_; --left) {
        get(value.emplace_back());
      }
    } else if constexpr (kIsMap<T>) {
      value.clear();
      for (uint64_t left = count(); left > 0 && good_; --left) {
        typename T::key_type key{};
        typename T::mapped_type mapped{};
        get(key);
        get(mapped);
        value.emplace(std::move(key), std::move(mapped));
      }
    } else if constexpr (kIsArray<T>) {
      for (auto &element : value) {
        get(element);
      }
    } else if constexpr (kIsOptional<T>) {
      bool has = false;
      get(has);
      value.reset();
      if (has && good_) {
        get(value.emplace());
      }
    } else if constexpr (kIsVariant<T>) {
      uint8_t index = 0;
      get(index);
      alternative(value, index, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (kIsShared<T>) {
      value = nullptr;
    } else if constexpr (kIsPair<T>) {
      get(value.first);
      get(value.second);
    } else {
      static_assert(std::is_aggregate_v<T>, "only plain data travels");
      boost::pfr::for_each_field(value, [&](auto &field) { get(field); });
    }
  }

  /// False once something did not fit; what was read since is not to be used.
  bool good() const { return good_; }
  /// All was read, nothing is left.
  bool whole() const { return good_ && rest_.empty(); }
  std::string_view rest() const { return rest_; }

private:
  /// A count of elements, each at least one byte: more than there are bytes is nonsense.
  uint64_t count() {
    uint64_t value = 0;
    get(value);
    good_ = good_ && value <= rest_.size();
    return good_ ? value : 0;
  }
  bool take(uint64_t size) {
    good_ = good_ && size <= rest_.size();
    if (good_) {
      taken_ = rest_.substr(0, size);
      rest_.remove_prefix(size);
    }
    return good_;
  }
  template <class T, size_t... Index> void alternative(T &value, uint8_t index, std::index_sequence<Index...>) {
    good_ = good_ && index < sizeof...(Index);
    if (good_) {
      (void)((Index == index ? (get(value.template emplace<Index>()), true) : false) || ...);
    }
  }

  std::string_view rest_;
  std::string_view taken_;
  bool good_ = true;
};

template <class... T> std::string wireBytes(const T &...values) {
  WireWriter writer;
  (writer.put(values), ...);
  return writer.take();
}

/// False when `bytes` are not exactly these values.
template <class... T> bool fromWire(std::string_view bytes, T &...values) {
  WireReader reader(bytes);
  (reader.get(values), ...);
  return reader.whole();
}

} // namespace placid::server
