// SPDX-License-Identifier: Apache-2.0
// The manifest that `build` writes, read back: what the kernels of one .pto file take. JSON stops here. Total.
#pragma once

#include "compiler/driver/compiler_service.h"

namespace placid::server {

/// The kernels whose `pto` is `file`, all where that is empty, without their text. `wrong` says why the manifest cannot
/// be used, or is empty.
std::vector<compiler::LoweredKernel> readManifest(const std::string &json, const std::string &file, std::string &wrong);

} // namespace placid::server
