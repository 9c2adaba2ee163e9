// SPDX-License-Identifier: Apache-2.0
// For whoever takes messages apart: what to do when one that carries text cannot be read. Io thread.
#pragma once

#include "protocol/json.h"

namespace placid::server {

class Session;

/// A didOpen or didChange that nobody understands. The client goes on from a text that is not known here: of the
/// document that it names, or of any when it names none. `params` null: there was not even a message.
void textLost(Session &session, const protocol::Json &params);

} // namespace placid::server
