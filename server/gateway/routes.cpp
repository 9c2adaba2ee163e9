// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/routes.h"

#include "server/gateway/credentials.h"
#include "server/gateway/pages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace placid::server {

using protocol::Json;

namespace {

constexpr size_t kRpcBytes = size_t{8} << 20;

HttpResponse plain(int status, const std::string &text) {
  return {status, "text/plain; charset=utf-8", text + "\n", {}};
}

int64_t systemNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// In a time that says nothing of how far they agree.
bool sameSecret(std::string_view given, std::string_view secret) {
  unsigned different = given.size() == secret.size() ? 0 : 1;
  for (size_t i = 0; i < given.size(); ++i) {
    different |= static_cast<unsigned>(given[i] ^ secret[i % secret.size()]);
  }
  return different == 0;
}

/// What a browser sends along for a page of another site, which must not act as whoever is logged in here. Programs
/// send neither header.
bool isOfAnotherSite(const HttpRequest &request) {
  std::string site = request.header("sec-fetch-site");
  return !request.header("origin").empty() || !(site.empty() || site == "same-origin" || site == "none");
}

/// No form and no page of another site can send this without being asked for leave first.
bool isJson(std::string type) {
  type.resize(std::min(type.size(), type.find(';')));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) {
    type.pop_back();
  }
  std::transform(type.begin(), type.end(), type.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  return type == "application/json";
}

/// Names that a browser on this machine uses for it: a page elsewhere that points its own name here gets nothing.
bool isLocalHost(std::string host) {
  if (size_t colon = host.rfind(':'); colon != std::string::npos && host.find(']', colon) == std::string::npos) {
    host.resize(colon);
  }
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

bool isCache(const std::string &target) { return target.starts_with("/cas/") || target.starts_with("/ac/"); }

std::optional<Digest> cacheName(const std::string &target) {
  return parseDigest(std::string_view(target).substr(target.find('/', 1) + 1));
}

} // namespace

HttpResponse Routes::answer(const HttpRequest &request, const std::string &client, bool local, LargeBody *body) {
  bool reads = request.method == "GET" || request.method == "HEAD";
  if (local && !isLocalHost(request.header("host"))) {
    return plain(403, "this listener is for this machine");
  }
  if (std::optional<HttpResponse> page = reads ? pageOf(request, client, local) : std::nullopt) {
    return std::move(*page);
  }
  if (client.empty() && !(local && reads && request.target == "/metrics")) {
    HttpResponse out = plain(401, "a token or a client certificate says who you are");
    // A browser asks its user only for this one, and people read the page alone.
    bool page = reads && request.target == "/";
    out.headers["WWW-Authenticate"] = std::string(page ? "Basic" : "Bearer") + " realm=\"placid\"";
    return out;
  }
  if (isOfAnotherSite(request)) {
    return plain(403, "pages of other sites have no business here");
  }
  if (isCache(request.target)) {
    return cache(request, client, body);
  }
  if (request.target == "/rpc") {
    return request.method == "POST" ? rpc(request, client) : plain(405, "POST");
  }
  if (!reads && (request.target == "/" || request.target == "/metrics")) {
    return plain(405, "GET or HEAD");
  }
  if (request.target == "/metrics") {
    return {200, "text/plain; version=0.0.4; charset=utf-8", metrics(), {}};
  }
  return plain(404, "there is nothing here");
}

std::optional<HttpResponse> Routes::pageOf(const HttpRequest &request, const std::string &client, bool local) {
  std::string target = request.target;
  std::string given;
  constexpr std::string_view kKey = "?key=";
  if (size_t at = target.find(kKey); at != std::string::npos) {
    given = target.substr(at + kKey.size());
    target.resize(at);
  }
  constexpr std::string_view kBuild = "/builds/";
  bool build = target.starts_with(kBuild);
  if (!build && (target != "/" || !(local || !client.empty()))) {
    return std::nullopt;
  }
  // Who knows the key was told it by this machine's own socket.
  bool keyed = local && !key_.empty() && sameSecret(given, key_);
  std::string viewer = keyed ? JobTable::kLocal : client;
  std::string key = keyed ? key_ : std::string();
  if (build && viewer.empty()) {
    HttpResponse out = plain(401, "`placid status` shows the address that has the key, or a token says who you are");
    out.headers["WWW-Authenticate"] = "Basic realm=\"placid\"";
    return out;
  }
  std::optional<std::string> text =
      build ? buildPage(api_, viewer, target.substr(kBuild.size()), key) : indexPage(api_, viewer, key);
  if (!text) {
    return plain(404, "there is no such build");
  }
  return HttpResponse{200,
                      "text/html; charset=utf-8",
                      std::move(*text),
                      {{"Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"},
                       {"Referrer-Policy", "no-referrer"},
                       {"X-Content-Type-Options", "nosniff"},
                       {"Cache-Control", "no-store"}}};
}

std::optional<LargeBody> Routes::receive(const HttpRequest &request, const std::string &client, uint64_t length,
                                         HttpResponse &refusal) {
  if (request.method != "PUT" || !isCache(request.target)) {
    refusal = plain(413, "too much for this request");
    return std::nullopt;
  }
  if (client.empty() || isOfAnotherSite(request) || !cacheName(request.target)) {
    refusal = client.empty() ? plain(401, "not admitted") : plain(400, "that is no name for content");
    return std::nullopt;
  }
  StoreResult<std::unique_ptr<Store::Writer>> writer = api_.jobs().store().begin(length);
  if (!writer) {
    refusal = plain(writer.error().kind == StoreFault::Kind::Full ? 507 : 500, "it cannot be kept");
    return std::nullopt;
  }
  return LargeBody{api_.jobs().sharedStore(), std::move(*writer)};
}

HttpResponse Routes::put(const HttpRequest &request, const std::string &client, const Digest &name, LargeBody *body) {
  bool content = request.target.starts_with("/cas/");
  bool whole = !body || !body->writer->fault(); // what is not tells why below
  if (content && whole && (body ? body->writer->digest() : digestOf(request.body)) != name) {
    return plain(400, "the content is not " + name.hex);
  }
  StoreResult<Digest> kept = body ? body->writer->keep() : api_.jobs().store().put(request.body);
  if (!kept) {
    return plain(kept.error().kind == StoreFault::Kind::Full ? 507 : 500, "it cannot be kept");
  }
  std::string realm = "realm:" + realmOf(client);
  if (content) {
    api_.jobs().journal().grant(realm, *kept, systemNow());
  } else if (!api_.jobs().store().remember("http-ac:" + realm + ":" + name.hex, kept->hex)) {
    return plain(500, "it cannot be kept");
  }
  return plain(200, "kept");
}

HttpResponse Routes::cache(const HttpRequest &request, const std::string &client, LargeBody *body) {
  bool content = request.target.starts_with("/cas/");
  std::optional<Digest> name = cacheName(request.target);
  if (!name) {
    return plain(400, "a key is 64 hexadecimal digits in lower case");
  }
  if (request.method == "PUT") {
    return put(request, client, *name, body);
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return plain(405, "GET, HEAD or PUT");
  }
  Store &store = api_.jobs().store();
  Journal &journal = api_.jobs().journal();
  std::string realm = "realm:" + realmOf(client);
  std::optional<Digest> digest = name;
  if (!content) {
    digest = parseDigest(store.recall("http-ac:" + realm + ":" + name->hex).value_or(""));
  } else if (!journal.granted(realm, *name) && !journal.granted(client, *name)) {
    digest.reset(); // somebody else's is as absent as nobody's
  }
  StoreResult<std::unique_ptr<Store::Reader>> reader =
      digest ? store.open(*digest) : StoreFault{StoreFault::Kind::Missing, {}};
  if (!reader) {
    return plain(404, "not here");
  }
  const uint64_t size = (*reader)->size();
  if (size < Store::kLarge) {
    StoreResult<std::string> bytes = (*reader)->read(0, static_cast<size_t>(size));
    return bytes ? HttpResponse{200, "application/octet-stream", std::move(*bytes), {}} : plain(404, "not here");
  }
  auto parts = std::make_shared<HttpContent>();
  parts->size = size;
  // The store is let go after the reader: members of a lambda go in the opposite order.
  parts->read = [kept = api_.jobs().sharedStore(), from = std::shared_ptr<Store::Reader>(std::move(*reader))](
                    uint64_t offset, size_t most) -> std::optional<std::string> {
    StoreResult<std::string> part = from->read(offset, most);
    return part ? std::optional(std::move(*part)) : std::nullopt;
  };
  return HttpResponse{200, "application/octet-stream", {}, {}, std::move(parts)};
}

HttpResponse Routes::rpc(const HttpRequest &request, const std::string &client) {
  if (!isJson(request.header("content-type"))) {
    return plain(415, "a request is application/json");
  }
  if (request.body.size() > kRpcBytes) {
    return plain(413, "a request has at most " + std::to_string(kRpcBytes) + " bytes");
  }
  auto session = std::make_shared<BuildSession>(client, [](const Json &) { return false; });
  protocol::Incoming incoming = protocol::decodeMessage(request.body);
  if (incoming.batch) {
    return plain(400, "one request at a time");
  }
  std::optional<Json> answer;
  for (const protocol::Message &message : incoming.messages) {
    if (const auto *invalid = std::get_if<protocol::Invalid>(&message)) {
      answer = protocol::errorMessage(invalid->id, invalid->error);
    } else if (const auto *call = std::get_if<protocol::Call>(&message); call && call->id) {
      ApiAnswer got = api_.call(session, call->method, call->params);
      answer = got ? protocol::resultMessage(*call->id, std::move(got.result))
                   : protocol::errorMessage(*call->id, *got.error);
    }
  }
  if (!answer) {
    return {204, "application/json", "", {}};
  }
  return {200, "application/json", protocol::encode(*answer) + "\n", {}};
}

std::string Routes::metrics() {
  Json state = api_.server();
  std::string out;
  auto family = [&](const std::string &name, const char *type, const char *help) {
    out += "# HELP placid_" + name + " " + help + "\n# TYPE placid_" + name + " " + type + "\n";
  };
  auto value = [&](const std::string &name, const std::string &labels, const Json &number) {
    out += "placid_" + name + (labels.empty() ? "" : "{" + labels + "}") + " " + number.dump() + "\n";
  };
  family("builds_queued", "gauge", "Builds that wait.");
  value("builds_queued", "", state["queued"]);
  family("builds_running", "gauge", "Builds that are carried out.");
  value("builds_running", "", state["running"]);
  family("builds_accepted_total", "counter", "Builds that were accepted since the daemon started.");
  value("builds_accepted_total", "", state["builds"]["accepted"]);
  family("builds_resumed_total", "counter", "Builds taken up from a daemon that had ended.");
  value("builds_resumed_total", "", state["builds"]["resumed"]);
  family("builds_finished_total", "counter", "Builds by how they ended.");
  for (const char *status : {"succeeded", "failed", "cancelled", "internal"}) {
    value("builds_finished_total", std::string("status=\"") + status + "\"", state["builds"][status]);
  }
  family("actions_total", "counter", "Steps of builds by where their result came from.");
  for (const auto &[name, member] : std::initializer_list<std::pair<const char *, const char *>>{
           {"cache", "hits"}, {"run", "runs"}, {"merged", "merged"}}) {
    value("actions_total", std::string("from=\"") + name + "\"", state["actions"][member]);
  }
  family("action_retries_total", "counter", "Runs that were repeated because the machine failed.");
  value("action_retries_total", "", state["actions"]["retries"]);
  family("store_bytes", "gauge", "Bytes of content in the store.");
  value("store_bytes", "", state["storeBytes"]);
  return out;
}

} // namespace placid::server
