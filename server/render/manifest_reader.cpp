// SPDX-License-Identifier: Apache-2.0
#include "server/render/manifest_reader.h"

#include <nlohmann/json.hpp>

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

bool readArgument(const json &given, compiler::LoweredKernel::Argument &out) {
  out.name = text(given, "name");
  out.kind = text(given, "kind");
  out.direction = text(given, "direction");
  out.dtype = text(given, "dtype");
  out.layout = text(given, "layout");
  if (given.contains("shape")) {
    for (const json &extent : given["shape"]) {
      std::optional<compiler::Expr> value = expression(extent);
      if (!value) {
        return false;
      }
      out.shape.push_back(*value);
    }
  }
  return !out.name.empty() && !out.kind.empty();
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
    if (text(given, "pto") != file) {
      continue;
    }
    compiler::LoweredKernel kernel;
    kernel.name = text(given, "name");
    kernel.entry = text(given, "entry");
    kernel.coreType = text(given, "coreType");
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
