// SPDX-License-Identifier: Apache-2.0
#include "server/remote/channel.h"

#include "protocol/daemon/endpoint.h"
#include "protocol/daemon/hello.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace placid::server {

using protocol::Json;
using Steady = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds kConnect{15};
constexpr std::chrono::seconds kAnswer{120};
constexpr int kLookMs = 100;
constexpr size_t kMostToken = 4096;

std::string sslText() {
  std::array<char, 256> text{};
  unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) {
    return "the connection was closed";
  }
  ERR_error_string_n(code, text.data(), text.size());
  const char *reason = ERR_reason_error_string(code);
  return reason ? reason : text.data();
}

/// The first line of a file that others may not read.
std::string readToken(const std::string &path, std::string &wrong) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) {
    wrong = "token-file " + path + ": " + std::strerror(errno);
    return {};
  }
  if ((info.st_mode & 077) != 0) {
    wrong = "token-file " + path + " may be read by others: chmod 600";
    return {};
  }
  std::ifstream file(path);
  std::string token;
  file >> token;
  if (token.empty() || token.size() > kMostToken) {
    wrong = "token-file " + path + " holds no token";
  }
  return token;
}

} // namespace

/// A file descriptor, perhaps with TLS around it. Never blocks beyond a deadline.
struct RemoteChannel::Socket {
  int fd = -1;
  SSL_CTX *context = nullptr;
  SSL *ssl = nullptr;

  ~Socket() {
    if (ssl) {
      SSL_free(ssl);
    }
    if (context) {
      SSL_CTX_free(context);
    }
    if (fd >= 0) {
      ::close(fd);
    }
  }

  bool wait(short what, Steady::time_point deadline, const std::stop_token &stop) const {
    while (!stop.stop_requested()) {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now()).count();
      if (left <= 0) {
        return false;
      }
      pollfd poll{fd, what, 0};
      int got = ::poll(&poll, 1, static_cast<int>(std::min<int64_t>(left, kLookMs)));
      if (got > 0) {
        return true;
      }
      if (got < 0 && errno != EINTR) {
        return false;
      }
    }
    return false;
  }

  /// Bytes read; 0: not yet; -1: gone.
  ssize_t read(char *into, size_t most, short &wants) const {
    if (!ssl) {
      ssize_t got = ::recv(fd, into, most, 0);
      wants = POLLIN;
      return got > 0 ? got : got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
    }
    int got = SSL_read(ssl, into, static_cast<int>(most));
    return got > 0 ? got : later(got, wants);
  }

  ssize_t write(const char *from, size_t most, short &wants) const {
    if (!ssl) {
      ssize_t wrote = ::send(fd, from, most, MSG_NOSIGNAL);
      wants = POLLOUT;
      return wrote > 0 ? wrote : wrote < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
    }
    int wrote = SSL_write(ssl, from, static_cast<int>(most));
    return wrote > 0 ? wrote : later(wrote, wants);
  }

  ssize_t later(int result, short &wants) const {
    int error = SSL_get_error(ssl, result);
    wants = error == SSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN;
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
  }

  std::string dialUnix(const std::string &path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
      return path + ": too long a path for a socket";
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
      return path + ": " + std::strerror(errno);
    }
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    return {};
  }

  std::string dialTcp(const std::string &host, const std::string &port, Steady::time_point deadline,
                      const std::stop_token &stop) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo *list = nullptr;
    if (int wrong = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &list); wrong != 0) {
      return host + ": " + ::gai_strerror(wrong);
    }
    std::string why = host + " has no address";
    for (addrinfo *one = list; one && fd < 0; one = one->ai_next) {
      fd = ::socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      bool begun = fd >= 0 && (::connect(fd, one->ai_addr, one->ai_addrlen) == 0 || errno == EINPROGRESS);
      int error = begun ? 0 : errno;
      socklen_t size = sizeof error;
      if (begun && !wait(POLLOUT, deadline, stop)) {
        error = ETIMEDOUT;
      } else if (begun) {
        ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
      }
      if (error != 0) {
        why = host + ":" + port + ": " + std::strerror(error);
        if (fd >= 0) {
          ::close(fd);
          fd = -1;
        }
      }
    }
    ::freeaddrinfo(list);
    int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd >= 0 ? std::string() : why;
  }

  std::string agree(const RemoteSettings &settings, const std::string &host, Steady::time_point deadline,
                    const std::stop_token &stop) {
    context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
    bool trusted = settings.ca.empty() ? SSL_CTX_set_default_verify_paths(context) == 1
                                       : SSL_CTX_load_verify_locations(context, settings.ca.c_str(), nullptr) == 1;
    if (!trusted) {
      return "ca " + settings.ca + ": " + sslText();
    }
    if (!settings.cert.empty()) {
      if (SSL_CTX_use_certificate_chain_file(context, settings.cert.c_str()) != 1 ||
          SSL_CTX_use_PrivateKey_file(context, settings.key.c_str(), SSL_FILETYPE_PEM) != 1) {
        return "cert " + settings.cert + ", key " + settings.key + ": " + sslText();
      }
    }
    ssl = SSL_new(context);
    SSL_set_fd(ssl, fd);
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    X509_VERIFY_PARAM *parameters = SSL_get0_param(ssl);
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) != 1) { // no number: a name
      SSL_set1_host(ssl, host.c_str());
      SSL_set_tlsext_host_name(ssl, host.c_str());
    }
    ERR_clear_error();
    for (;;) {
      int done = SSL_connect(ssl);
      if (done == 1) {
        return {};
      }
      short wants = POLLIN;
      if (later(done, wants) < 0) {
        long verdict = SSL_get_verify_result(ssl);
        std::string text = sslText();
        return verdict == X509_V_OK ? text : std::string("its certificate: ") + X509_verify_cert_error_string(verdict);
      }
      if (!wait(wants, deadline, stop)) {
        return "no answer";
      }
    }
  }
};

