// SPDX-License-Identifier: Apache-2.0
#include "server/dispatch/dispatch.h"

#include "protocol/lsp/codec.h"
#include "protocol/lsp/features_codec.h"
#include "server/handlers/handlers.h"
#include "server/handlers/text_sync.h"
#include "server/session/session.h"
#include "server/support/log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

namespace placid::server {

using protocol::Json;

namespace {

Json encodeResult(const lsp::NoResult &) { return nullptr; }
template <class R> Json encodeResult(const R &result) { return lsp::toJson(result); }
template <class R> Json encodeResult(const std::vector<R> &results) {
  Json out = Json::array();
  for (const R &result : results) {
    out.push_back(lsp::toJson(result));
  }
  return out;
}
template <class R> Json encodeResult(const std::optional<R> &result) {
  return result ? lsp::toJson(*result) : Json(nullptr);
}

template <class R> void answer(Reply reply, const Result<R> &result) {
  if (result.has_value()) {
    std::move(reply).ok(encodeResult(*result));
  } else {
    std::move(reply).fail(result.error());
  }
}

template <class Params, class R>
void callRequest(Session &session, const Json &json, Reply reply, std::string_view method,
                 Result<R> (*handler)(Session &, const Params &)) {
  Result<Params> params = lsp::decodeParams<Params>(method, json);
  if (params.has_error()) {
    std::move(reply).fail(params.error());
    return;
  }
  // The answer goes out before anything that the handler's effects cause later.
  answer(std::move(reply), handler(session, *params));
}

template <class Params, class R>
void callQuery(Session &session, const Json &json, Reply reply, std::string_view method,
               Result<R> (*handler)(const Snapshot &, const Params &, const std::stop_token &)) {
  Result<Params> params = lsp::decodeParams<Params>(method, json);
  if (params.has_error()) {
    std::move(reply).fail(params.error());
    return;
  }
  auto result = std::make_shared<std::optional<Result<R>>>();
  Session::Query query;
  if constexpr (requires { params->uri; }) {
    query.uri = params->uri;
  } else {
    query.wholeWorkspace = true;
  }
  query.urgent = method == "textDocument/completion" || method == "textDocument/signatureHelp";
  query.fromDisk = std::is_same_v<Params, lsp::CallHierarchyParams>;
  if constexpr (std::is_same_v<R, lsp::DiagnosticReport>) {
    query.ofSettings = encodeResult(R{}); // told in their own way; this answer must not be null
  }
  query.work = [result, handler, given = *params](const Snapshot &snapshot, std::stop_token stop) {
    *result = handler(snapshot, given, stop);
  };
  query.answer = [result](Reply given) {
    if (*result) {
      answer(std::move(given), **result);
    } else {
      std::move(given).fail({protocol::ErrorCode::InternalError, "the request failed inside the server"});
    }
  };
  session.startQuery(std::move(query), std::move(reply));
}

template <class Params>
void callAsync(Session &session, const Json &json, Reply reply, std::string_view method,
               void (*handler)(Session &, const Params &, Reply)) {
  Result<Params> params = lsp::decodeParams<Params>(method, json);
  if (params.has_error()) {
    std::move(reply).fail(params.error());
    return;
  }
  handler(session, *params, std::move(reply));
}

template <class Params>
void callNotify(Session &session, const Json &json, std::string_view method,
                void (*handler)(Session &, const Params &)) {
  Result<Params> params = lsp::decodeParams<Params>(method, json);
  if (params.has_error()) {
    log(LogLevel::Warning, "dispatch", "notification dropped: " + params.error().message);
    if constexpr (std::is_same_v<Params, lsp::DidChangeParams> || std::is_same_v<Params, lsp::DidOpenParams>) {
      textLost(session, json);
    }
    return;
  }
  handler(session, *params);
}

constexpr MethodRow kRows[] = {
#define LSP_REQUEST(method, name, Params, R, capability)                                                               \
  {method, MethodKind::Request, capability,                                                                            \
   [](Session &session, const Json &json, Reply reply) {                                                               \
     callRequest<Params, R>(session, json, std::move(reply), method, &handle##name);                                   \
   },                                                                                                                  \
   nullptr},
#define LSP_QUERY(method, name, Params, R, capability)                                                                 \
  {method, MethodKind::Query, capability,                                                                              \
   [](Session &session, const Json &json, Reply reply) {                                                               \
     callQuery<Params, R>(session, json, std::move(reply), method, &handle##name);                                     \
   },                                                                                                                  \
   nullptr},
#define LSP_ASYNC(method, name, Params, capability)                                                                    \
  {method, MethodKind::Request, capability,                                                                            \
   [](Session &session, const Json &json, Reply reply) {                                                               \
     callAsync<Params>(session, json, std::move(reply), method, &handle##name);                                        \
   },                                                                                                                  \
   nullptr},
#define LSP_NOTIFY(method, name, Params)                                                                               \
  {method, MethodKind::Notification, "", nullptr,                                                                      \
   [](Session &session, const Json &json) { callNotify<Params>(session, json, method, &handle##name); }},
#include "server/handlers/methods.def"
#undef LSP_REQUEST
#undef LSP_QUERY
#undef LSP_ASYNC
#undef LSP_NOTIFY
};

} // namespace

std::span<const MethodRow> methodTable() { return kRows; }

const MethodRow *findMethod(std::string_view method) {
  const auto *row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const MethodRow &r) { return r.method == method; });
  return row == std::end(kRows) ? nullptr : row;
}

std::vector<std::string> advertisedProviders() {
  std::vector<std::string> out;
  for (const MethodRow &row : kRows) {
    bool known = std::find(out.begin(), out.end(), row.capability) != out.end();
    if (!row.capability.empty() && !known) {
      out.emplace_back(row.capability);
    }
  }
  return out;
}

} // namespace placid::server
