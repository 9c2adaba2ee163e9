// SPDX-License-Identifier: Apache-2.0
// A diagnostic as `check --format json` and the events of builds have it, read back: what a build elsewhere has found
// is reported here like what was found here. JSON stops here. Total; any thread.
#pragma once

#include "server/render/json_output.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace placid::server {

/// Places are found again in the texts that `lookup` gives; in one that is not there they stand at its start. Nothing:
/// it is no diagnostic, or has a code that is not known here.
std::optional<diag::Diagnostic> readDiagnostic(const nlohmann::ordered_json &json, const TextLookup &lookup);

} // namespace placid::server
