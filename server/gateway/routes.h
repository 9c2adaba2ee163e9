// SPDX-License-Identifier: Apache-2.0
// What is answered over HTTP: the cache in Bazel's plain layout (/ac/DIGEST, /cas/DIGEST), JSON-RPC by POST, metrics
// for Prometheus and a page for people. Knows requests and answers, no socket. The build thread.
#pragma once

#include "server/build/jobs/build_api.h"
#include "server/gateway/http.h"

#include <optional>
#include <string>
#include <utility>

namespace placid::server {

class Routes {
public:
  /// Who says `pageKey` on the machine's own listener sees all builds on the pages; empty: nobody.
  explicit Routes(BuildApi &api, std::string pageKey = {}) : api_(api), key_(std::move(pageKey)) {}
  /// `client` empty: nobody said who it is. `local`: the request came over the machine's own loopback listener, where
  /// metrics and the page are open.
  HttpResponse answer(const HttpRequest &request, const std::string &client, bool local);

private:
  HttpResponse cache(const HttpRequest &request, const std::string &client);
  HttpResponse rpc(const HttpRequest &request, const std::string &client);
  std::string metrics();
  /// Nothing: it is no page, or none that is shown here.
  std::optional<HttpResponse> pageOf(const HttpRequest &request, const std::string &client, bool local);

  BuildApi &api_;
  std::string key_;
};

} // namespace placid::server
