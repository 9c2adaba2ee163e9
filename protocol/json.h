// SPDX-License-Identifier: Apache-2.0
// The JSON value type of the wire, forward declared: headers include this, only sources include the parser.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace placid::protocol {

using Json = nlohmann::json;

} // namespace placid::protocol
