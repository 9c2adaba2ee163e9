// SPDX-License-Identifier: Apache-2.0
// The pages of the build service for people: what waits and runs, recent builds, and one build with what was said and
// how its NZ tensors lie in memory. Apart from the routes, which decide who may see which. Knows no request. The build
// thread.
#pragma once

#include "server/build/jobs/build_api.h"

#include <optional>
#include <string>

namespace placid::server {

/// Counts alone for who did not say who it is (`client` empty): builds are their clients'. `key` goes into links.
std::string indexPage(BuildApi &api, const std::string &client, const std::string &key);
/// Nothing: `client` sees no such build.
std::optional<std::string> buildPage(BuildApi &api, const std::string &client, const std::string &id,
                                     const std::string &key);

} // namespace placid::server
