// SPDX-License-Identifier: Apache-2.0
// What is answered over HTTP: the cache in Bazel's plain layout (/ac/DIGEST, /cas/DIGEST), JSON-RPC by POST, metrics
// for Prometheus and a page for people. Knows requests and answers, no socket. The build thread.
#pragma once

#include "server/build/jobs/build_api.h"
#include "server/gateway/http.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace placid::server {

/// A body on its way into the store.
struct LargeBody {
  std::shared_ptr<Store> store; ///< Outlives the writer.
  std::unique_ptr<Store::Writer> writer;
};

class Routes {
public:
  /// Who says `pageKey` on the machine's own listener sees all builds on the pages; empty: nobody.
  explicit Routes(BuildApi &api, std::string pageKey = {}) : api_(api), key_(std::move(pageKey)) {}
  /// `client` empty: nobody said who it is. `local`: the request came over the machine's own loopback listener, where
  /// metrics and the page are open.
  /// `body`: where its large body has gone, else null.
  HttpResponse answer(const HttpRequest &request, const std::string &client, bool local, LargeBody *body = nullptr);
  /// Where the large body of a request goes whose head is there; nothing: it is not taken, and `refusal` says why.
  std::optional<LargeBody> receive(const HttpRequest &request, const std::string &client, uint64_t length,
                                   HttpResponse &refusal);

private:
  HttpResponse cache(const HttpRequest &request, const std::string &client, LargeBody *body);
  HttpResponse put(const HttpRequest &request, const std::string &client, const Digest &name, LargeBody *body);
  HttpResponse rpc(const HttpRequest &request, const std::string &client);
  std::string metrics();
  /// Nothing: it is no page, or none that is shown here.
  std::optional<HttpResponse> pageOf(const HttpRequest &request, const std::string &client, bool local);

  BuildApi &api_;
  std::string key_;
};

} // namespace placid::server
