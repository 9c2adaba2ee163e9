// SPDX-License-Identifier: Apache-2.0
// `placid lsp`: an editor on standard input and output, the daemon on a socket, messages passed between them. A daemon
// that goes away is replaced and told what the editor has said; the editor sees nothing of it. One thread, poll().
#pragma once

#include <string>
#include <vector>

namespace placid::cli {

/// The exit code of the process. `arguments` are those after `lsp`.
int relayLsp(const std::string &server, const std::vector<std::string> &arguments);

} // namespace placid::cli
