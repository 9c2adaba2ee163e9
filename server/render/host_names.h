// SPDX-License-Identifier: Apache-2.0
// Names and texts of a source that become part of C++: identifiers, strings, comments. Any text is safe here, also one
// out of a manifest that somebody else wrote. Knows no kernel. Pure; any thread.
#pragma once

#include <set>
#include <string>

namespace placid::server {

/// An identifier of C++17 to C++23 that no macro of the standard headers has, and that is not in `taken`, where it
/// goes.
std::string cppName(const std::string &name, std::set<std::string> &taken);

/// An identifier for `name` alone: two names never have the same.
std::string cppNamespace(const std::string &name);

/// The text as a string literal.
std::string cppString(const std::string &text);

/// The text for a `//` comment: one line that ends where it ends.
std::string cppComment(const std::string &text);

} // namespace placid::server
