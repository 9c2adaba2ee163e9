// SPDX-License-Identifier: Apache-2.0
#include "protocol/jsonrpc/message.h"

#include "protocol/jsonrpc/json_guard.h"

#include <charconv>
#include <limits>

namespace placid::protocol {

namespace {

Message invalid(Id id, std::string why) { return Invalid{std::move(id), {ErrorCode::InvalidRequest, std::move(why)}}; }

Message decodeResponse(Json &object, Id id) {
  Response response;
  response.id = std::move(id);
  if (auto error = object.find("error"); error != object.end() && error->is_object()) {
    RpcError got;
    if (auto code = error->find("code"); code != error->end() && code->is_number_integer()) {
      got.code = static_cast<ErrorCode>(code->get<int32_t>());
    }
    if (auto text = error->find("message"); text != error->end() && text->is_string()) {
      got.message = text->get<std::string>();
    }
    response.error = std::move(got);
  } else if (auto result = object.find("result"); result != object.end()) {
    response.result = std::move(*result);
  }
  return response;
}

/// The code unit of an escape `\uXXXX` at `at`; nothing when there is none.
std::optional<uint32_t> escapedUnit(std::string_view body, size_t at) {
  constexpr size_t kLength = 6;
  if (at + kLength > body.size() || body[at] != '\\' || body[at + 1] != 'u') {
    return std::nullopt;
  }
  uint32_t unit = 0;
  auto [end, error] = std::from_chars(body.data() + at + 2, body.data() + at + kLength, unit, 16);
  bool whole = error == std::errc() && end == body.data() + at + kLength;
  return whole ? std::optional(unit) : std::nullopt;
}

/// Editors that keep text in UTF-16 write half a pair where one was cut. No text can hold it: U+FFFD stands for it,
/// which is as long in UTF-16. Nothing when there is no such half.
std::optional<std::string> withoutHalfPairs(std::string_view body) {
  constexpr std::string_view kReplacement = "\\ufffd";
  std::optional<std::string> out;
  for (size_t i = body.find('\\'); i != std::string_view::npos; i = body.find('\\', i)) {
    std::optional<uint32_t> unit = escapedUnit(body, i);
    if (!unit || *unit < 0xD800 || *unit > 0xDFFF) {
      i += 2; // whatever is escaped
      continue;
    }
    std::optional<uint32_t> next = escapedUnit(body, i + kReplacement.size());
    bool pair = *unit < 0xDC00 && next && *next >= 0xDC00 && *next <= 0xDFFF;
    if (!pair) {
      if (!out) {
        out = std::string(body);
      }
      out->replace(i, kReplacement.size(), kReplacement); // of the same length: offsets stay
    }
    i += (pair ? 2 : 1) * kReplacement.size();
  }
  return out;
}

Message decodeOne(Json &object) {
  if (!object.is_object()) {
    return invalid({}, "a message is an object");
  }
  auto idMember = object.find("id");
  std::optional<Id> id;
  if (idMember != object.end()) {
    id = idFromJson(*idMember);
  }
  Id answerTo = id.value_or(Id{});
  auto version = object.find("jsonrpc");
  if (version == object.end() || !version->is_string() || *version != "2.0") {
    return invalid(answerTo, "`jsonrpc` must be \"2.0\"");
  }
  auto method = object.find("method");
  if (method == object.end()) {
    bool answer = object.contains("result") || object.contains("error");
    if (idMember != object.end() && answer) {
      return decodeResponse(object, answerTo);
    }
    return invalid(answerTo, "a message has a `method`, or an `id` and a `result` or `error`");
  }
  if (!method->is_string()) {
    return invalid(answerTo, "`method` must be a string");
  }
  if (idMember != object.end() && !id) {
    return invalid({}, "`id` must be an integer or a string");
  }
  Call call{std::move(id), method->get<std::string>(), nullptr};
  if (auto params = object.find("params"); params != object.end()) {
    if (!params->is_structured() && !params->is_null()) {
      return invalid(answerTo, "`params` must be an object or an array");
    }
    call.params = std::move(*params);
  }
  return call;
}

} // namespace

Json toJson(const Id &id) {
  if (const auto *number = std::get_if<int64_t>(&id)) {
    return *number;
  }
  if (const auto *text = std::get_if<std::string>(&id)) {
    return *text;
  }
  return nullptr;
}

std::optional<Id> idFromJson(const Json &value) {
  if (value.is_string()) {
    return Id(value.get<std::string>());
  }
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()}) {
    return std::nullopt;
  }
  if (value.is_number_integer()) {
    return Id(value.get<int64_t>());
  }
  return std::nullopt;
}

Incoming decodeMessage(std::string_view body) {
  auto parseError = [](std::string why) {
    Incoming out;
    out.messages.emplace_back(Invalid{{}, {ErrorCode::ParseError, std::move(why)}});
    return out;
  };
  JsonLimits limits;
  switch (guardJson(body, limits)) {
  case JsonFault::TooDeep:
    return parseError("JSON nested more than " + std::to_string(limits.depth) + " levels deep");
  case JsonFault::TooManyValues:
    return parseError("JSON with more than " + std::to_string(limits.values) + " values");
  case JsonFault::None:
    break;
  }
  Json parsed = Json::parse(body.begin(), body.end(), nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) {
    if (std::optional<std::string> mended = withoutHalfPairs(body)) {
      parsed = Json::parse(mended->begin(), mended->end(), nullptr, /*allow_exceptions=*/false);
    }
  }
  if (parsed.is_discarded()) {
    return parseError("the body is not valid JSON");
  }
  Incoming out;
  if (!parsed.is_array()) {
    out.messages.push_back(decodeOne(parsed));
    return out;
  }
  if (parsed.empty()) {
    out.messages.push_back(invalid({}, "an empty batch"));
    return out;
  }
  out.batch = true;
  for (Json &item : parsed) {
    out.messages.push_back(decodeOne(item));
  }
  return out;
}

Json resultMessage(const Id &id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", toJson(id)}, {"result", std::move(result)}};
}

Json errorMessage(const Id &id, const RpcError &error) {
  return {{"jsonrpc", "2.0"},
          {"id", toJson(id)},
          {"error", {{"code", static_cast<int32_t>(error.code)}, {"message", error.message}}}};
}

Json notificationMessage(std::string_view method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

std::string encode(const Json &message) { return message.dump(-1, ' ', false, Json::error_handler_t::replace); }

} // namespace placid::protocol
