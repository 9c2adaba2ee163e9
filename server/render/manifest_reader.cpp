// SPDX-License-Identifier: Apache-2.0
#include "server/render/manifest_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace placid::server {

namespace {

using nlohmann::json;

std::string text(const json &object, const char *key) {
  auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<compiler::Expr> expression(const json &value) {
  if (value.is_number_integer()) {
    return compiler::Expr(value.get<int64_t>());
  }
  return value.is_string() ? std::optional<compiler::Expr>(value.get<std::string>()) : std::nullopt;
}

/// Of one element, by the number in the dtype's name; 0 for less than a byte, and where the name has none.
int64_t bytesOf(const std::string &dtype) {
  if (dtype == "BOOL" || dtype == "INDEX") {
    return dtype == "BOOL" ? 1 : 8;
  }
  const size_t at = std::min(dtype.find_first_of("0123456789"), dtype.size());
  int64_t bits = 0;
  std::from_chars(dtype.data() + at, dtype.data() + dtype.size(), bits);
  return bits / 8;
}

bool readArgument(const json &given, compiler::LoweredKernel::Argument &out) {
  out.name = text(given, "name");
  out.kind = text(given, "kind");
  out.direction = text(given, "direction");
  out.dtype = text(given, "dtype");
  out.layout = text(given, "layout");
  for (const auto &[key, list] :
       {std::pair{"shape", &out.shape}, {"blocked", &out.blocked}, {"strides", &out.strides}}) {
    auto extents = given.find(key);
    for (size_t i = 0; extents != given.end() && i < extents->size(); ++i) {
      std::optional<compiler::Expr> value = extents->is_array() ? expression((*extents)[i]) : std::nullopt;
      if (!value) {
        return false;
      }
      list->push_back(*value);
    }
  }
  auto number = [](const json &object, const char *key) {
    auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
  };
  out.elementBytes = out.kind == "tensor" ? bytesOf(out.dtype) : 0;
  if (auto packing = given.find("packing"); packing != given.end() && packing->is_object()) {
    out.panelElements = number(*packing, "panelElements");
    out.elementBytes = number(*packing, "elementBytes");
    auto dynamic = packing->find("dynamicBatch");
    out.dynamicBatch = dynamic != packing->end() && dynamic->is_boolean() && dynamic->get<bool>();
  }
  if (auto source = given.find("source"); source != given.end()) {
    out.extentOf = text(*source, "argument");
    out.extentAxis = number(*source, "axis");
  }
  return !out.kind.empty();
}

} // namespace

std::vector<compiler::LoweredKernel> readManifest(const std::string &manifest, const std::string &file,
                                                  std::string &wrong) {
  json root = json::parse(manifest, nullptr, false);
  std::vector<compiler::LoweredKernel> out;
  if (!root.is_object() || !root.contains("kernels") || !root["kernels"].is_array()) {
    wrong = "is no manifest of kernels";
    return out;
  }
  for (const json &given : root["kernels"]) {
    if (!file.empty() && text(given, "pto") != file) {
      continue;
    }
    compiler::LoweredKernel kernel;
    kernel.name = text(given, "name");
    kernel.entry = text(given, "entry");
    kernel.coreType = text(given, "coreType");
    if (auto launch = given.find("launch"); launch != given.end()) {
      auto read = [&](const json &names, const std::string &core) {
        for (const json &name : names.is_array() ? names : json::array({nullptr})) {
          if (!name.is_string()) {
            return false;
          }
          kernel.launch.push_back(core + name.get<std::string>());
        }
        return true;
      };
      bool good = launch->is_object() || read(*launch, "");
      for (const char *core : {"aic", "aiv"}) {
        good =
            good && (!launch->is_object() || !launch->contains(core) || read((*launch)[core], core + std::string(".")));
      }
      if (!good) {
        wrong = "has a `launch` of `" + kernel.name + "` that is no list of names";
        return {};
      }
    }
    if (!given.contains("arguments") || !given["arguments"].is_array()) {
      wrong = "lists no arguments of `" + kernel.name + "`";
      return {};
    }
    for (const json &argument : given["arguments"]) {
      kernel.arguments.emplace_back();
      if (!readArgument(argument, kernel.arguments.back())) {
        wrong = "has an argument of `" + kernel.name + "` that cannot be read";
        return {};
      }
    }
    out.push_back(std::move(kernel));
  }
  return out;
}

} // namespace placid::server
