// SPDX-License-Identifier: Apache-2.0
#include "server/gateway/wire.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <openssl/x509.h>

#include <array>
#include <utility>

namespace placid::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

class PlainWire final : public Wire {
public:
  explicit PlainWire(tcp::socket socket) : socket_(std::move(socket)) {}
  void handshake(std::function<void(const error_code &)> done) override { done({}); }
  void read(char *into, size_t most, std::function<void(const error_code &, size_t)> done) override {
    socket_.async_read_some(asio::buffer(into, most), std::move(done));
  }
  void write(std::string_view bytes, std::function<void(const error_code &)> done) override {
    asio::async_write(socket_, asio::buffer(bytes.data(), bytes.size()),
                      [done = std::move(done)](const error_code &error, size_t) { done(error); });
  }
  void close() override {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }
  std::string peerName() const override { return {}; }

private:
  tcp::socket socket_;
};

class TlsWire final : public Wire {
public:
  TlsWire(tcp::socket socket, asio::ssl::context &context) : stream_(std::move(socket), context) {}
  void handshake(std::function<void(const error_code &)> done) override {
    stream_.async_handshake(asio::ssl::stream_base::server, std::move(done));
  }
  void read(char *into, size_t most, std::function<void(const error_code &, size_t)> done) override {
    stream_.async_read_some(asio::buffer(into, most), std::move(done));
  }
  void write(std::string_view bytes, std::function<void(const error_code &)> done) override {
    asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()),
                      [done = std::move(done)](const error_code &error, size_t) { done(error); });
  }
  void close() override {
    // Without the farewell of TLS: every message has its length, and a peer that does not answer would hold us.
    error_code ignored;
    stream_.lowest_layer().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.lowest_layer().close(ignored);
  }
  std::string peerName() const override {
    SSL *ssl = const_cast<TlsWire *>(this)->stream_.native_handle();
    X509 *certificate = SSL_get0_peer_certificate(ssl);
    if (!certificate || SSL_get_verify_result(ssl) != X509_V_OK) {
      return {};
    }
    std::array<char, 256> name{};
    int length = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name.data(),
                                           static_cast<int>(name.size()));
    std::string out(name.data(), length > 0 ? static_cast<size_t>(length) : 0);
    return out.find('\0') == std::string::npos ? out : std::string();
  }

private:
  asio::ssl::stream<tcp::socket> stream_;
};

class OwnTls final : public TlsFactory {
public:
  asio::ssl::context context{asio::ssl::context::tls_server};
  std::unique_ptr<Wire> wrap(tcp::socket socket) override {
    return std::make_unique<TlsWire>(std::move(socket), context);
  }
};

} // namespace

std::unique_ptr<Wire> plainWire(tcp::socket socket) { return std::make_unique<PlainWire>(std::move(socket)); }

std::unique_ptr<TlsFactory> TlsFactory::make(const std::string &cert, const std::string &key,
                                             const std::string &clientCa, std::string &wrong) {
  auto out = std::make_unique<OwnTls>();
  SSL_CTX *raw = out->context.native_handle();
  SSL_CTX_set_min_proto_version(raw, TLS1_3_VERSION);
  SSL_CTX_set_options(raw, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_num_tickets(raw, 0);
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_max_early_data(raw, 0); // what can be replayed is not taken
  error_code error;
  out->context.use_certificate_chain_file(cert, error);
  if (error) {
    wrong = "[serve] cert: " + cert + ": " + error.message();
    return nullptr;
  }
  out->context.use_private_key_file(key, asio::ssl::context::pem, error);
  if (error || SSL_CTX_check_private_key(raw) != 1) {
    wrong = "[serve] key: " + key + ": " + (error ? error.message() : "it is not the certificate's");
    return nullptr;
  }
  if (!clientCa.empty()) {
    out->context.load_verify_file(clientCa, error);
    if (error) {
      wrong = "[serve] client-ca: " + clientCa + ": " + error.message();
      return nullptr;
    }
    // One that shows none may still have a token; one that shows a wrong one is turned away.
    out->context.set_verify_mode(asio::ssl::verify_peer, error);
  }
  return out;
}

} // namespace placid::server
