// SPDX-License-Identifier: Apache-2.0
// Text into SVG and HTML. Apart because pictures and the page of the build service both write it. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::server {

/// `&`, `<`, `>`, and quotes as entities; control characters, which are no XML, as spaces.
std::string escapeMarkup(std::string_view text);

} // namespace placid::server
