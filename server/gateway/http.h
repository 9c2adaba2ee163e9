// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 as far as a cache, a status page and calls by hand need it: requests are read piece by piece within fixed
// bounds, bodies by Content-Length alone. What could be read in two ways is refused. No socket. Thread: any, one at a
// time; nothing blocks or throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace placid::server {

struct HttpLimits {
  size_t head = size_t{16} << 10; ///< Request line and headers.
  size_t headers = 100;
  size_t body = size_t{128} << 20;
};

struct HttpRequest {
  std::string method, target;                 ///< "GET", "/cas/…": as sent.
  std::map<std::string, std::string> headers; ///< Names in lower case.
  std::string body;
  bool keepAlive = true;
  std::string header(const std::string &name) const;
};

class HttpReader {
public:
  enum class State : uint8_t {
    NeedMore,
    Continue, ///< The client waits for "100 Continue" before it sends the body.
    Request,
    Failed, ///< status() says why; the stream cannot be read on.
  };
  explicit HttpReader(HttpLimits limits = {}) : limits_(limits) {}
  /// Consumes from the front of `bytes`.
  State feed(std::string_view &bytes);
  HttpRequest take();
  /// The request whose head is there.
  const HttpRequest &pending() const { return request_; }
  int status() const { return status_; }
  /// The head is there, the body is not.
  bool inBody() const { return inBody_; }
  /// Between requests.
  bool idle() const { return head_.empty() && !inBody_; }

private:
  State fail(int status);
  State parseHead();

  HttpLimits limits_;
  std::string head_;
  HttpRequest request_;
  bool inBody_ = false;
  size_t length_ = 0;
  int status_ = 0;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::map<std::string, std::string> headers;
};
/// As it goes over the wire; `head`: without the body, but with its length.
std::string httpText(const HttpResponse &response, bool keepAlive, bool head);

} // namespace placid::server
