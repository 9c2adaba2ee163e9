// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/http.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace placid::server {

namespace {

bool isToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  size_t from = text.find_first_not_of(" \t");
  size_t to = text.find_last_not_of(" \t");
  return from == std::string_view::npos ? std::string_view() : text.substr(from, to - from + 1);
}

std::string_view reason(int status) {
  switch (status) {
  case 200:
    return "OK";
  case 201:
    return "Created";
  case 204:
    return "No Content";
  case 400:
    return "Bad Request";
  case 401:
    return "Unauthorized";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 411:
    return "Length Required";
  case 413:
    return "Content Too Large";
  case 431:
    return "Request Header Fields Too Large";
  case 501:
    return "Not Implemented";
  case 505:
    return "HTTP Version Not Supported";
  case 507:
    return "Insufficient Storage";
  default:
    return "Internal Server Error";
  }
}

} // namespace

std::string HttpRequest::header(const std::string &name) const {
  auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

HttpReader::State HttpReader::fail(int status) {
  status_ = status;
  return State::Failed;
}

HttpReader::State HttpReader::parseHead() {
  std::string_view rest = head_;
  auto line = [&] {
    size_t end = rest.find("\r\n");
    std::string_view out = rest.substr(0, end);
    rest.remove_prefix(std::min(rest.size(), end + 2));
    return out;
  };
  std::string_view first = line();
  size_t one = first.find(' ');
  size_t two = one == std::string_view::npos ? one : first.find(' ', one + 1);
  if (two == std::string_view::npos || !isToken(first.substr(0, one)) || first[one + 1] != '/') {
    return fail(400);
  }
  request_.method = first.substr(0, one);
  request_.target = first.substr(one + 1, two - one - 1);
  std::string_view version = first.substr(two + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return fail(version.starts_with("HTTP/") ? 505 : 400);
  }
  while (!rest.empty()) {
    std::string_view field = line();
    if (field.empty()) {
      break;
    }
    size_t colon = field.find(':');
    std::string name = lower(field.substr(0, std::min(colon, field.size())));
    std::string_view value = colon == std::string_view::npos ? std::string_view() : trimmed(field.substr(colon + 1));
    bool good = colon != std::string_view::npos && isToken(name) && value.find('\0') == std::string_view::npos &&
                value.find('\r') == std::string_view::npos && value.find('\n') == std::string_view::npos;
    // Twice the same: two readers could choose differently.
    if (!good || !request_.headers.emplace(name, value).second) {
      return fail(400);
    }
    if (request_.headers.size() > limits_.headers) {
      return fail(431);
    }
  }
  if (request_.headers.count("transfer-encoding") != 0) {
    return fail(501);
  }
  std::string connection = lower(request_.header("connection"));
  request_.keepAlive = version == "HTTP/1.1" ? connection != "close" : connection == "keep-alive";
  length_ = 0;
  if (auto found = request_.headers.find("content-length"); found != request_.headers.end()) {
    const std::string &text = found->second;
    auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), length_);
    if (wrong != std::errc() || end != text.data() + text.size() || text.empty()) {
      return fail(wrong == std::errc::result_out_of_range ? 413 : 400);
    }
  } else if (request_.method == "PUT" || request_.method == "POST") {
    return fail(411);
  }
  if (length_ > limits_.body) {
    return fail(413);
  }
  inBody_ = true;
  waits_ = length_ != 0 && lower(request_.header("expect")) == "100-continue";
  return length_ > limits_.held ? State::Large : waits_ ? State::Continue : State::NeedMore;
}

HttpReader::State HttpReader::feed(std::string_view &bytes) {
  if (status_ != 0) {
    bytes = {};
    return State::Failed;
  }
  if (!inBody_) {
    size_t before = head_.size() < 3 ? 0 : head_.size() - 3;
    size_t take = std::min(bytes.size(), limits_.head + 1 - std::min(limits_.head, head_.size()));
    head_ += bytes.substr(0, take);
    size_t end = head_.find("\r\n\r\n", before);
    if (end == std::string::npos) {
      bytes.remove_prefix(take);
      return head_.size() > limits_.head ? fail(431) : State::NeedMore;
    }
    bytes.remove_prefix(take - (head_.size() - end - 4));
    head_.resize(end + 4);
    State state = parseHead();
    if (state != State::NeedMore) {
      return state;
    }
  }
  auto take = static_cast<size_t>(std::min<uint64_t>(bytes.size(), length_ - received_));
  if (length_ <= limits_.held) {
    request_.body += bytes.substr(0, take);
  } else if (sink_ && !sink_(bytes.substr(0, take))) {
    sink_ = nullptr;
  }
  bytes.remove_prefix(take);
  received_ += take;
  return received_ == length_ ? State::Request : State::NeedMore;
}

HttpRequest HttpReader::take() {
  HttpRequest out = std::move(request_);
  request_ = {};
  head_.clear();
  sink_ = nullptr;
  inBody_ = waits_ = false;
  length_ = received_ = 0;
  return out;
}

std::string httpText(const HttpResponse &response, bool keepAlive, bool head) {
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + " " + std::string(reason(response.status)) +
                    "\r\nContent-Type: " + response.type + "\r\nContent-Length: " +
                    std::to_string(response.content ? response.content->size : response.body.size()) +
                    "\r\nX-Content-Type-Options: nosniff\r\n";
  for (const auto &[name, value] : response.headers) {
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
  }
  out += keepAlive ? "\r\n" : "Connection: close\r\n\r\n";
  if (!head && !response.content) {
    out += response.body;
  }
  return out;
}

} // namespace placid::server
