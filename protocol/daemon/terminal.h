// SPDX-License-Identifier: Apache-2.0
// How wide a terminal is that can be drawn over. Here because the client and the one-shot process have to agree on it.
// Any thread.
#pragma once

#include <cstdint>

namespace placid::protocol {

/// Columns of the terminal that `fd` is; 0: it is none, or `kind` (TERM; may be null) is empty or "dumb", so that
/// nothing may be drawn over.
uint32_t terminalColumns(int fd, const char *kind);

} // namespace placid::protocol
