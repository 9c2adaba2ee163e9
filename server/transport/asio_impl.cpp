// SPDX-License-Identifier: Apache-2.0
// Boost.Asio and its TLS, compiled once for the whole server (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
