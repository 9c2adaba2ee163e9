// SPDX-License-Identifier: Apache-2.0
// What a build may ask of the machine that carries it out: a small closed vocabulary. What no machine here can ever
// offer is said at once, with what there is, so that nobody waits for it. Pure; any thread.
#pragma once

#include <map>
#include <set>
#include <string>

namespace placid::server {

using Labels = std::map<std::string, std::string>;

/// What is wrong with names or values, with the nearest good one; empty when nothing is.
std::string labelFault(const Labels &labels);

/// What this machine can do.
struct LabelOffer {
  std::set<std::string> toolchains; ///< Whose tools are here.
  std::string machine;              ///< "x86_64", "aarch64".
};

/// Why it can never be met here, or empty.
std::string neverMet(const Labels &labels, const LabelOffer &offer);

} // namespace placid::server