RemoteChannel::RemoteChannel(std::unique_ptr<Socket> socket, std::stop_token stop)
    : socket_(std::move(socket)), stop_(std::move(stop)) {}

RemoteChannel::~RemoteChannel() = default;

std::unique_ptr<RemoteChannel> RemoteChannel::connect(const RemoteSettings &settings, const std::stop_token &stop,
                                                      std::string &wrong) {
  constexpr std::string_view kUnix = "unix:";
  auto deadline = Steady::now() + kConnect;
  auto socket = std::make_unique<Socket>();
  std::string token;
  if (!settings.tokenFile.empty()) {
    token = readToken(settings.tokenFile, wrong);
    if (!wrong.empty()) {
      return nullptr;
    }
  }
  if (settings.address.starts_with(kUnix)) {
    wrong = socket->dialUnix(settings.address.substr(kUnix.size()));
  } else {
    size_t colon = settings.address.rfind(':');
    if (colon == std::string::npos || colon + 1 == settings.address.size()) {
      wrong = "`" + settings.address + "` is no address with a port";
      return nullptr;
    }
    std::string host = settings.address.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
      host = host.substr(1, host.size() - 2);
    }
    wrong = socket->dialTcp(host, settings.address.substr(colon + 1), deadline, stop);
    if (wrong.empty()) {
      wrong = socket->agree(settings, host, deadline, stop);
      wrong = wrong.empty() ? wrong : settings.address + ": " + wrong;
    }
  }
  if (!wrong.empty()) {
    return nullptr;
  }
  std::unique_ptr<RemoteChannel> out(new RemoteChannel(std::move(socket), stop));
  protocol::Hello hello;
  hello.protocolMin = hello.protocolMax = protocol::kDaemonProtocol;
  hello.role = protocol::Role::Build;
  hello.token = token;
  Answer answer = out->call(std::string(protocol::kHelloMethod), protocol::toJson(hello));
  if (!answer.good()) {
    wrong = settings.address + ": " +
            (answer.error ? answer.error->message : std::string("it closed the connection; is the certificate right?"));
    return nullptr;
  }
  protocol::Result<protocol::Welcome> welcome = protocol::welcomeFromJson(answer.result);
  out->version_ = welcome ? welcome->version : std::string();
  return out;
}

bool RemoteChannel::sendAll(std::string_view bytes) {
  auto deadline = Steady::now() + kAnswer;
  while (!bytes.empty() && !lost_) {
    short wants = POLLOUT;
    ssize_t wrote = socket_->write(bytes.data(), bytes.size(), wants);
    if (wrote > 0) {
      bytes.remove_prefix(static_cast<size_t>(wrote));
    } else if (wrote < 0 || !socket_->wait(wants, deadline, stop_)) {
      lost_ = true;
    }
  }
  return !lost_;
}

bool RemoteChannel::receive(Steady::time_point deadline) {
  std::array<char, 65536> chunk{};
  while (!lost_) {
    std::string_view bytes = unread_;
    protocol::FrameReader::State state = reader_.feed(bytes);
    unread_.erase(0, unread_.size() - bytes.size());
    if (state == protocol::FrameReader::State::Frame) {
      for (protocol::Message &message : protocol::decodeMessage(reader_.takeBody()).messages) {
        if (auto *response = std::get_if<protocol::Response>(&message)) {
          response_ = std::move(*response);
        } else if (auto *call = std::get_if<protocol::Call>(&message)) {
          events_.push_back({{"method", call->method}, {"params", std::move(call->params)}});
        }
      }
      return true;
    }
    if (state != protocol::FrameReader::State::NeedMore) {
      lost_ = true;
      return false;
    }
    short wants = POLLIN;
    ssize_t got = socket_->read(chunk.data(), chunk.size(), wants);
    if (got > 0) {
      unread_.append(chunk.data(), static_cast<size_t>(got));
    } else if (got < 0) {
      lost_ = true;
    } else if (!socket_->wait(wants, deadline, stop_)) {
      return false;
    }
  }
  return false;
}

RemoteChannel::Answer RemoteChannel::call(const std::string &method, Json params) {
  Answer out;
  int64_t id = next_++;
  Json message = {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  message["params"] = std::move(params);
  auto deadline = Steady::now() + kAnswer;
  response_.reset();
  bool sent = sendAll(protocol::frame(protocol::encode(message)));
  while (sent && !lost_) {
    if (!receive(deadline)) {
      lost_ = true; // late, or gone: its answer would be taken for another's
      break;
    }
    if (response_ && response_->id == protocol::Id(id)) {
      out.result = std::move(response_->result);
      out.error = std::move(response_->error);
      response_.reset();
      return out;
    }
  }
  // What it said before it hung up says more than that it did.
  if (response_ && response_->error) {
    out.error = std::move(response_->error);
    return out;
  }
  out.lost = true;
  return out;
}

std::optional<Json> RemoteChannel::event(std::chrono::milliseconds wait) {
  if (events_.empty()) {
    receive(Steady::now() + wait);
  }
  if (events_.empty()) {
    return std::nullopt;
  }
  Json out = std::move(events_.front());
  events_.pop_front();
  return out;
}

} // namespace placid::server
