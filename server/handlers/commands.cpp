// SPDX-License-Identifier: Apache-2.0
// workspace/executeCommand: `placid.build [URI, OPTION...]` builds one file as the command line does, with the options
// that a client may give. window/workDoneProgress/cancel ends it. Io thread.
#include "server/session/session.h"

#include <algorithm>
#include <string_view>

namespace placid::server {

namespace {

/// One word each. What decides who hears of a build is not the client's.
constexpr std::string_view kOptions[] = {
    "--until=", "--toolchain=", "--out=", "--arch=", "--entry=", "--define=", "--remote=", "--executor="};

protocol::RpcError invalid(const std::string &what) { return {protocol::ErrorCode::InvalidParams, what}; }

} // namespace

void handleExecuteCommand(Session &session, const lsp::ExecuteCommandParams &params, Reply reply) {
  if (params.command != "placid.build") {
    std::move(reply).fail(invalid("unknown command `" + params.command.substr(0, 80) + "`: there is placid.build"));
    return;
  }
  if (params.arguments.empty() || !params.arguments.front().starts_with("file:")) {
    std::move(reply).fail(invalid("placid.build: expected the `file:` URI of what to build, then options"));
    return;
  }
  std::vector<std::string> options(params.arguments.begin() + 1, params.arguments.end());
  for (const std::string &option : options) {
    bool known = std::any_of(std::begin(kOptions), std::end(kOptions),
                             [&](std::string_view begin) { return option.starts_with(begin); });
    if (!known) {
      std::move(reply).fail(invalid("placid.build: `" + option.substr(0, 80) +
                                    "` is no option that a client gives: expected --until=STAGE and such"));
      return;
    }
  }
  session.build(params.arguments.front(), std::move(options), std::move(reply));
}

void handleCancelProgress(Session &session, const lsp::CancelProgressParams &params) {
  const auto *name = std::get_if<std::string>(&params.token);
  session.cancelProgress(name ? protocol::Json(*name) : protocol::Json(std::get<int64_t>(params.token)));
}

} // namespace placid::server
