// SPDX-License-Identifier: Apache-2.0
// HTTP/1.1 as far as a cache, a status page and calls by hand need it: requests are read piece by piece within fixed
// bounds, bodies by Content-Length alone. What could be read in two ways is refused. No socket. Thread: any, one at a
// time; nothing blocks or throws.
#pragma once

#include "server/build/store/store_limits.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace placid::server {

struct HttpLimits {
  size_t head = size_t{16} << 10; ///< Request line and headers.
  size_t headers = 100;
  size_t body = kMaxBlob;
  size_t held = size_t{8} << 20; ///< Of a body that is kept whole; more goes elsewhere piece by piece.
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
    Large,    ///< The body is too large to be held: divert() comes before the next feed(), or nothing more is read.
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
  uint64_t length() const { return length_; }
  /// Whether that client waits for "100 Continue".
  bool waits() const { return waits_; }
  /// The body of the pending request goes there instead. False: it cannot be taken, and what else comes is dropped.
  void divert(std::function<bool(std::string_view)> sink) { sink_ = std::move(sink); }
  /// Between requests.
  bool idle() const { return head_.empty() && !inBody_; }

private:
  State fail(int status);
  State parseHead();

  HttpLimits limits_;
  std::string head_;
  HttpRequest request_;
  std::function<bool(std::string_view)> sink_;
  bool inBody_ = false, waits_ = false;
  uint64_t length_ = 0, received_ = 0;
  int status_ = 0;
};

/// A body that is too large to be held, in pieces: nothing when it cannot be given to its end.
struct HttpContent {
  uint64_t size = 0;
  std::function<std::optional<std::string>(uint64_t offset, size_t most)> read;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::map<std::string, std::string> headers;
  std::shared_ptr<HttpContent> content = nullptr; ///< Set: instead of `body`.
};
/// As it goes over the wire, but for `content`; `head`: without the body, but with its length.
std::string httpText(const HttpResponse &response, bool keepAlive, bool head);

} // namespace placid::server
