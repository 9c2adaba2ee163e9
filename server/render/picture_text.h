// SPDX-License-Identifier: Apache-2.0
// The picture of an NZ tensor in characters, for a hover or a terminal: each fractal's number in memory, and marks on
// those that a window takes. Pure; any thread.
#pragma once

#include "server/render/picture.h"

#include <string>

namespace placid::server {

/// Lines of at most about 70 columns; empty when nothing can be drawn. With `window` its fractals stand in brackets.
std::string pictureText(const Picture &picture, const PictureWindow *window = nullptr);

} // namespace placid::server
