// SPDX-License-Identifier: Apache-2.0
// Pictures as SVG, and as one HTML page around them. Self-contained: no script, no font, no image from elsewhere;
// readable on light and on dark ground. The same input gives the same bytes. Pure; any thread.
#pragma once

#include "server/render/picture.h"

#include <string>
#include <vector>

namespace placid::server {

/// All pictures, one below the other, in one SVG document that ends with a line end.
std::string pictureSvg(const std::vector<Picture> &pictures);

/// A page with each picture under a heading. `title` is shown and is no markup.
std::string pictureHtml(const std::vector<Picture> &pictures, const std::string &title);

} // namespace placid::server
