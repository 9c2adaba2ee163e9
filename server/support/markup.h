// SPDX-License-Identifier: Apache-2.0
// Text into XML, SVG and HTML. Apart because reports, pictures and the page of the build service all write it. Any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace placid::server {

/// `&`, `<`, `>`, quotes, ends of lines and tabs as entities; other control characters, which are no XML, as spaces.
std::string escapeMarkup(std::string_view text);

} // namespace placid::server
