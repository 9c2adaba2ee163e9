// SPDX-License-Identifier: Apache-2.0
#include "protocol/daemon/hello.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace placid::protocol {

namespace {

constexpr int64_t kMostColumns = 10000;
constexpr std::string_view kRoles[] = {"lsp", "build", "admin"};

RpcError missing(const std::string &what) { return {ErrorCode::InvalidParams, what}; }

const Json *member(const Json &object, const char *name) {
  if (!object.is_object()) {
    return nullptr;
  }
  auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::optional<std::string> text(const Json &object, const char *name) {
  const Json *value = member(object, name);
  return value && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

std::optional<int64_t> number(const Json &object, const char *name) {
  const Json *value = member(object, name);
  return value && value->is_number_integer() ? std::optional(value->get<int64_t>()) : std::nullopt;
}

std::optional<std::vector<std::string>> words(const Json &object, const char *name) {
  const Json *value = member(object, name);
  if (!value || !value->is_array()) {
    return std::nullopt;
  }
  std::vector<std::string> out;
  for (const Json &word : *value) {
    if (!word.is_string()) {
      return std::nullopt;
    }
    out.push_back(unpackBytes(word.get<std::string>()));
  }
  return out;
}

Json packed(const std::vector<std::string> &list) {
  Json out = Json::array();
  for (const std::string &word : list) {
    out.push_back(packBytes(word));
  }
  return out;
}

} // namespace

std::string_view roleName(Role role) { return kRoles[static_cast<size_t>(role)]; }

// Latin-1 as UTF-8: every byte becomes a character of its own value, so that any byte survives JSON.
std::string packBytes(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | (byte >> 6));
      out += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return out;
}

std::string unpackBytes(std::string_view packedText) {
  std::string out;
  out.reserve(packedText.size());
  for (size_t i = 0; i < packedText.size(); ++i) {
    auto lead = static_cast<unsigned char>(packedText[i]);
    bool pair = (lead == 0xc2 || lead == 0xc3) && i + 1 < packedText.size();
    out += pair ? static_cast<char>(((lead & 3) << 6) | (static_cast<unsigned char>(packedText[++i]) & 0x3f))
                : packedText[i];
  }
  return out;
}

namespace {

Json placeJson(const Surroundings &place) {
  Json environment = Json::object();
  for (const auto &[name, value] : place.environment) {
    environment[name] = packBytes(value);
  }
  return {{"umask", place.umask}, {"tmpdir", packBytes(place.tmpdir)}, {"environment", std::move(environment)}};
}

Surroundings placeOf(const Json &json) {
  Surroundings out;
  out.umask = static_cast<uint32_t>(number(json, "umask").value_or(022)) & 0777U;
  out.tmpdir = unpackBytes(text(json, "tmpdir").value_or(""));
  const Json *environment = member(json, "environment");
  for (std::string_view name : kCommandEnvironment) {
    if (std::optional<std::string> value = environment ? text(*environment, std::string(name).c_str()) : std::nullopt) {
      out.environment[std::string(name)] = unpackBytes(*value);
    }
  }
  return out;
}

} // namespace

Json toJson(const Hello &hello) {
  Json out = {{"protocol", {{"min", hello.protocolMin}, {"max", hello.protocolMax}}},
              {"buildId", hello.buildId},
              {"role", roleName(hello.role)},
              {"arguments", packed(hello.arguments)},
              {"cwd", packBytes(hello.cwd)}};
  if (hello.place) {
    out["place"] = placeJson(*hello.place);
  }
  if (!hello.token.empty()) {
    out["token"] = hello.token;
  }
  return out;
}

Json toJson(const Welcome &welcome) {
  return {
      {"protocol", welcome.protocol}, {"buildId", welcome.buildId}, {"version", welcome.version}, {"pid", welcome.pid}};
}

Json toJson(const CommandRun &run) {
  Json out = {{"words", packed(run.words)},
              {"cwd", packBytes(run.cwd)},
              {"color", run.color},
              {"columns", run.columns},
              {"errorColor", run.errorColor}};
  out.update(placeJson(run));
  return out;
}

Json toJson(const CommandOutput &output) {
  return {{"stream", output.error ? "stderr" : "stdout"}, {"text", packBytes(output.text)}};
}

Result<Hello> helloFromJson(const Json &params) {
  Hello out;
  const Json *versions = member(params, "protocol");
  std::optional<int64_t> least = versions ? number(*versions, "min") : std::nullopt;
  std::optional<int64_t> most = versions ? number(*versions, "max") : std::nullopt;
  std::optional<std::string> role = text(params, "role");
  if (!least || !most || !role) {
    return missing("hello: expected {protocol: {min, max}, buildId, role}");
  }
  out.protocolMin = static_cast<int>(*least);
  out.protocolMax = static_cast<int>(*most);
  out.buildId = text(params, "buildId").value_or("");
  out.arguments = words(params, "arguments").value_or(std::vector<std::string>());
  out.cwd = unpackBytes(text(params, "cwd").value_or(""));
  if (const Json *place = member(params, "place")) {
    out.place = placeOf(*place);
  }
  out.token = text(params, "token").value_or("");
  for (size_t i = 0; i < std::size(kRoles); ++i) {
    if (*role == kRoles[i]) {
      out.role = static_cast<Role>(i);
      return out;
    }
  }
  return missing("hello: unknown role `" + *role + "`: expected lsp, build or admin");
}

Result<Welcome> welcomeFromJson(const Json &result) {
  std::optional<int64_t> version = number(result, "protocol");
  if (!version) {
    return missing("the daemon's answer to hello is not one");
  }
  return Welcome{static_cast<int>(*version), text(result, "buildId").value_or(""), text(result, "version").value_or(""),
                 number(result, "pid").value_or(0)};
}

Result<CommandRun> commandRunFromJson(const Json &params) {
  std::optional<std::vector<std::string>> given = words(params, "words");
  std::optional<std::string> cwd = text(params, "cwd");
  if (!given || !cwd) {
    return missing("command/run: expected {words, cwd}");
  }
  CommandRun out;
  out.words = std::move(*given);
  out.cwd = unpackBytes(*cwd);
  const Json *color = member(params, "color");
  out.color = color && color->is_boolean() && color->get<bool>();
  out.columns = static_cast<uint32_t>(std::clamp<int64_t>(number(params, "columns").value_or(0), 0, kMostColumns));
  const Json *errorColor = member(params, "errorColor");
  out.errorColor = errorColor && errorColor->is_boolean() && errorColor->get<bool>();
  static_cast<Surroundings &>(out) = placeOf(params);
  return out;
}

Result<CommandOutput> commandOutputFromJson(const Json &params) {
  std::optional<std::string> stream = text(params, "stream");
  std::optional<std::string> given = text(params, "text");
  if (!stream || !given) {
    return missing("command/output: expected {stream, text}");
  }
  return CommandOutput{*stream == "stderr", unpackBytes(*given)};
}

} // namespace placid::protocol
